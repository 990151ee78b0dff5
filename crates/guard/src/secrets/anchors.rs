//! The strings that make the scanner look closer, in one automaton; built once, on first use.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};

use super::rules::RULES;

/// What an anchor announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The prefix of [`RULES`]`[first]`, and of the rules after it with the same prefix.
    Token { first: usize },
    /// A word that names a secret; a value may be assigned to it.
    Name,
    /// `Bearer` and its relatives: the value follows after a space.
    Scheme,
    /// The first line of a key block.
    KeyBlock,
    /// The end of a URL scheme; credentials may follow.
    Url,
}

const NAMES: &[&str] =
    &["passphrase", "password", "passwd", "secret", "token", "api_key", "api-key", "apikey"];
const SCHEMES: &[&str] = &["bearer ", "basic "];

pub(crate) struct Anchors {
    automaton: AhoCorasick,
    meaning: Vec<Anchor>,
}

impl Anchors {
    pub(crate) fn find_iter<'a>(
        &'a self,
        text: &'a [u8],
    ) -> impl Iterator<Item = (Anchor, usize, usize)> + 'a {
        self.automaton
            .find_iter(text)
            .map(|found| (self.meaning[found.pattern().as_usize()], found.start(), found.end()))
    }
}

static ANCHORS: LazyLock<Option<Anchors>> = LazyLock::new(build);

/// `None` only if the automaton cannot be built, which the tests rule out for the table we ship.
pub(crate) fn anchors() -> Option<&'static Anchors> {
    ANCHORS.as_ref()
}

fn build() -> Option<Anchors> {
    let mut patterns: Vec<&str> = vec!["-----begin", "://"];
    let mut meaning = vec![Anchor::KeyBlock, Anchor::Url];
    for (first, rule) in RULES.iter().enumerate() {
        if first == 0 || RULES[first - 1].prefix != rule.prefix {
            patterns.push(rule.prefix);
            meaning.push(Anchor::Token { first });
        }
    }
    patterns.extend(NAMES);
    meaning.extend(NAMES.iter().map(|_| Anchor::Name));
    patterns.extend(SCHEMES);
    meaning.extend(SCHEMES.iter().map(|_| Anchor::Scheme));
    let automaton = AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(patterns)
        .ok()?;
    Some(Anchors { automaton, meaning })
}
