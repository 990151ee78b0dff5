//! Edits JSON files without changing their comments and spacing.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstNode, CstObject, CstRootNode};
use serde::de::IgnoredAny;

use super::SettingsProblem;

/// The byte order mark that some editors write at the start of a UTF-8 file.
const MARK: char = '\u{feff}';

/// Parser options: comments and trailing commas are accepted, because users write them. Other deviations from JSON are
/// errors.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Applies `change` to the top-level object of a JSON file and returns the new content.
pub(crate) fn edit(
    text: Option<&str>,
    change: impl FnOnce(&CstObject) -> Result<(), SettingsProblem>,
) -> Result<String, SettingsProblem> {
    let (root, object) = parse(text)?;
    change(&object)?;
    let mark = text.filter(|text| text.starts_with(MARK)).map(|_| MARK.to_string());
    Ok(mark.unwrap_or_default() + &root.to_string())
}

/// Checks that `text` is plain JSON, without comments, trailing commas or a byte order mark. An empty string is accepted.
pub(crate) fn check_plain(text: &str) -> Result<(), SettingsProblem> {
    let text = Some(text).filter(|text| !text.trim().is_empty()).unwrap_or("{}");
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(SettingsProblem::Syntax {
            line: error.line(),
            column: error.column(),
            message: "not plain JSON: a comment, a trailing comma or a byte order mark".to_owned(),
        }),
    }
}

/// Checks that `text` is JSON, possibly with comments. Other deviations from JSON are errors.
pub(crate) fn check_with_comments(text: &str) -> Result<(), SettingsProblem> {
    let options = ParseOptions { allow_trailing_commas: false, ..OPTIONS };
    parse_with(Some(text), &options).map(|_| ())
}

pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// Parses `text` and returns the document and its top-level object. An empty string or `None` is parsed as an empty object.
pub(crate) fn parse(text: Option<&str>) -> Result<(CstRootNode, CstObject), SettingsProblem> {
    parse_with(text, &OPTIONS)
}

fn parse_with(
    text: Option<&str>,
    options: &ParseOptions,
) -> Result<(CstRootNode, CstObject), SettingsProblem> {
    let text = text.map(without_mark).filter(|text| !text.trim().is_empty()).unwrap_or("{}\n");
    let root = CstRootNode::parse(text, options).map_err(|error| SettingsProblem::Syntax {
        line: error.line_display(),
        column: error.column_display(),
        message: error.kind().to_string(),
    })?;
    let object = root
        .object_value()
        .ok_or_else(|| SettingsProblem::shape("the whole file", "a JSON object"))?;
    Ok((root, object))
}

/// Returns the content of a JSON file as a value.
pub(crate) fn value(text: &str) -> Result<serde_json::Value, SettingsProblem> {
    let (root, _) = parse(Some(text))?;
    Ok(root.to_serde_value().unwrap_or_default())
}

/// Returns the object at `key`, and creates it if it is missing.
pub(crate) fn object_in(parent: &CstObject, key: &str) -> Result<CstObject, SettingsProblem> {
    parent.object_value_or_create(key).ok_or_else(|| SettingsProblem::shape(key, "an object"))
}

/// Returns the array at `key`, and creates it if it is missing.
pub(crate) fn array_in(parent: &CstObject, key: &str) -> Result<CstArray, SettingsProblem> {
    parent.array_value_or_create(key).ok_or_else(|| SettingsProblem::shape(key, "an array"))
}

/// Returns the value of a string property.
pub(crate) fn text_of(object: &CstObject, key: &str) -> Option<String> {
    object.get(key)?.value()?.as_string_lit()?.decoded_value().ok()
}

/// Removes a property if its value is an empty object or an empty array.
pub(crate) fn drop_if_empty(parent: &CstObject, key: &str) {
    let Some(property) = parent.get(key) else { return };
    let is_empty = match property.value() {
        Some(CstNode::Container(_)) => {
            property.object_value().is_some_and(|object| object.properties().is_empty())
                || property.array_value().is_some_and(|array| array.elements().is_empty())
        }
        _ => false,
    };
    if is_empty {
        property.remove();
    }
}
