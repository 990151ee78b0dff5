use std::fs;
use std::os::unix::fs::symlink;

use super::*;

fn repository() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap().join("repository");
    for file in ["tools/check.sh", "tools/a b.sh", "tools/a=b.sh", "tools/mod.py", "top", "bin/sh"]
    {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "one").unwrap();
    }
    fs::write(folder.path().join("outside.sh"), "").unwrap();
    symlink("../../outside.sh", root.join("tools/out.sh")).unwrap();
    symlink("check.sh", root.join("tools/link.sh")).unwrap();
    (folder, root)
}

#[track_caller]
fn covers(command: &WrittenCommand, expected: Option<&str>) {
    let (_folder, root) = repository();
    assert_eq!(command.script(&root), Ok(expected.map(|file| root.join(file))), "{command:?}");
    // The hash includes every covered file.
    let named = crate::named_files(std::slice::from_ref(command), &root);
    assert!(expected.is_none_or(|file| named.contains(&root.join(file))), "{command:?}");
}

#[track_caller]
fn covers_nothing(command: &WrittenCommand, reason: &str) {
    let (_folder, root) = repository();
    let said = command.script(&root).unwrap_err();
    assert!(said.contains(reason), "{command:?}: {said}");
    assert_eq!(uncovered_commands(std::slice::from_ref(command), &root).len(), 1);
}

fn shell(text: &str) -> WrittenCommand {
    WrittenCommand::Shell(text.to_owned())
}

fn program(words: &[&str]) -> WrittenCommand {
    WrittenCommand::Program(words.iter().map(|word| (*word).to_owned()).collect())
}

#[test]
fn a54_a_script_named_by_a_literal_path_is_covered() {
    covers(&shell("tools/check.sh --fast"), Some("tools/check.sh"));
    covers(&shell("./tools/link.sh"), Some("tools/check.sh"));
    covers(&shell("sh -eu tools/check.sh a=b"), Some("tools/check.sh"));
    covers(&shell("/bin/sh 'tools/a b.sh'"), Some("tools/a b.sh"));
    covers(&shell("./tools/a=b.sh").clone_as_program(), Some("tools/a=b.sh"));
    covers(&shell("python3 -u tools/mod.py"), Some("tools/mod.py"));
    covers(&shell("python3.12 tools/mod.py"), Some("tools/mod.py"));
    covers(&shell("sh \"$ADJUTANT_ROOT/tools/a b.sh\""), Some("tools/a b.sh"));
    covers(&shell("sh ${PWD}/tools/check.sh"), Some("tools/check.sh"));
    covers(&program(&["tools/a b.sh"]), Some("tools/a b.sh"));
    covers(&program(&["sh", "tools/check.sh", "$X; *"]), Some("tools/check.sh"));
    covers(&shell("exit 2"), None);
    covers(&program(&["sleep", "8"]), None);
}

impl WrittenCommand {
    fn clone_as_program(&self) -> Self {
        Self::Program(self.texts().map(str::to_owned).collect())
    }
}

#[test]
fn a54_a_command_with_shell_expansion_is_not_covered() {
    for (command, reason) in [
        ("sh tools/*.sh", "`*`"),
        ("sh tools/chec?.sh", "`?`"),
        ("sh tools/[c]heck.sh", "`[`"),
        ("sh tools/{check,other}.sh", "`{`"),
        ("T=tools; sh $T/check.sh", "`;`"),
        ("T=tools sh tools/check.sh", "sets a variable"),
        ("sh $T/check.sh", "`$`"),
        ("sh \"$T/check.sh\"", "`$`"),
        ("sh $SNOW_CWD/tools/check.sh", "`$`"),
        ("sh $ADJUTANT_ROOT_/tools/check.sh", "`$`"),
        ("sh tools/$ADJUTANT_ROOT/check.sh", "`$`"),
        ("sh `cat tools/check.sh`", "```"),
        ("sh $(cat top)", "`$`"),
        ("sh ~/check.sh", "`~`"),
        ("sh tools/check.sh && sh other", "`&`"),
        ("sh tools/check.sh | sh", "`|`"),
        ("sh < tools/check.sh", "`<`"),
        ("sh tools/check.sh\nsh other", "`\\n`"),
        ("sh tools/chec\\k.sh", "`\\\\`"),
        ("(sh tools/check.sh)", "`(`"),
        ("sh 'tools/check.sh", "not closed"),
    ] {
        covers_nothing(&shell(command), reason);
    }
}

#[test]
fn a54_a_program_that_chooses_what_it_loads_is_not_covered() {
    for (words, reason) in [
        (&["python3", "-m", "tools.mod"][..], "`python3 -m`"),
        (&["python3", "tools"], "not a file inside"),
        (&["node", "-e", "require('./x')"], "`node -e`"),
        (&["node", "-r", "./x.js", "tools/check.sh"], "`node -r`"),
        (&["sh", "-c", "tools/check.sh"], "`sh -c`"),
        (&["sh", "-ce", "tools/check.sh"], "`sh -ce`"),
        (&["sh"], "called without a script"),
        (&["sh", "tools/gone.sh"], "not a file inside"),
        (&["sh", "tools/out.sh"], "not a file inside"),
        (&["sh", "../outside.sh"], "not a file inside"),
        (&["bin/sh", "-c", "x"], "interpreter inside the repository"),
        (&["make", "hook"], "the files that `make` loads are not known"),
        (&["npm", "run", "hook"], "the files that `npm` loads are not known"),
        (&["npx", "x"], "the files that `npx` loads are not known"),
        (&["just", "x"], "the files that `just` loads are not known"),
        (&["cargo", "run"], "the files that `cargo` loads are not known"),
        (&["go", "run", "./tools"], "the files that `go` loads are not known"),
        (&["env", "sh", "tools/check.sh"], "the files that `env` loads are not known"),
        (&["top"], "the files that `top` loads are not known"),
        (&["/usr/bin/make", "hook"], "not a file inside"),
        (&["eval", "sh", "tools/check.sh"], "the files that `eval` loads are not known"),
        (&[".", "tools/check.sh"], "the files that `.` loads are not known"),
    ] {
        covers_nothing(&program(words), reason);
    }
}
