//! The learned weights of all signals. `cargo xtask bench localise --learn` prints these tables column by column; see
//! `docs/design/ranking.md`.
//!
//! The weights of `mentioned` and `module` are set by hand. The learned weights are too low for a prompt that names a
//! file of the repository, because the issues used for learning often name files of the reporter's own project.

/// A column of [`WEIGHTS`].
#[derive(Clone, Copy)]
pub(super) enum Column {
    Task,
    /// Questions, phrases and names. A change is likely to concern a file that changed recently; a question is not.
    Question,
    /// The later turns of a session. `cargo xtask bench sessions --learn` prints this column. The weight of `session_named`
    /// is set by hand, because the recorded sessions do not contain the output of commands.
    Session,
}

/// The weights of the file signals, one per [`Column`].
pub(super) const WEIGHTS: &[(&str, [f32; 3])] = &[
    ("text", [1.71, 1.87, 1.02]),
    ("text_title", [0.50, 0.72, -0.11]),
    ("text_prose", [0.75, 0.54, 0.11]),
    ("text_code", [0.01, 0.01, 0.08]),
    ("names", [0.92, 1.03, 0.62]),
    ("path_words", [1.77, 1.44, 1.80]),
    ("docs", [-1.43, -0.01, -0.96]),
    ("history", [0.73, 0.03, 0.09]),
    ("history_title", [2.14, 1.42, 1.17]),
    ("passage", [2.32, 2.07, 1.56]),
    ("passages_title", [0.90, 1.64, 0.18]),
    ("passage_prose", [0.73, 0.55, 0.26]),
    ("mentioned", [0.90, 0.90, 1.70]),
    ("frame", [2.39, 2.39, 1.71]),
    ("frame_innermost", [0.49, 0.49, -0.19]),
    ("defines_title", [0.42, 0.97, 1.16]),
    ("defines_prose", [0.04, 0.14, 0.26]),
    ("defines_code", [0.64, 0.64, 0.59]),
    ("file_name", [0.00, 0.81, 0.00]),
    ("file_name_share", [0.00, 0.59, 0.00]),
    ("defines_type", [0.00, 0.96, 0.00]),
    ("module", [0.10, 0.10, 0.21]),
    ("role_test", [-5.89, -3.30, -5.15]),
    ("role_example", [-2.02, -2.27, -2.12]),
    ("role_generated", [-1.47, -1.67, -1.59]),
    ("role_vendored", [-2.49, -2.29, -2.49]),
    ("role_prose", [-4.36, -4.71, -4.31]),
    ("role_stub", [-1.68, -1.91, -1.63]),
    ("role_locale", [-2.05, -2.05, -2.07]),
    ("role_barrel", [-0.33, -0.20, -0.23]),
    ("size", [1.26, 1.35, 1.14]),
    ("centrality", [0.47, 0.88, -0.08]),
    ("recent", [1.61, 0.01, 1.40]),
    ("commits", [-1.39, -0.57, 0.11]),
    ("cochange", [0.08, 0.01, 0.11]),
    ("tested", [0.27, 0.33, 0.47]),
    ("used", [0.17, 1.33, -0.20]),
    ("users", [0.52, 0.71, 0.59]),
    ("session_edited", [0.00, 0.00, 1.57]),
    ("session_read", [0.00, 0.00, 0.84]),
    ("session_recency", [0.00, 0.00, 1.64]),
    ("session_last_turn", [0.00, 0.00, 0.76]),
    ("session_named", [0.00, 0.00, 1.00]),
    ("session_prompts", [0.00, 0.00, 0.28]),
    ("session_linked", [0.00, 0.00, 0.35]),
];

/// The weights of the symbol signals. The weight of `container` is set by hand: the prompts used for learning only ask
/// for functions, but the declaration of a class may have to change too.
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
