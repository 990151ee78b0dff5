//! Collects the values in a repository's configuration that exceed the defaults ("asks"). If the user trusts the
//! file, these values are granted up to a maximum.

use contract::Limit;

use crate::Trust;
use crate::settings::Range;

/// The maximum number of refused values that are reported one by one. Further values are only counted.
const MAX_REPORTED: usize = 6;
/// The maximum length in characters of a key or description in a message. Both can contain text from the repository,
/// which may be of any length.
const MAX_CHARS: usize = 120;

/// One configuration value that needs the user's trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The key and the requested value, such as "`budget.wall_ms` is 9000, above the default of 5000". It becomes part
    /// of a [`Limit`] message.
    pub text: String,
    pub granted: Granted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granted {
    Yes,
    /// The value needs trust, and the user has not trusted the file's current content.
    NotYet,
    /// The value is not allowed even in a trusted file.
    Never,
}

/// Collects the values in one configuration file that exceed the defaults. See [`Ask`].
pub(crate) struct Asks {
    trust: Trust,
    asks: Vec<Ask>,
    notes: Vec<Limit>,
}

impl Asks {
    pub(crate) fn new(trust: Trust) -> Self {
        Self { trust, asks: Vec::new(), notes: Vec::new() }
    }

    /// Returns `wanted`, reduced to `range.max` if the file is trusted, or to `range.default` if it is not.
    pub(crate) fn number(&mut self, key: &str, wanted: u64, range: Range) -> u64 {
        if wanted <= range.default {
            return wanted;
        }
        if !self.grant(key, &format!("is {wanted}, above the default of {}", range.default)) {
            return range.default;
        }
        let max = range.max.max(range.default);
        if wanted > max {
            let text = format!("`{key}` is {wanted}, reduced to {max}");
            self.notes.push(Limit::Said(format!("{}: {text}", crate::CONFIG_PATH)));
        }
        wanted.min(max)
    }

    pub(crate) fn program(&mut self, key: &str, words: &[String]) -> bool {
        if words.first().is_none_or(|program| program.trim().is_empty()) {
            self.refuse(key, "names no program");
            return false;
        }
        self.grant(key, &format!("starts a program, `{}`", words.join(" ")))
    }

    /// Records an [`Ask`] and returns whether it is granted. It is granted only if the user trusts the file.
    pub(crate) fn grant(&mut self, key: &str, what: &str) -> bool {
        let granted = if self.trust == Trust::Trusted { Granted::Yes } else { Granted::NotYet };
        self.record(key, what, granted);
        granted == Granted::Yes
    }

    pub(crate) fn refuse(&mut self, key: &str, what: &str) {
        self.record(key, what, Granted::Never);
    }

    fn record(&mut self, key: &str, what: &str, granted: Granted) {
        let text = format!("`{}` {}", shortened(key), shortened(what));
        self.asks.push(Ask { text, granted });
    }

    /// Returns all recorded [`Ask`] values, and the [`Limit`] messages about refused and reduced values.
    pub(crate) fn finish(self) -> (Vec<Ask>, Vec<Limit>) {
        let refused: Vec<&Ask> =
            self.asks.iter().filter(|ask| ask.granted != Granted::Yes).collect();
        let mut limits: Vec<Limit> =
            refused.iter().take(MAX_REPORTED).map(|ask| self.refusal(ask)).collect();
        let more = refused.get(MAX_REPORTED..).unwrap_or_default();
        if !more.is_empty() {
            let are_never = more.iter().all(|ask| ask.granted == Granted::Never);
            let granted = if are_never { Granted::Never } else { Granted::NotYet };
            let text = format!("{} more settings", more.len());
            limits.push(self.refusal(&Ask { text, granted }));
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
