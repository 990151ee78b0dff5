//! What a repository's configuration asks for beyond what any repository gets: granted by the user's trust, within caps.

use contract::Limit;

use crate::Trust;
use crate::settings::Range;

/// More refusals than these are counted, not told one by one.
const MAX_TOLD: usize = 6;
/// Names and values are the repository's text.
const MAX_CHARS: usize = 120;

/// One wish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// What it is about and what it wants, as in [`Limit`].
    pub text: String,
    pub granted: Granted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granted {
    Yes,
    /// The user has not trusted the file.
    NotYet,
    /// To nobody.
    Never,
}

/// The wishes of one file, judged one by one.
pub(crate) struct Asks {
    trust: Trust,
    asks: Vec<Ask>,
    notes: Vec<Limit>,
}

impl Asks {
    pub(crate) fn new(trust: Trust) -> Self {
        Self { trust, asks: Vec::new(), notes: Vec::new() }
    }

    /// A number up to what anybody gets is no wish. More needs trust, and ends at the cap all the same.
    pub(crate) fn number(&mut self, key: &str, wanted: u64, range: Range) -> u64 {
        if wanted <= range.usual {
            return wanted;
        }
        if !self.may(key, &format!("asks for {wanted}, more than {}", range.usual)) {
            return range.usual;
        }
        let most = range.most.max(range.usual);
        if wanted > most {
            let text = format!("`{key}` asks for {wanted}, cut to {most}");
            self.notes.push(Limit::Said(format!("{}: {text}", crate::CONFIG_PATH)));
        }
        wanted.min(most)
    }

    pub(crate) fn program(&mut self, key: &str, words: &[String]) -> bool {
        if words.first().is_none_or(|program| program.trim().is_empty()) {
            self.never(key, "names no program");
            return false;
        }
        self.may(key, &format!("starts a program, `{}`", words.join(" ")))
    }

    /// Whether the user's trust grants it.
    pub(crate) fn may(&mut self, key: &str, what: &str) -> bool {
        let granted = if self.trust == Trust::Trusted { Granted::Yes } else { Granted::NotYet };
        self.keep(key, what, granted);
        granted == Granted::Yes
    }

    pub(crate) fn never(&mut self, key: &str, what: &str) {
        self.keep(key, what, Granted::Never);
    }

    fn keep(&mut self, key: &str, what: &str, granted: Granted) {
        let text = format!("`{}` {}", shortened(key), shortened(what));
        self.asks.push(Ask { text, granted });
    }

    /// The wishes, and what is to be said about those that were not granted.
    pub(crate) fn end(self) -> (Vec<Ask>, Vec<Limit>) {
        let refused: Vec<&Ask> =
            self.asks.iter().filter(|ask| ask.granted != Granted::Yes).collect();
        let mut limits: Vec<Limit> =
            refused.iter().take(MAX_TOLD).map(|ask| self.refusal(ask)).collect();
        let n_more = refused.len().saturating_sub(MAX_TOLD);
        if n_more > 0 {
            let ask = format!("{n_more} more wishes");
            limits.push(self.refusal(&Ask { text: ask, granted: Granted::NotYet }));
        }
        limits.extend(self.notes);
        (self.asks, limits)
    }

    fn refusal(&self, ask: &Ask) -> Limit {
        let text = ask.text.clone();
        match (ask.granted, self.trust) {
            (Granted::Never, _) | (_, Trust::Trusted) => Limit::NeverGranted { ask: text },
            (_, Trust::Changed) => Limit::TrustLost { ask: text },
            (_, Trust::Never) => Limit::NotTrusted { ask: text },
        }
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    text.chars().take(MAX_CHARS).chain(['…']).collect()
}
