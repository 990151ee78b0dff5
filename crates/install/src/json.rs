//! JSON with everything a person put around it: read, changed in one place, written back.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstNode, CstObject, CstRootNode};
use serde::de::IgnoredAny;

use crate::problem::Problem;

/// What some editors put before a text to say that it is UTF-8.
const MARK: char = '\u{feff}';

/// Comments and trailing commas are a person's; anything else that is not JSON is a slip.
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

/// The text after a change of its object, with everything else as it was.
pub(crate) fn edit(
    text: Option<&str>,
    change: impl FnOnce(&CstObject) -> Result<(), Problem>,
) -> Result<String, Problem> {
    let (root, object) = parse(text)?;
    change(&object)?;
    let mark = text.filter(|text| text.starts_with(MARK)).map(|_| MARK.to_string());
    Ok(mark.unwrap_or_default() + &root.to_string())
}

/// Whether Codex loads the file: it takes no comment, no trailing comma and no mark.
pub fn codex_loads(text: &str) -> Result<(), Problem> {
    let text = Some(text).filter(|text| !text.trim().is_empty()).unwrap_or("{}");
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(Problem::Syntax {
            line: error.line(),
            column: error.column(),
            message: "not plain JSON: a comment, a trailing comma or a byte order mark".to_owned(),
        }),
    }
}

/// Whether Claude Code loads the file: the same, but it passes over a mark.
pub fn claude_code_loads(text: &str) -> Result<(), Problem> {
    codex_loads(text.strip_prefix(MARK).unwrap_or(text))
}

/// The document and its object; an empty or missing text is an empty object.
pub(crate) fn parse(text: Option<&str>) -> Result<(CstRootNode, CstObject), Problem> {
    let text = text.map(|text| text.strip_prefix(MARK).unwrap_or(text));
    let text = text.filter(|text| !text.trim().is_empty()).unwrap_or("{}\n");
    let root = CstRootNode::parse(text, &OPTIONS).map_err(|error| Problem::Syntax {
        line: error.line_display(),
        column: error.column_display(),
        message: error.kind().to_string(),
    })?;
    let object =
        root.object_value().ok_or_else(|| Problem::shape("the whole file", "a JSON object"))?;
    Ok((root, object))
}

/// The object of a key, made if there is none.
pub(crate) fn object_in(parent: &CstObject, key: &str) -> Result<CstObject, Problem> {
    parent.object_value_or_create(key).ok_or_else(|| Problem::shape(key, "an object"))
}

/// The array of a key, made if there is none.
pub(crate) fn array_in(parent: &CstObject, key: &str) -> Result<CstArray, Problem> {
    parent.array_value_or_create(key).ok_or_else(|| Problem::shape(key, "an array"))
}

/// The text of a string property.
pub(crate) fn text_of(object: &CstObject, key: &str) -> Option<String> {
    object.get(key)?.value()?.as_string_lit()?.decoded_value().ok()
}

/// Takes an object out of its parent when nothing is left in it.
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
