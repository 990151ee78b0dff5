//! Explains the gate's decisions in words.

use super::weights::{FEATURES, KINDS};

/// The reasons that are not features of the prompt alone, each with a statement about the prompt.
const OTHER_REASONS: &[(&str, &str)] = &[
    ("wording", "it is worded like such prompts"),
    ("direct question", "it is a direct question"),
    ("question about the earlier subject", "it is a question about the earlier subject"),
    ("nothing likely", "no code in the repository is likely to be what it is about"),
    ("first prompt about code", "it is the first prompt and is about code"),
    ("compaction", "it continues work whose evidence the client has removed"),
];

/// Returns the reasons for a decision as statements about the prompt, without repetitions.
pub fn explain<'a>(reasons: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    for statement in reasons.into_iter().filter_map(statement) {
        if !statements.contains(&statement) {
            statements.push(statement);
        }
    }
    statements
}

/// Returns `None` if the user would not recognise the reason in the prompt.
fn statement(reason: &str) -> Option<String> {
    let features = FEATURES.iter().map(|(name, _, statement)| (name, statement));
    let others = OTHER_REASONS.iter().map(|(name, statement)| (name, statement));
    if let Some((_, statement)) = features.chain(others).find(|(name, _)| **name == reason) {
        return Some((*statement).to_owned()).filter(|statement| !statement.is_empty());
    }
    let subject = |name: &str| KINDS.iter().find(|kind| kind.name == name).map(|kind| kind.subject);
    Some(match reason.split_once('_').map(|(form, name)| (form, subject(name))) {
        Some(("has" | "share" | "short" | "first", Some(subject))) => {
            format!("its words are about {subject}")
        }
        Some(("previous", Some(subject))) => format!("the previous prompt was about {subject}"),
        _ => reason.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::{explain, statement};
    use crate::gate::feature_names;

    #[test]
    fn every_feature_has_words() {
        for name in feature_names() {
            assert!(statement(&name).is_none_or(|words| words.contains(' ')), "{name}");
        }
    }

    #[test]
    fn reasons_are_said_once() {
        let said = explain(["has_vcs", "share_vcs", "has_index", "under_15", "under_40"]);
        assert_eq!(said, ["its words are about version control", "it is short"]);
        assert_eq!(explain(["direct question"]), ["it is a direct question"]);
        assert_eq!(explain([]), Vec::<String>::new());
    }
}
