//! The gate's learned weights, and what each feature says about a prompt. `cargo xtask bench gate --learn` prints the weights; see
//! `docs/design/briefing.md`.

use super::request_words::RequestKind;

pub(super) const BIAS: f32 = -0.54;

/// The weights of the wording features, as signed bytes.
pub(super) const WORDING_WEIGHTS: &[u8; super::N_WEIGHTS] = include_bytes!("wording_weights.bin");
/// The factor that converts a byte of [`WORDING_WEIGHTS`] to a weight.
pub(super) const WORDING_STEP: f32 = 0.00369;

/// The features that belong to no kind of word: the name, the weight, and a statement about a prompt that has the feature.
/// The statement is empty if the user would not recognise the feature in the prompt.
pub(super) const FEATURES: &[(&str, f32, &str)] = &[
    ("length", 0.27, ""),
    ("under_15", -0.77, "it is short"),
    ("under_40", -0.83, "it is short"),
    ("under_80", -0.48, "it is short"),
    ("lines", -0.04, "it has several lines"),
    ("question_mark", -0.24, "it contains a question mark"),
    ("ends_in_question_mark", -0.03, "it ends in a question mark"),
    ("identifier", 0.47, "it contains an identifier"),
    ("code_path", 0.15, "it names a source file"),
    ("document_path", -0.58, "it names a document"),
    ("code_block", 0.22, "it contains a block of code"),
    ("error", 0.27, "it contains an error message"),
    ("link", 0.17, "it contains a link"),
    ("terminal", -0.32, "it contains a line from a terminal"),
    ("command", -0.46, "it is a command for the client"),
    ("only_numbers", -0.00, "it consists of numbers"),
    ("at_sign", 0.42, "it contains an @ sign"),
    ("unknown_share", 0.51, "most of its words are not requests"),
    ("unknown_words", 0.76, "it has many words that are not requests"),
    ("change_of_software", -0.19, "it asks for a software change"),
    ("failure_of_software", 0.24, "it reports a software failure"),
    ("question_about_software", 0.15, "it is a question about software"),
    ("later", -0.92, "it is not the first prompt of the session"),
    ("later_under_40", -0.32, "it is a short answer in a session"),
    ("has_index", -0.00, ""),
    ("name_share", 0.38, "its words are names from the repository"),
    ("names", 0.38, "it contains names from the repository"),
    ("asked_names", 0.08, "it has words that could be names"),
    ("no_names", 0.04, "none of its words is a name from the repository"),
    ("touched", -0.16, "the session read or edited files"),
    ("touched_last", 0.76, "the previous turn read or edited files"),
    ("edited_last", 0.26, "the previous turn edited files"),
    ("previous_length", 0.33, ""),
];

/// The features of each kind of word.
pub(super) const KIND_FEATURES: [&str; 5] = ["has", "share", "first", "short", "previous"];

/// A kind of word with the weights of its features.
pub(super) struct Kind {
    pub(super) kind: RequestKind,
    pub(super) name: &'static str,
    /// The subject of such words, as in "its words are about version control".
    pub(super) subject: &'static str,
    /// The weights, in the order of [`KIND_FEATURES`].
    pub(super) weights: [f32; 5],
}

/// The kinds of words, in the order of [`RequestKind`].
#[rustfmt::skip]
pub(super) const KINDS: [Kind; 11] = [
    Kind { kind: RequestKind::Approve, name: "approve", subject: "approval", weights: [-0.15, -0.14, -0.37, -0.35, -0.39] },
    Kind { kind: RequestKind::Continue, name: "continue", subject: "continuing", weights: [-0.49, -0.19, -0.10, -0.45, -0.06] },
    Kind { kind: RequestKind::VersionControl, name: "vcs", subject: "version control", weights: [-1.45, -0.37, -0.64, -0.22, -0.62] },
    Kind { kind: RequestKind::Run, name: "run", subject: "running a program", weights: [-0.88, -0.33, -0.40, -0.42, -0.55] },
    Kind { kind: RequestKind::Meta, name: "meta", subject: "the agent itself", weights: [-0.68, -0.25, -0.12, -0.13, -0.27] },
    Kind { kind: RequestKind::Chat, name: "chat", subject: "small talk", weights: [-0.06, -0.03, -0.16, -0.05, -0.03] },
    Kind { kind: RequestKind::Document, name: "document", subject: "documents", weights: [-0.70, -0.15, 0.24, -0.11, -0.37] },
    Kind { kind: RequestKind::Question, name: "question", subject: "a question", weights: [0.09, 0.10, 0.03, -0.02, -0.07] },
    Kind { kind: RequestKind::Change, name: "change", subject: "a change", weights: [0.25, 0.30, 0.32, 0.68, 0.21] },
    Kind { kind: RequestKind::Failure, name: "failure", subject: "a failure", weights: [0.53, 0.14, 0.51, 0.24, 0.19] },
    Kind { kind: RequestKind::Software, name: "software", subject: "software", weights: [0.38, 0.20, 0.04, 0.05, 0.20] },
];
