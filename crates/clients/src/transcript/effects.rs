//! The effects of one tool call: its kind, the files that it touched, and its search terms.

use contract::FileAction;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CallKind {
    Edit,
    /// A command that does more than read, search or edit files.
    Command,
    Search,
    Read,
    #[default]
    Other,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    pub(super) kind: CallKind,
    /// Whether the call ran a program that may do more than read, search or edit files.
    pub(super) runs_program: bool,
    pub(super) touched: Vec<Touch>,
    pub(super) searches: Vec<String>,
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

    /// Sets the kind, unless the call already has a kind that is declared earlier in [`CallKind`].
    pub(super) fn note(&mut self, kind: CallKind) {
        self.runs_program |= kind == CallKind::Command;
        if (kind as u8) < (self.kind as u8) {
            self.kind = kind;
        }
    }
}
