//! Signals for the role of a file. Tests, examples and documentation repeat the words of the code that they describe.
//!
//! These signals have negative weights. If the prompt's title asks for files of a role, the signal for that role is
//! weaker.

use index::Role;

use super::flag;
use crate::query::{Query, Section};

/// Computes one value per file from its path and role.
pub(crate) type RoleMeasure = fn(&Query, &[(&str, Role)]) -> Vec<f32>;

/// The signal value of a file if the prompt's title asks for files of its role. Otherwise, the value is 1.
const REQUESTED: f32 = 0.3;

pub(super) fn test(query: &Query, files: &[(&str, Role)]) -> Vec<f32> {
    by_role(query, files, &[Role::Test], &["test", "测试", "用例", "spec"])
}

pub(super) fn example(query: &Query, files: &[(&str, Role)]) -> Vec<f32> {
    let words = ["exampl", "example", "demo", "sampl", "示例", "benchmark"];
    by_role(query, files, &[Role::Example], &words)
}

pub(super) fn generated(query: &Query, files: &[(&str, Role)]) -> Vec<f32> {
    by_role(query, files, &[Role::Generated, Role::Output, Role::Minified], &[])
}

pub(super) fn vendored(query: &Query, files: &[(&str, Role)]) -> Vec<f32> {
    by_role(query, files, &[Role::Vendored], &[])
}

pub(super) fn prose(query: &Query, files: &[(&str, Role)]) -> Vec<f32> {
    let words = ["doc", "document", "readm", "readme", "changelog", "文档", "config", "yaml"];
    let roles = [Role::Docs, Role::Data, Role::Config, Role::Agent, Role::Lock];
    let mut values = by_role(query, files, &roles, &words);
    if asks_for(query, &["sql", "migration", "migrat", "schema", "seed"]) {
        let queries = files.iter().zip(&mut values).filter(|((path, _), _)| path.ends_with(".sql"));
        queries.for_each(|(_, value)| *value = value.min(REQUESTED));
    }
    values
}

/// Returns 1 for files that contain declarations without bodies, otherwise 0. The implementation is in another file.
pub(super) fn stub(_: &Query, files: &[(&str, Role)]) -> Vec<f32> {
    by_path(files, |path| path.ends_with(".d.ts") || path.ends_with(".pyi"))
}

/// Returns 1 for translation files, otherwise 0. They contain the words of every part of a product, but no code.
pub(super) fn locale(_: &Query, files: &[(&str, Role)]) -> Vec<f32> {
    #[rustfmt::skip]
    const FOLDERS: &[&str] = &[
        "i18n", "l10n", "lang", "langs", "language", "languages", "locale", "locales", "translations",
    ];
    by_path(files, |path| {
        let mut parts = path.rsplit('/');
        let name = parts.next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let is_language_code = matches!(stem.len(), 2 | 5 | 7)
            && stem.bytes().all(|byte| byte.is_ascii_alphabetic() || b"-_".contains(&byte));
        is_language_code
            && parts.any(|folder| FOLDERS.contains(&folder.to_ascii_lowercase().as_str()))
    })
}

/// Returns 1 for files whose names are typical of files that only re-export definitions, otherwise 0.
pub(super) fn barrel(_: &Query, files: &[(&str, Role)]) -> Vec<f32> {
    by_path(files, |path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        ["__init__.py", "index.ts", "index.js", "mod.rs", "lib.rs"].contains(&name)
    })
}

/// Returns a positive value for files with one of `roles`, otherwise 0. The value is lower if the prompt's title
/// contains one of `words`, because the prompt then asks for such files.
fn by_role(query: &Query, files: &[(&str, Role)], roles: &[Role], words: &[&str]) -> Vec<f32> {
    let value = if asks_for(query, words) { REQUESTED } else { 1.0 };
    files.iter().map(|(_, role)| if roles.contains(role) { value } else { 0.0 }).collect()
}

/// Returns whether the prompt's title contains one of `words`.
fn asks_for(query: &Query, words: &[&str]) -> bool {
    query.terms.iter().any(|term| {
        term.sections.occurs_in(&[Section::Title]) && words.contains(&term.text.as_str())
    })
}

fn by_path(files: &[(&str, Role)], matches: impl Fn(&str) -> bool) -> Vec<f32> {
    files.iter().map(|(path, _)| flag(matches(path))).collect()
}
