//! A location in the repository, which consists of a path, a line range and, if known, a symbol.

use std::ops::RangeInclusive;

use index::{Kind, Node, Role, View};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The path relative to the repository root, with `/` as the separator.
    pub path: String,
    /// The line range, counted from 1. The range of a file is `1..=1`.
    pub lines: RangeInclusive<u32>,
    /// The qualified name of the definition, or `None` if the location is a file.
    pub symbol: Option<String>,
    pub kind: Option<Kind>,
    pub is_test: bool,
}

impl Location {
    pub(crate) fn of(view: &View, node: Node) -> Self {
        match node {
            Node::File(file) => {
                let is_test = view.role(file) == Role::Test;
                Self {
                    path: view.path(file).to_owned(),
                    lines: 1..=1,
                    symbol: None,
                    kind: None,
                    is_test,
                }
            }
            Node::Symbol(id) => {
                let symbol = view.symbol(id);
                Self {
                    path: view.path(symbol.file).to_owned(),
                    lines: symbol.lines.clone(),
                    symbol: Some(symbol.qualified.to_owned()),
                    kind: Some(symbol.kind),
                    is_test: symbol.kind == Kind::Test || view.role(symbol.file) == Role::Test,
                }
            }
        }
    }

    /// Returns the name of the definition, or the path of a file.
    pub(crate) fn name(&self) -> &str {
        self.symbol.as_deref().unwrap_or(&self.path)
    }

    /// Formats the location as `path:line`.
    #[must_use]
    pub fn citation(&self) -> String {
        format!("{}:{}", self.path, self.lines.start())
    }
}

/// Returns the node itself if it is a file, otherwise the file that contains the node.
pub(crate) fn file_of(view: &View, node: Node) -> index::FileId {
    match node {
        Node::File(file) => file,
        Node::Symbol(symbol) => view.file_of(symbol),
    }
}
