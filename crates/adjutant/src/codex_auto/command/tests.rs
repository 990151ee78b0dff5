use super::*;

#[track_caller]
fn check(line: &str, expected: Command) {
    assert_eq!(Command::of(line), expected, "{line}");
}

fn prompt(text: &str) -> Command {
    Command::Prompt(text.to_owned())
}

fn unknown(name: &str, nearest: Option<&'static str>) -> Command {
    Command::Control(Control::Unknown { name: name.to_owned(), nearest })
}

#[test]
fn commands_are_parsed() {
    check("/quit", Command::Quit);
    check("  /exit ", Command::Quit);
    check("/plan", Command::Plan(None));
    check("/plan  who calls it? ", Command::Plan(Some("who calls it?".to_owned())));
    check("/?", Command::Control(Control::Help));
    check("", Command::Nothing);
}

#[test]
fn prompts_with_slashes() {
    check("//quit now", prompt("/quit now"));
    check("/etc/hosts is empty", prompt("/etc/hosts is empty"));
    check("a /quit inside", prompt("a /quit inside"));
}

#[test]
fn an_unknown_command_has_the_nearest_name() {
    check("/limit", unknown("/limit", Some("/limits")));
    check("/qiut", unknown("/qiut", Some("/quit")));
    check("/pl foo", unknown("/pl", Some("/plan")));
    check("/compact", unknown("/compact", None));
}

#[test]
fn every_command_in_the_help_is_parsed() {
    for (name, _, _) in COMMANDS.iter().filter(|(name, _, _)| *name != "//") {
        assert!(
            !matches!(
                Command::of(name),
                Command::Control(Control::Unknown { .. }) | Command::Prompt(_)
            ),
            "{name}"
        );
        assert!(help().contains(name) && completions(name).contains(name));
    }
    assert_eq!(completions("/o"), ["/off", "/on"]);
}
