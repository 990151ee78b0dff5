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
    symlink("/proc/self/cwd/tools/check.sh", root.join("tools/cwd.sh")).unwrap();
    symlink("../bin", root.join("tools/folder")).unwrap();
    (folder, root)
}

#[track_caller]
fn covers(command: &WrittenCommand, expected: Option<&str>) {
    let (_folder, root) = repository();
    let script = command.script(&root).map(|script| script.map(|script| script.path));
    assert_eq!(script, Ok(expected.map(|file| root.join(file))), "{command:?}");
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

#[test]
fn a54_a_word_before_the_script_is_never_a_file_if_it_may_be_an_option() {
    let (_folder, root) = repository();
    for name in ["+c", "+ec", "inspect"] {
        fs::write(root.join(name), "one").unwrap();
    }
    for (words, reason) in [
        (&["sh", "+c", "sh tools/*.sh"][..], "`sh +c`"),
        (&["bash", "-e", "+ec", "make"], "`bash +ec`"),
        (&["zsh", "+x", "tools/check.sh"], "`zsh +x`"),
        (&["node", "inspect", "tools/x"], "`node inspect`"),
    ] {
        let said = program(words).script(&root).unwrap_err();
        assert!(said.contains(reason), "{words:?}: {said}");
    }
    assert!(shell("sh +c 'sh tools/*.sh'").script(&root).is_err());
    let script = program(&["sh", "./+c"]).script(&root).unwrap().unwrap();
    assert_eq!(script.path, root.join("+c"));
}

#[test]
fn a54_white_space_that_no_shell_separates_words_at_is_not_covered() {
    let (_folder, root) = repository();
    for blank in ['\u{a0}', '\u{3000}', '\u{2028}', '\u{85}', '\r', '\u{b}', '\u{c}', '\u{1b}'] {
        for text in [format!("tools/check.sh{blank}"), format!("{blank}tools/check.sh")] {
            let path = root.join(&text);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "two").unwrap();
            let quoted = format!("sh '{text}'");
            for command in [shell(&text), shell(&format!("sh {text}")), shell(&quoted)] {
                let said = command.script(&root).unwrap_err();
                assert!(said.contains("control or blank character"), "{command:?}: {said}");
            }
            assert!(program(&["sh", &text]).script(&root).is_err(), "{text:?}");
        }
    }
    covers(&shell(" \t\nsh\ttools/check.sh\n "), Some("tools/check.sh"));
}

#[test]
fn a54_a_path_that_depends_on_the_process_is_not_covered() {
    for words in [
        &["/proc/self/cwd/bin/sh", "tools/check.sh"][..],
        &["sh", "/proc/self/cwd/tools/check.sh"],
        &["/proc/self/cwd/tools/check.sh"],
        &["sh", "/dev/stdin"],
        &["sh", "/dev/fd/0"],
        &["sh", "tools/cwd.sh"],
        &["tools/cwd.sh"],
        &["sh", "tools/check.sh", "/proc/self/cwd/top"],
    ] {
        covers_nothing(&program(words), "/proc or /dev");
    }
    covers(&program(&["sh", "tools/check.sh", "/dev/null"]), Some("tools/check.sh"));
}

#[test]
fn a54_a_path_that_programs_resolve_differently_is_not_covered() {
    let (_folder, root) = repository();
    let own = root.join("bin/sh").display().to_string();
    covers_nothing(&program(&["node", "tools/folder/../top"]), "contains `..`");
    covers_nothing(&program(&["../repository/bin/sh", "top"]), "interpreter inside the repository");
    assert!(program(&[&own, "top"]).script(&root).is_err());
    covers_nothing(&program(&["/nowhere/sh", "top"]), "does not exist");
}

#[test]
fn a54_an_interpreter_of_the_enclosing_work_tree_is_not_covered() {
    let (_folder, root) = repository();
    for folder in [".git/objects", ".git/refs", "part/tools"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    fs::write(root.join(".git/HEAD"), "").unwrap();
    fs::write(root.join("part/tools/check.sh"), "").unwrap();
    let own = root.join("bin/sh").display().to_string();
    let said = program(&[&own, "tools/check.sh"]).script(&root.join("part")).unwrap_err();
    assert!(said.contains("interpreter inside the repository"), "{said}");
}

#[test]
fn a54_arguments_that_a_shell_evaluates_are_not_covered() {
    covers_nothing(&shell("printf -v 'x[$(sh tools/*.sh)]' y"), "`printf` may evaluate");
    covers_nothing(&shell("exit 'x[`make`]'"), "`exit` may evaluate");
    covers(&shell("printf '%s\n' 'careful, now'"), None);
    covers(&shell("sh tools/check.sh '$(make)'"), Some("tools/check.sh"));
}
