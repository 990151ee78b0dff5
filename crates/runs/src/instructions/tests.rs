use super::*;
use crate::request::RunRequest;
use std::fs;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("docs/a.md", "A");
    write("docs/deep/b.markdown", "B");
    write("docs/deep/c.txt", "C");
    write("list.txt", "# comment\ndocs/*.md\n\ndocs/deep\n");
    write("base.md", "the base");
    folder
}

fn composed(request: &RunRequest) -> Result<String, InstructionError> {
    composed_with(request, SourceContext::default())
}

fn composed_with(request: &RunRequest, context: SourceContext) -> Result<String, InstructionError> {
    let folder = folder();
    let context = SourceContext {
        directory: folder.path().to_owned(),
        stdin: Some("from stdin".to_owned()),
        now: "2026-01-02T03:04:05Z".to_owned(),
        ..context
    };
    let sections = read_sources(request, &context)?;
    Ok(Instructions::compose(&sections, &context.now).text)
}

fn kinds(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("<instructions-section ") {
            found.push(rest.trim_end_matches('>').to_owned());
        }
    }
    found
}

fn files(named: &[&str]) -> RunRequest {
    let pieces = named.iter().map(|name| Piece::File((*name).to_owned())).collect();
    RunRequest { pieces, ..RunRequest::default() }
}

#[test]
fn c6_sections_have_the_published_order() {
    let request = RunRequest {
        prepend_file: vec!["docs/a.md".into()],
        prepend: vec!["before".to_owned()],
        pieces: vec![Piece::Text("do it".to_owned()), Piece::File("docs/a.md".to_owned())],
        append_file: vec!["docs/a.md".into()],
        append: vec!["after".to_owned()],
        patch_mode: true,
        ..RunRequest::default()
    };
    let context = SourceContext {
        base: Base::Override("base.md".to_owned()),
        briefing: Some("evidence".to_owned()),
        ..SourceContext::default()
    };
    let text = composed_with(&request, context).unwrap();
    assert_eq!(
        kinds(&text),
        [
            "type=\"context\" source=\"adjutant\"",
            "type=\"prepend-file\" path=\"docs/a.md\"",
            "type=\"prepend-text\"",
            "type=\"base\" source=\"override-file\" path=\"base.md\"",
            "type=\"text\"",
            "type=\"file\" path=\"docs/a.md\"",
            "type=\"append-file\" path=\"docs/a.md\"",
            "type=\"append-text\"",
            "type=\"policy-note\"",
        ]
    );
    assert!(text.starts_with(
        "<user-instructions>\n[2026-01-02T03:04:05Z] Composed instructions:\n\n<instructions-section"
    ));
    let end = text.find("</user-instructions>").unwrap();
    assert!(text.find("policy-note").unwrap() > end, "the note is outside");
}

#[test]
fn c8_files_folders_patterns_lists_and_stdin() {
    let check = |named: &str, expected: &[&str]| {
        let text = composed(&files(&[named])).unwrap();
        let found: Vec<String> = kinds(&text)
            .into_iter()
            .filter_map(|kind| kind.strip_prefix("type=\"file\" path=").map(str::to_owned))
            .map(|path| path.trim_matches('"').to_owned())
            .collect();
        assert_eq!(found, expected, "{named}");
    };
    check("docs/a.md", &["docs/a.md"]);
    check("docs", &["docs/a.md", "docs/deep/b.markdown"]);
    check("docs/*.md", &["docs/a.md"]);
    check("docs/**/*.{md,markdown}", &["docs/a.md", "docs/deep/b.markdown"]);
    check("@list.txt", &["docs/a.md", "docs/deep/b.markdown"]);
    check("-", &["-"]);
}

