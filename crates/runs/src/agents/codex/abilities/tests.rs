use std::fs;

use super::*;

#[test]
fn versions_are_parsed() {
    let parsed = |output| version(output).map(|(version, _)| version);
    assert_eq!(parsed("codex-cli 0.166.0\n"), Some("0.166.0"));
    assert_eq!(parsed("WARNING: x\ncodex 1.2.3-alpha.4"), Some("1.2.3-alpha.4"));
    assert_eq!(parsed("codex-cli 0.169.0 (wrapped)\n"), Some("0.169.0"));
    assert_eq!(parsed("codex-cli  0.99.0  build abc"), Some("0.99.0"));
    assert_eq!(parsed("codex-cli"), None);
    assert_eq!(parsed("ls (GNU coreutils) 9.4"), None);
    assert_eq!(parsed("ARG: --version"), None);
}

#[test]
fn only_flags_at_the_margin_count() {
    let help = "\
Options:
  -c, --config <key=value>
          Override a value.
          --not-a-flag is spoken of here

      --json
          Print events
  -o, --output-last-message <FILE>  Where to put it
";
    let flags: Vec<String> = flags_in(help).into_iter().collect();
    assert_eq!(flags, ["--config", "--json", "--output-last-message", "-c", "-o"]);
}

#[test]
fn c8_a_program_that_is_not_codex_gets_the_documented_command_line() {
    let environment = Environment::default().with("PATH", "/usr/bin:/bin");
    let abilities = Abilities::of(Path::new("/bin/ls"), &environment, None);
    assert_eq!((abilities.version.as_deref(), abilities.dialect()), (None, Dialect::Plain));
}

#[test]
fn c8_codex_is_asked_once_per_version() {
    let folder = tempfile::tempdir().unwrap();
    let counter = folder.path().join("asked");
    let program = folder.path().join("codex");
    let script = format!(
        "#!/bin/sh\necho \"$*\" >> '{}'\ncase \"$*\" in\n--version) echo codex-cli $(cat '{}') ;;\n'exec --help') echo '      --json' ;;\nesac\n",
        counter.display(),
        folder.path().join("version").display(),
    );
    testkit::write_executable(&program, &script);
    let environment = Environment::default().with("PATH", "/usr/bin:/bin");
    let asked = |version: &str| {
        fs::write(folder.path().join("version"), version).unwrap();
        fs::write(&counter, "").unwrap();
        let abilities = Abilities::of(&program, &environment, Some(&folder.path().join("cache")));
        assert_eq!(abilities.dialect(), Dialect::Events);
        fs::read_to_string(&counter).unwrap().lines().count()
    };
    assert_eq!(asked("0.1.0"), 4);
    assert_eq!(asked("0.1.0"), 1, "only its version");
    assert_eq!(asked("0.2.0"), 4, "another version, other flags");
}

#[test]
fn a_missing_codex_is_an_error() {
    let nowhere = Environment::default().with("PATH", "/nonexistent");
    assert_eq!(find_codex(&nowhere), Err(CodexMissing::NotOnPath));
    let named = Environment::default().with(CODEX_VARIABLE, "/etc/passwd");
    assert!(matches!(find_codex(&named), Err(CodexMissing::NotExecutable(_))));
}
