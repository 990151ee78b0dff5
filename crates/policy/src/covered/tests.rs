use std::fs;
use std::os::unix::fs::symlink;

use super::*;

fn repository(files: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for file in files {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "one").unwrap();
    }
    (folder, root)
}

fn one(command: &str) -> Vec<WrittenCommand> {
    vec![WrittenCommand::Shell(command.to_owned())]
}

#[track_caller]
fn check(command: &str, expected: &[&str]) {
    let (_folder, root) = repository(&["tools/check.sh", "tools/a b.sh", "top"]);
    let named: Vec<String> = named_files(&one(command), &root)
        .iter()
        .map(|path| path.strip_prefix(&root).unwrap().display().to_string())
        .collect();
    assert_eq!(named, expected, "{command}");
}

#[test]
fn a54_the_scripts_a_command_names_are_covered() {
    check("tools/check.sh --fast", &["tools/check.sh"]);
    check("sh ./tools/check.sh;./top", &["tools/check.sh", "top"]);
    check("cd tools && ./check.sh", &["tools/check.sh"]);
    check("\"$SNOW_CWD/tools/check.sh\"", &["tools/check.sh"]);
    check("sh '${ADJUTANT_ROOT}/tools/a b.sh'", &["tools/a b.sh"]);
    check("X=tools/check.sh; sh $X", &["tools/check.sh"]);
    check("python3 -c 'print(1)'", &[]);
    check("cat /etc/passwd ../elsewhere", &[]);
}

#[test]
fn a54_the_hash_changes_with_the_file_and_with_each_script() {
    let (_folder, root) = repository(&["tools/check.sh"]);
    let commands = one("tools/check.sh tools/later.sh");
    let hash = |text: &str| covered_content(text, &commands, &root).unwrap();
    let first = hash("text");
    assert_eq!(hash("text"), first);
    assert_ne!(hash("text "), first);
    fs::write(root.join("tools/check.sh"), "two").unwrap();
    let second = hash("text");
    assert_ne!(second, first);
    fs::write(root.join("tools/later.sh"), "").unwrap();
    assert_ne!(hash("text"), second);
}

#[test]
fn a54_the_last_byte_of_a_large_script_is_covered() {
    let (_folder, root) = repository(&["large.sh"]);
    let mut script = b"exit 0\n".to_vec();
    script.resize(9 * 1024 * 1024, b'#');
    let hash = |script: &[u8]| {
        fs::write(root.join("large.sh"), script).unwrap();
        covered_content("", &one("sh large.sh"), &root).unwrap()
    };
    let first = hash(&script);
    *script.last_mut().unwrap() = b'!';
    assert_ne!(hash(&script), first);
}

#[test]
fn a54_scripts_too_large_to_hash_are_refused_by_name() {
    let (_folder, root) = repository(&["huge", "other"]);
    let grow = |name: &str, length| {
        let file = fs::File::options().write(true).open(root.join(name)).unwrap();
        file.set_len(length).unwrap();
    };
    grow("huge", MAX_SCRIPT_BYTES + 1);
    let refused = covered_content("", &one("./huge"), &root).unwrap_err().to_string();
    assert_eq!(refused, "trust cannot cover `huge`: the scripts have more than 33554432 bytes");
    grow("huge", MAX_SCRIPT_BYTES / 2 + 1);
    covered_content("", &one("./huge"), &root).unwrap();
    grow("other", MAX_SCRIPT_BYTES / 2);
    let refused = covered_content("", &one("./huge other"), &root).unwrap_err();
    assert_eq!(refused.path, Path::new("other"));
}

#[test]
fn a54_the_hash_changes_if_a_command_is_no_longer_covered() {
    let (_folder, root) = repository(&["tools/check.sh"]);
    let outside = tempfile::tempdir().unwrap();
    let shell = outside.path().join("sh");
    symlink("/bin/sh", &shell).unwrap();
    let commands = one(&format!("{} tools/check.sh", shell.display()));
    assert!(uncovered_commands(&commands, &root).is_empty());
    let covered = covered_content("", &commands, &root).unwrap();
    fs::remove_file(&shell).unwrap();
    assert_eq!(uncovered_commands(&commands, &root).len(), 1);
    assert_ne!(covered_content("", &commands, &root).unwrap(), covered);
}
