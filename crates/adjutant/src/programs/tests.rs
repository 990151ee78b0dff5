use super::*;

/// `--help` has to do without the documents: nothing in it is left unexplained.
#[test]
fn every_command_and_every_flag_says_what_it_is_for() {
    let mut silent = Vec::new();
    for program in ProgramArgument::value_variants() {
        look(&program.command(), "", &mut silent);
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

fn look(command: &Command, above: &str, silent: &mut Vec<String>) {
    let path = format!("{above}{} ", command.get_name());
    if command.get_about().is_none() {
        silent.push(path.clone());
    }
    let flags = command.get_arguments().filter(|flag| !flag.is_hide_set());
    let unexplained = flags.filter(|flag| flag.get_help().is_none());
    silent.extend(unexplained.map(|flag| format!("{path}{}", flag.get_id())));
    command.get_subcommands().for_each(|inner| look(inner, &path, silent));
}
