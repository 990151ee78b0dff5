use super::*;

#[test]
fn every_command_and_flag_has_a_one_line_help_text() {
    let mut problems = Vec::new();
    for program in ProgramArgument::value_variants() {
        check_command(&program.command(), "", &mut problems);
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

fn check_command(command: &Command, parent: &str, problems: &mut Vec<String>) {
    let path = format!("{parent}{} ", command.get_name());
    check_line(&path, command.get_about().map(ToString::to_string), problems);
    for flag in command.get_arguments().filter(|flag| !flag.is_hide_set()) {
        let name = format!("{path}{}", flag.get_id());
        check_line(&name, flag.get_help().map(ToString::to_string), problems);
    }
    command.get_subcommands().for_each(|inner| check_command(inner, &path, problems));
}

/// Checks that a help text is one line that starts with a capital letter and does not end with a full stop.
fn check_line(path: &str, help: Option<String>, problems: &mut Vec<String>) {
    let Some(help) = help else { return problems.push(format!("{path}: no help text")) };
    let is_plain = !help.contains('\n')
        && help.starts_with(|c: char| c.is_uppercase())
        && !help.ends_with('.');
    if !is_plain {
        problems.push(format!("{path}: {help:?}"));
    }
}

/// Returns what `adjutant` prints for `--help` or `--help-all` on a terminal with this width.
fn help(words: &[String], flag: &str, width: usize) -> String {
    let program = ProgramArgument::Adjutant.command().term_width(width);
    let line = std::iter::once("adjutant").chain(words.iter().map(String::as_str)).chain([flag]);
    program.try_get_matches_from(line).unwrap_err().to_string()
}

/// Returns the names of the subcommands in a help text.
fn subcommands(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// An installed program has no `docs` folder. Lines fit a terminal of 60 columns unless a single word is longer.
#[test]
fn every_help_text_is_narrow_and_names_no_missing_file() {
    let mut open = vec![Vec::<String>::new()];
    let mut n_seen = 0;
    while let Some(path) = open.pop() {
        let help = help(&path, "--help", 60);
        let without_addresses = help.replace("/blob/main/docs/", "");
        assert!(!without_addresses.contains("docs/"), "{path:?}: {help}");
        for line in help.lines().filter(|line| !line.contains("https://")) {
            let is_usage = line.starts_with("Usage:");
            assert!(is_usage || line.chars().count() <= 60, "{path:?}: {line}");
        }
        for name in subcommands(&help) {
            open.push(path.iter().cloned().chain([name]).collect());
        }
        n_seen += 1;
    }
    assert!(n_seen > 40, "{n_seen}");
}

/// Returns the long names of the options in a help text.
fn options(help: &str) -> Vec<&str> {
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let long = lines.filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
    long.map(|word| word.trim_end_matches(',')).collect()
}

#[test]
fn help_shows_eight_options_of_a_run_and_help_all_shows_every_option() {
    for command in [&["run"][..], &["job", "start"], &["job", "resume"], &["queue", "add"]] {
        let command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        let help = help(&command, "--help", 100);
        let common = options(&help);
        assert_eq!(common.len(), 8 + 2, "{help}");
        assert!(common.ends_with(&["--help", "--help-all"]), "{help}");
        assert!(help.contains("\nExample:\n  adjutant "), "{help}");
        let all = self::help(&command, "--help-all", 100);
        let listed = options(&all);
        assert!(listed.len() > 50 && common.iter().all(|option| listed.contains(option)), "{all}");
        let headings = all.lines().filter(|line| !line.starts_with(' ') && line.ends_with(':'));
        let headings: Vec<&str> = headings.take_while(|line| *line != "Example:").collect();
        assert_eq!(headings.last(), Some(&"Compatibility:"), "{all}");
    }
}

#[test]
fn the_help_of_codex_auto_names_its_flags_its_sandbox_and_its_exit_code() {
    let help = ProgramArgument::CodexAuto.command().render_long_help().to_string();
    for word in
        ["--dry-run", "--json", "--exec", "--session-mode", "--no-history", "read-only", "127"]
    {
        assert!(help.contains(word), "{word}: {help}");
    }
}
