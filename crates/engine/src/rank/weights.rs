//! The learned weights of all signals. `cargo xtask bench localise --learn` prints these tables; see
//! `docs/design/ranking.md`.
//!
//! The weights of `mentioned` and `module` are set by hand. The learned weights are too low for a prompt that names a file
//! of the repository, because the issues used for learning often name files of the reporter's own project.

pub(super) const WEIGHTS: &[(&str, f32)] = &[
    ("text", 1.71),
    ("text_title", 0.50),
    ("text_prose", 0.75),
    ("text_code", 0.01),
    ("names", 0.92),
    ("path_words", 1.77),
    ("docs", -1.43),
    ("history", 0.73),
    ("history_title", 2.14),
    ("passage", 2.32),
    ("passages_title", 0.90),
    ("passage_prose", 0.73),
    ("mentioned", 0.90),
    ("frame", 2.39),
    ("frame_innermost", 0.49),
    ("defines_title", 0.42),
    ("defines_prose", 0.04),
    ("defines_code", 0.64),
    ("module", 0.10),
    ("role_test", -5.89),
    ("role_example", -2.02),
    ("role_generated", -1.47),
    ("role_vendored", -2.49),
    ("role_prose", -4.36),
    ("role_stub", -1.68),
    ("role_locale", -2.05),
    ("role_barrel", -0.33),
    ("size", 1.26),
    ("centrality", 0.47),
    ("recent", 1.61),
    ("commits", -1.39),
    ("cochange", 0.08),
    ("tested", 0.27),
    ("used", 0.17),
    ("users", 0.52),
];

/// The weights of the symbol signals. `container` is set by hand: the prompts used for learning only ask for functions, but
/// the declaration of a class may have to change too.
pub(super) const SYMBOL_WEIGHTS: &[(&str, f32)] = &[
    ("file", 0.24),
    ("file_place", -0.74),
    ("candidates_in_file", -0.58),
    ("passage", 0.68),
    ("passage_prose", 1.09),
    ("best_of_file", 1.38),
    ("name_title", 0.21),
    ("name_covered", 0.84),
    ("owner", 0.66),
    ("named_title", 0.85),
    ("named_prose", 0.85),
    ("owner_named", 0.43),
    ("frame", 2.08),
    ("container", -2.00),
    ("length", 0.20),
    ("complexity", 1.01),
    ("called", 0.71),
];
