//! JSON with everything a person put around it: read, changed in one place, written back.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstNode, CstObject, CstRootNode};

use crate::problem::Problem;

/// The document and its object; an empty or missing text is an empty object.
pub(crate) fn parse(text: Option<&str>) -> Result<(CstRootNode, CstObject), Problem> {
    let text = text.filter(|text| !text.trim().is_empty()).unwrap_or("{}\n");
    let root =
        CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| Problem::Syntax {
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
