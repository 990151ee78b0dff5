//! Explains the gate's decisions in words.

/// Pairs of a reason and the statement about the prompt that explains it. Most reasons are names of features.
const STATEMENTS: &[(&str, &str)] = &[
    ("under_15", "it is short"),
    ("under_40", "it is short"),
    ("under_80", "it is short"),
    ("lines", "it has several lines"),
    ("question_mark", "it contains a question mark"),
    ("ends_in_question_mark", "it ends in a question mark"),
    ("identifier", "it contains an identifier"),
    ("code_path", "it names a source file"),
    ("document_path", "it names a document"),
    ("code_block", "it contains a block of code"),
    ("error", "it contains an error message"),
    ("link", "it contains a link"),
    ("terminal", "it contains a line from a terminal"),
    ("command", "it is a command for the client"),
    ("only_numbers", "it consists of numbers"),
    ("at_sign", "it contains an @ sign"),
    ("unknown_share", "most of its words are not requests"),
    ("unknown_words", "it has many words that are not requests"),
    ("change_of_software", "it asks for a software change"),
    ("failure_of_software", "it reports a software failure"),
    ("question_about_software", "it is a question about software"),
    ("later", "it is not the first prompt of the session"),
    ("later_under_40", "it is a short answer in a session"),
    ("name_share", "its words are names from the repository"),
    ("names", "it contains names from the repository"),
    ("asked_names", "it has words that could be names"),
    ("no_names", "none of its words is a name from the repository"),
    ("wording", "it is worded like such prompts"),
    ("touched", "the session read or edited files"),
    ("touched_last", "the previous turn read or edited files"),
    ("edited_last", "the previous turn edited files"),
    ("direct question", "it is a direct question"),
    ("question about the earlier subject", "it is a question about the earlier subject"),
    ("nothing likely", "no code in the repository is likely to be what it is about"),
    ("first prompt about code", "it is the first prompt and is about code"),
    ("compaction", "it continues work whose evidence the client has removed"),
];

/// Features that are not explained, because the user would not recognise them in the prompt.
const UNSAID: [&str; 3] = ["length", "has_index", "previous_length"];

/// Pairs of a request kind and its description, as in "its words are about version control".
const SUBJECTS: &[(&str, &str)] = &[
    ("approve", "approval"),
    ("continue", "continuing"),
    ("vcs", "version control"),
    ("run", "running a program"),
    ("meta", "the agent itself"),
    ("chat", "small talk"),
    ("document", "documents"),
    ("question", "a question"),
    ("change", "a change"),
    ("failure", "a failure"),
    ("software", "software"),
];

/// Returns the reasons for a decision as statements about the prompt, without repetitions.
pub fn explain<'a>(reasons: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    for reason in reasons.into_iter().filter(|reason| is_said(reason)) {
        let statement = statement(reason);
        if !statements.contains(&statement) {
            statements.push(statement);
        }
    }
    statements
}

fn is_said(reason: &str) -> bool {
    !UNSAID.contains(&reason)
}

fn statement(reason: &str) -> String {
    let find = |table: &[(&str, &'static str)], name: &str| {
        table.iter().find(|(known, _)| *known == name).map(|(_, words)| *words)
    };
    if let Some(words) = find(STATEMENTS, reason) {
        return words.to_owned();
    }
    let subject = |kind: &str| find(SUBJECTS, kind);
    match reason.split_once('_').map(|(form, kind)| (form, subject(kind))) {
        Some(("has" | "share" | "short" | "first", Some(subject))) => {
            format!("its words are about {subject}")
        }
        Some(("previous", Some(subject))) => format!("the previous prompt was about {subject}"),
        _ => reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{explain, is_said, statement};
    use crate::gate::feature_names;

    #[test]
    fn every_feature_has_words() {
        for name in feature_names().filter(|name| is_said(name)) {
            assert!(statement(name).contains(' '), "{name}");
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
