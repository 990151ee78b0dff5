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
