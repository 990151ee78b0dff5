use std::fs;

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
    vec![vec![command.to_owned()]]
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
    let first = covered_content("text", &commands, &root);
    assert_eq!(covered_content("text", &commands, &root), first);
    assert_ne!(covered_content("text ", &commands, &root), first);
    fs::write(root.join("tools/check.sh"), "two").unwrap();
    let second = covered_content("text", &commands, &root);
    assert_ne!(second, first);
    fs::write(root.join("tools/later.sh"), "").unwrap();
    assert_ne!(covered_content("text", &commands, &root), second);
}

#[test]
fn a54_a_script_too_large_to_read_is_hashed_by_its_beginning_and_length() {
    let (_folder, root) = repository(&["huge"]);
    let grow =
        |length| File::options().write(true).open(root.join("huge")).unwrap().set_len(length);
    grow(1 << 36).unwrap();
    let first = covered_content("", &one("huge"), &root);
    grow((1 << 36) + 1).unwrap();
    assert_ne!(covered_content("", &one("huge"), &root), first);
}
