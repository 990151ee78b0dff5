//! Measures the features of a prompt for the gate. The value of every feature is between 0 and about 2.

use engine::{CodeWordKind, Query};
use index::text::is_cjk;

use super::request_words::{RequestKind, WordKinds};
use super::weights::KINDS;

/// A prompt, and the available information about its session and its repository.
#[derive(Clone, Copy, Debug)]
pub struct GateInput<'a> {
    pub prompt: &'a str,
    pub query: &'a Query,
    /// The previous prompt of the session, if there is one.
    pub previous: Option<&'a str>,
    /// How many words of the prompt are names in the repository. `None` if there is no index.
    pub names: Option<NameShare>,
    pub touched: Touched,
}

/// What the earlier turns of the session did with files. If several variants apply, the last one is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touched {
    #[default]
    Nothing,
    /// An earlier turn read or edited a file.
    Earlier,
    /// The turn before this prompt read or edited a file.
    LastTurn,
    /// The turn before this prompt edited a file.
    EditedLastTurn,
}

/// How many words of a prompt were looked up among the names in a repository (`asked`), and how many were found
/// (`known`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameShare {
    pub known: usize,
    pub asked: usize,
}

/// Measures the features of a prompt, in the order of [`feature_names`](super::feature_names).
#[must_use]
pub fn measure(input: &GateInput<'_>) -> Vec<f32> {
    let words = WordKinds::read(input.prompt);
    let previous = WordKinds::read(input.previous.unwrap_or_default());
    let length = length(input.prompt);
    let mut values = Vec::new();
    values.extend(form(input, length));
    values.extend(combinations(input, &words));
    values.extend(surroundings(input, length));
    for kind in KINDS.map(|kind| kind.kind) {
        let has = flag(words.has(kind));
        values.extend([
            has,
            words.share(kind),
            flag(words.first[kind as usize]),
            has * flag(length < MAX_SHORT),
            flag(previous.has(kind)),
        ]);
    }
    values
}

fn flag(is_true: bool) -> f32 {
    f32::from(u8::from(is_true))
}

/// The length below which a prompt is short, in Latin characters.
pub(super) const MAX_SHORT: f32 = 40.0;

/// Returns the length of a prompt in Latin characters. A Chinese, Japanese or Korean character counts as three.
pub(super) fn length(prompt: &str) -> f32 {
    prompt.chars().map(|c| if is_cjk(c) { 3.0 } else { 1.0 }).sum()
}

/// Measures the form of the prompt, such as its length and whether it contains code.
fn form(input: &GateInput<'_>, length: f32) -> [f32; 17] {
    let GateInput { prompt, query, .. } = *input;
    let trimmed = prompt.trim();
    let is_question = |c: char| matches!(c, '?' | '？');
    let has_kind = |kind: CodeWordKind| query.code_words.iter().any(|word| word.kind == kind);
    let paths =
        || query.code_words.iter().filter(|word| is_path(word.kind)).map(|word| word.text.as_str());
    let is_number =
        |c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | ',' | ')');
    [
        (1.0 + length).ln() / 6.0,
        flag(length < 15.0),
        flag(length < MAX_SHORT),
        flag(length < 80.0),
        (1.0 + prompt.matches('\n').count() as f32).ln(),
        flag(prompt.contains(is_question)),
        flag(trimmed.ends_with(is_question)),
        flag(has_kind(CodeWordKind::Identifier)),
        flag(paths().any(|path| !is_document(path))),
        flag(paths().any(is_document)),
        flag(query.has_code_block),
        flag(query.has_trace || has_kind(CodeWordKind::Error)),
        flag(prompt.contains("://")),
        flag(is_terminal(prompt)),
        flag(trimmed.starts_with('/')),
        flag(trimmed.chars().all(is_number)),
        flag(prompt.contains('@')),
    ]
}

fn is_path(kind: CodeWordKind) -> bool {
    matches!(kind, CodeWordKind::Path | CodeWordKind::Reference)
}

fn is_document(path: &str) -> bool {
    const EXTENSIONS: [&str; 8] = ["md", "mdc", "txt", "rst", "pdf", "doc", "docx", "adoc"];
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Returns whether a line of the text looks like a shell prompt followed by a command.
fn is_terminal(prompt: &str) -> bool {
    prompt.lines().any(|line| {
        let line = line.trim_start();
        let head = line.split_once(['$', '#', '>']).map_or("", |(head, _)| head);
        line.starts_with("$ ")
            || line.starts_with("PS ")
            || (head.contains('@') && head.contains([':', '~']) && !head.contains(". "))
            || (head.get(1..3) == Some(":\\") && !head.contains(' '))
    })
}

/// Measures the words that belong to no kind, and combinations of kinds such as `change` and `software`.
fn combinations(input: &GateInput<'_>, words: &WordKinds) -> [f32; 5] {
    let n_unknown = (words.n_words - words.n_known).max(0.0);
    let software = flag(words.has(RequestKind::Software));
    let asks = words.has(RequestKind::Question) || input.prompt.contains(['?', '？']);
    [
        n_unknown / words.n_words.max(1.0),
        (1.0 + n_unknown).ln() / 3.0,
        software * flag(words.has(RequestKind::Change)),
        software * flag(words.has(RequestKind::Failure)),
        software * flag(asks),
    ]
}

/// Measures the features of the session and the repository.
fn surroundings(input: &GateInput<'_>, own_length: f32) -> [f32; 11] {
    let is_later = flag(input.previous.is_some());
    let names = input.names.unwrap_or_default();
    let (known, asked) = (names.known as f32, names.asked as f32);
    [
        is_later,
        is_later * flag(own_length < MAX_SHORT),
        flag(input.names.is_some()),
        known / asked.max(1.0),
        (1.0 + known).ln(),
        (1.0 + asked).ln(),
        flag(input.names.is_some() && names.known == 0),
        flag(input.touched >= Touched::Earlier),
        flag(input.touched >= Touched::LastTurn),
        flag(input.touched >= Touched::EditedLastTurn),
        (1.0 + length(input.previous.unwrap_or_default())).ln() / 6.0,
    ]
}
