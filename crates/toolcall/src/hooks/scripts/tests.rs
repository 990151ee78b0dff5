use super::super::HookKind;
use super::super::file::Contents;
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

fn rules(command: &str) -> Vec<Rule> {
    let text = serde_json::json!([{"hooks": [{"command": command, "enabled": true}]}]).to_string();
    Contents::parse(HookKind::BeforeToolCall, &text).unwrap().rules
}

#[track_caller]
fn check(command: &str, expected: &[&str]) {
    let (_folder, root) = repository(&["tools/check.sh", "tools/a b.sh", "top"]);
    let named: Vec<String> = named_in(&rules(command), &root)
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
    let rules = rules("tools/check.sh tools/later.sh");
    let first = content_hash("text", &rules, &root);
    assert_eq!(content_hash("text", &rules, &root), first);
    assert_ne!(content_hash("text ", &rules, &root), first);
    fs::write(root.join("tools/check.sh"), "two").unwrap();
    let second = content_hash("text", &rules, &root);
    assert_ne!(second, first);
    fs::write(root.join("tools/later.sh"), "").unwrap();
    assert_ne!(content_hash("text", &rules, &root), second);
}
