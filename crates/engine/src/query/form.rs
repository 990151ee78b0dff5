//! The form of a prompt. It decides which table of weights ranks the files.

use index::text::is_cjk;

/// The form of a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// A task or a report: a change that is wanted, or a failure.
    #[default]
    Task,
    /// A question, or a phrase that describes code without a wish, such as "connection pool and its limits".
    Question,
    /// A single name, such as `Mutex` or `Lock::from_toml`.
    Name(String),
}

/// The maximum number of words in a phrase.
const MAX_PHRASE_WORDS: usize = 14;

/// Words at the start of a question.
#[rustfmt::skip]
const QUESTION_WORDS: &[&str] = &[
    "are", "can", "could", "describe", "did", "does", "explain", "how", "is", "was", "what", "what's", "when", "where", "where's", "which", "who",
    "whose", "why",
];

/// Words at the start of a task.
#[rustfmt::skip]
const TASK_VERBS: &[&str] = &[
    "accept", "add", "adjust", "align", "allow", "always", "append", "apply", "avoid", "build", "bump", "capture", "change", "check", "clarify", "clean",
    "cleanup", "configure", "convert", "correct", "create", "decode", "delete", "deprecate", "disable", "disallow", "display", "do", "document", "don't",
    "download", "drop", "echo", "enable", "ensure", "exclude", "expose", "extend", "extract", "filter", "fix", "force", "group", "handle", "hide", "ignore",
    "implement", "improve", "include", "increase", "inspect", "install", "introduce", "isolate", "keep", "let", "limit", "link", "load", "log", "make",
    "merge", "migrate", "move", "normalize", "omit", "only", "open", "optimize", "order", "parse", "pass", "pin", "please", "port", "prefer", "preserve",
    "prevent", "print", "propagate", "provide", "put", "raise", "re-arrange", "read", "reduce", "refactor", "register", "reject", "release", "remove", "rename",
    "render", "replace", "replay", "report", "require", "reserve", "reset", "resolve", "restore", "restrict", "retry", "return", "revert", "reword",
    "rework", "rewrite", "round", "run", "save", "scope", "send", "set", "show", "simplify", "skip", "speed", "split", "start", "stop", "strip", "support",
    "switch", "sync", "test", "throw", "tighten", "tolerate", "trim", "truncate", "try", "turn", "unify", "update", "upgrade", "use", "validate", "verify",
    "warn", "work", "wrap", "write",
];

/// Words that state a wish, a condition or a failure.
#[rustfmt::skip]
const WISH_WORDS: &[&str] = &[
    "adjustment", "broken", "bug", "can't", "cannot", "cleanups", "crash", "crashes", "doesn't", "fail", "failed", "fails", "fixed", "if", "improvements",
    "incorrect", "instead", "issue", "minor", "missing", "must", "never", "not", "now", "only", "should", "still", "when", "whenever", "wrong",
];

impl Form {
    pub(super) fn of(prompt: &str) -> Self {
        let prompt = prompt.trim();
        if let Some(name) = single_name(prompt) {
            return Self::Name(name.to_owned());
        }
        let lower = prompt.to_lowercase();
        let mut words = lower.split_whitespace().map(|word| word.trim_matches([',', '.', '?']));
        let first = words.next().unwrap_or_default();
        if prompt.contains('\n') {
            return Self::Task;
        }
        let is_question = QUESTION_WORDS.contains(&first) || prompt.ends_with(['?', '？']);
        // A commit subject starts with a verb, or with a scope that ends with a colon or a bracket.
        let has_scope = first.ends_with([':', ']']) || first.starts_with('[');
        let is_phrase = !TASK_VERBS.contains(&first)
            && !has_scope
            && !prompt.contains(is_cjk)
            && !words.clone().any(|word| WISH_WORDS.contains(&word))
            && words.count() < MAX_PHRASE_WORDS;
        if is_question || is_phrase { Self::Question } else { Self::Task }
    }
}

/// Returns the name that `prompt` consists of, without backticks and parentheses.
fn single_name(prompt: &str) -> Option<&str> {
    let name = prompt.trim_matches('`').trim_end_matches("()");
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_$.:#\\".contains(c);
    (name.starts_with(is_start) && name.chars().all(is_part)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_form_of_a_prompt() {
        for (prompt, form) in [
            ("Mutex", Form::Name("Mutex".to_owned())),
            ("`Lock::from_toml()`", Form::Name("Lock::from_toml".to_owned())),
            ("_leading_underscore", Form::Name("_leading_underscore".to_owned())),
            ("where is the lockfile parsed?", Form::Question),
            ("connection pooling and TCP connector", Form::Question),
            ("the session expires too early, does it?", Form::Question),
            ("add a retry budget", Form::Task),
            ("fix(pool): close idle connections", Form::Task),
            ("Upload should show the remove icon", Form::Task),
            ("slider text not aligned", Form::Task),
            ("Crash in the pool\n\nHow can this happen?", Form::Task),
            ("登录页面的样式", Form::Task),
        ] {
            assert_eq!(Form::of(prompt), form, "{prompt}");
        }
    }
}
