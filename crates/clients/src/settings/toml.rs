//! Adds and removes tables in TOML files without changing their comments.

use toml_edit::{DocumentMut, Item, Table};

use super::SettingsProblem;

pub(crate) fn parse(text: &str) -> Result<DocumentMut, SettingsProblem> {
    text.parse::<DocumentMut>().map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        SettingsProblem::Syntax { line, column, message: error.message().to_owned() }
    })
}

/// Sets the table at the given key path. Missing parent tables are created without a header.
pub(crate) fn put_table(
    text: &str,
    path: &[&str],
    table: Table,
) -> Result<String, SettingsProblem> {
    let mut document = parse(text)?;
    let Some((last, parents)) = path.split_last() else { return Ok(text.to_owned()) };
    let mut parent: &mut Table = document.as_table_mut();
    for key in parents {
        let create = || {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        };
        parent = parent
            .entry(key)
            .or_insert_with(create)
            .as_table_mut()
            .ok_or_else(|| SettingsProblem::shape(key, "a table"))?;
    }
    parent.insert(last, Item::Table(table));
    Ok(document.to_string())
}

/// Removes the table at the given key path. Also removes parent tables that have no header and no other entry.
pub(crate) fn take_table(text: &str, path: &[&str]) -> Result<String, SettingsProblem> {
    let mut document = parse(text)?;
    remove(document.as_table_mut(), path);
    Ok(document.to_string())
}

fn remove(table: &mut Table, path: &[&str]) {
    match path {
        [] => {}
        [last] => {
            table.remove(last);
        }
        [first, rest @ ..] => {
            let Some(inner) = table.get_mut(first).and_then(Item::as_table_mut) else { return };
            remove(inner, rest);
            if inner.is_empty() && inner.is_implicit() {
                table.remove(first);
            }
        }
    }
}
