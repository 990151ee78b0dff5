//! The effects of one tool call: the files that it touched, and whether it ran a program.

use contract::FileAction;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// Whether the call ran a program that may do more than read, search or edit files.
    pub(super) runs_program: bool,
    /// Whether the call searched for a pattern.
    pub(super) has_pattern: bool,
    pub(super) touched: Vec<Touch>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) path: String,
    pub(super) action: FileAction,
    pub(super) lines: Option<(u32, u32)>,
}

impl Effects {
    pub(super) fn touch(&mut self, path: impl Into<String>, action: FileAction) {
        self.touched.push(Touch { path: path.into(), action, lines: None });
    }
}