#[test]
fn c8_errors_name_the_file_that_cannot_be_read() {
    let error = |named: &[&str]| composed(&files(named)).unwrap_err().to_string();
    assert!(error(&["docs/technical/*.md"]).contains("文件不存在: docs/technical/*.md"));
    assert!(error(&["nope.md"]).contains("nope.md"));
    assert!(error(&["@nope.txt"]).contains("nope.txt"));
    assert!(error(&["-", "-"]).contains("once"));
    let pieces = vec![Piece::Folder("docs/none".into())];
    let folder = RunRequest { pieces, ..RunRequest::default() };
    assert!(composed(&folder).unwrap_err().to_string().contains("docs/none"));
}

#[test]
fn the_title_is_the_first_line_of_the_task() {
    let context = SourceContext::default();
    let request = RunRequest {
        prepend: vec!["\n# Fix the parser\nbody".to_owned()],
        ..RunRequest::default()
    };
    let sections = read_sources(&request, &context).unwrap();
    assert_eq!(Instructions::compose(&sections, "now").title, "Fix the parser");
}

/// Creates a repository with a FIFO and with links to a secret outside the repository.
fn with_links() -> (tempfile::TempDir, tempfile::TempDir) {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.md"), "OUTSIDE").unwrap();
    let folder = folder();
    let link = |target: &std::path::Path, name: &str| {
        std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
    };
    link(outside.path(), "link");
    link(&outside.path().join("secret.md"), "docs/z.md");
    link(std::path::Path::new("/dev/zero"), "docs/zero.md");
    link(std::path::Path::new("a.md"), "docs/near.md");
    testkit::Launch::new("mkfifo", folder.path()).argument("docs/fifo.md").run().expect_success();
    (folder, outside)
}

fn read_confined(
    folder: &std::path::Path,
    named: &str,
    is_confined: bool,
) -> Result<SourcesRead, InstructionError> {
    let folder = folder.canonicalize().unwrap();
    let context = SourceContext {
        confined_to: is_confined.then(|| folder.clone()),
        directory: folder,
        ..SourceContext::default()
    };
    read_sources(&files(&[named]), &context)
}

#[test]
fn a50_every_match_of_a_pattern_or_folder_stays_in_the_repository() {
    let (folder, _outside) = with_links();
    for is_confined in [true, false] {
        for named in ["docs/*.md", "**/*.md", "docs", "docs/[a-z]*.md"] {
            let read = read_confined(folder.path(), named, is_confined).unwrap();
            let told = Instructions::compose(&read, "now");
            assert!(told.text.contains("path=\"docs/a.md\"") && told.text.contains("docs/near.md"));
            assert!(!told.text.contains("OUTSIDE"), "{named}: {}", told.text);
            let left_out = told.left_out.join("\n");
            for file in ["docs/z.md (it leads out", "docs/zero.md (", "docs/fifo.md (it is not a"] {
                assert!(left_out.contains(file), "{named}: {left_out}");
            }
        }
    }
}

#[test]
fn a50_a_model_cannot_name_a_file_outside_the_repository() {
    let (folder, outside) = with_links();
    let secret = outside.path().join("secret.md");
    for named in [
        "link/*.md",
        "link",
        "link/secret.md",
        "docs/z.md",
        "docs/zero.md",
        secret.to_str().unwrap(),
    ] {
        let refused = read_confined(folder.path(), named, true);
        assert!(matches!(refused, Err(InstructionError::Outside { .. })), "{named}: {refused:?}");
    }
    let refused = read_confined(folder.path(), "docs/fifo.md", true);
    assert!(matches!(refused, Err(InstructionError::NotAFile(_))), "{refused:?}");
    let refused = read_confined(folder.path(), "docs/z*.md", true);
    assert!(matches!(refused, Err(InstructionError::AllLeftOut { .. })), "{refused:?}");
    // A person can name a file outside the repository.
    assert!(read_confined(folder.path(), "link/secret.md", false).is_ok());
    // Reading an endless file stops at the maximum size.
    let refused = read_confined(folder.path(), "docs/zero.md", false);
    assert!(matches!(refused, Err(InstructionError::TooLarge(_))), "{refused:?}");
}
