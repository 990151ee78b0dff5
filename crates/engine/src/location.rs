//! A place in the repository that an answer points to.

use std::ops::RangeInclusive;

use index::{Kind, Node, Role, View};

/// Where something is and what it is, in the reader's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Relative to the root, with `/`.
    pub path: String,
    /// From the first to the last line, counted from one; a whole file starts and ends at one.
    pub lines: RangeInclusive<u32>,
    /// The definition's qualified name; none for a file.
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

    /// How a reader cites it.
    #[must_use]
    pub fn citation(&self) -> String {
        format!("{}:{}", self.path, self.lines.start())
    }
}

/// The file a node is or stands in.
pub(crate) fn file_of(view: &View, node: Node) -> index::FileId {
    match node {
        Node::File(file) => file,
        Node::Symbol(symbol) => view.file_of(symbol),
    }
}
