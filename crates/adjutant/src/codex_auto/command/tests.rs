use super::*;

#[track_caller]
fn check(line: &str, expected: Command) {
    assert_eq!(Command::of(line), expected, "{line}");
}

fn prompt(text: &str) -> Command {
    Command::Prompt(text.to_owned())
}

fn unknown(name: &str, nearest: Option<&'static str>) -> Command {
    Command::Word(Word::Unknown { name: name.to_owned(), nearest })
}

#[test]
fn words_to_the_loop() {
    check("/quit", Command::Quit);
    check("  /exit ", Command::Quit);
    check("/plan", Command::Plan(None));
    check("/plan  who calls it? ", Command::Plan(Some("who calls it?".to_owned())));
    check("/?", Command::Word(Word::Help));
    check("", Command::Nothing);
}

#[test]
fn prompts_with_slashes() {
    check("//quit now", prompt("/quit now"));
    check("/etc/hosts is empty", prompt("/etc/hosts is empty"));
    check("a /quit inside", prompt("a /quit inside"));
}

#[test]
fn a_word_nobody_knows_gets_the_nearest() {
    check("/limit", unknown("/limit", Some("/limits")));
    check("/qiut", unknown("/qiut", Some("/quit")));
    check("/pl foo", unknown("/pl", Some("/plan")));
    check("/compact", unknown("/compact", None));
}

#[test]
fn every_command_of_the_help_is_understood() {
    for (name, _, _) in COMMANDS.iter().filter(|(name, _, _)| *name != "//") {
        assert!(
            !matches!(Command::of(name), Command::Word(Word::Unknown { .. }) | Command::Prompt(_)),
            "{name}"
        );
        assert!(help().contains(name) && completions(name).contains(name));
    }
    assert_eq!(completions("/o"), ["/off", "/on"]);
}
