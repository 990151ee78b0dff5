use super::*;

fn repository() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for part in [".git/objects", ".git/refs", "services/api"] {
        fs::create_dir_all(directory.path().join(part)).unwrap();
    }
    fs::write(directory.path().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    directory
}

fn no_environment(_: &str) -> Option<String> {
    None
}

#[test]
fn a14_a_subdirectory_resolves_to_the_top_of_the_work_tree() {
    let repository = repository();
    let top = repository.path().canonicalize().unwrap();
    let root = resolve_root(&no_environment, &top.join("services/api")).unwrap();
    assert_eq!(root, RepositoryRoot { path: top, source: RepoRootSource::Git });
}

#[test]
fn a14_without_git_the_working_directory_is_the_root() {
    let directory = tempfile::tempdir().unwrap();
    let root = resolve_root(&no_environment, directory.path()).unwrap();
    assert_eq!(root.source, RepoRootSource::NoGitRoot);
}

#[test]
fn a14_the_environment_overrides_the_root() {
    let repository = repository();
    let part = repository.path().canonicalize().unwrap().join("services");
    let lookup = |name: &str| (name == "CI_AUTO_TOOLS_REPO_ROOT").then(|| "services".to_owned());
    let root = resolve_root(&lookup, repository.path()).unwrap();
    assert_eq!(root, RepositoryRoot { path: part, source: RepoRootSource::Env });
}

#[test]
fn a14_the_root_can_be_a_part_but_not_outside_the_repository() {
    let repository = repository();
    let narrowed = |wanted: &str| {
        let root = resolve_root(&no_environment, repository.path()).unwrap();
        root.narrowed(&ConfigFile { repo_root: Some(wanted.into()), ..ConfigFile::default() })
    };
    let part = narrowed("services/api").unwrap();
    assert_eq!((part.source, part.path.ends_with("services/api")), (RepoRootSource::Config, true));
    assert_eq!(
        narrowed("..").unwrap_err().to_string(),
        "config/auto-tools.yaml: `repo_root: ..` leads out of the repository"
    );
    assert!(matches!(narrowed("/etc").unwrap_err(), RootError::Outside { .. }));
    assert!(matches!(narrowed("missing").unwrap_err(), RootError::Unusable { .. }));
}

#[test]
fn a_missing_directory_is_named_in_the_error() {
    let error = resolve_root(&no_environment, Path::new("/no/such/place")).unwrap_err().to_string();
    assert!(
        error.starts_with("working directory: `/no/such/place` is not a readable directory"),
        "{error}"
    );
}

#[test]
fn inside_a_git_directory_there_is_no_work_tree() {
    let repository = repository();
    assert_eq!(find_git_top(&repository.path().join(".git/refs")), None);
}

/// Creates a git directory with the entries by which git recognises one.
fn git_directory(path: &Path) {
    fs::create_dir_all(path.join("objects")).unwrap();
    fs::create_dir_all(path.join("refs")).unwrap();
    fs::create_dir_all(path.join("hooks")).unwrap();
    fs::write(path.join("HEAD"), "ref: refs/heads/main\n").unwrap();
}

fn protected(root: &Path, relative: &str) -> Option<String> {
    let directory = root.join(relative);
    fs::create_dir_all(&directory).unwrap();
    let found = protected_around(&directory, root)?;
    Some(found.strip_prefix(root).unwrap().display().to_string())
}

#[test]
fn c4_directories_that_configure_git_and_agents_are_protected() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    git_directory(&root.join(".git"));
    git_directory(&root.join("lib/bare"));
    git_directory(&root.join("sub/.git"));
    fs::create_dir_all(root.join("moved")).unwrap();
    fs::write(root.join("moved/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(root.join("moved/commondir"), "../.git\n").unwrap();
    for (directory, expected) in [
        ("", None),
        ("docs", None),
        ("sub", None),
        ("lib", None),
        (".github/workflows", None),
        (".git", Some(".git")),
        (".git/hooks", Some(".git")),
        (".git/modules/x", Some(".git")),
        ("lib/bare", Some("lib/bare")),
        ("lib/bare/hooks", Some("lib/bare")),
        ("sub/.git", Some("sub/.git")),
        ("moved", Some("moved")),
        ("damaged/.git/hooks", Some("damaged/.git")),
        (".codex", Some(".codex")),
        ("docs/.codex/skills/a", Some("docs/.codex")),
        (".agents/skills", Some(".agents")),
        (".CLAUDE", Some(".CLAUDE")),
        (".claude/worktrees/one/src", Some(".claude")),
    ] {
        assert_eq!(protected(&root, directory).as_deref(), expected, "{directory}");
    }
}

#[test]
fn c4_the_root_that_the_user_chose_may_have_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let outer = folder.path().canonicalize().unwrap();
    let root = outer.join(".claude/worktrees/one");
    fs::create_dir_all(&root).unwrap();
    fs::write(root.join(".git"), "gitdir: /elsewhere\n").unwrap();
    assert_eq!(protected(&root, "src"), None);
    assert_eq!(protected(&root, ".claude").as_deref(), Some(".claude"));
    let bare = outer.join("bare");
    git_directory(&bare);
    assert_eq!(protected_around(&bare, &bare), Some(bare.as_path()));
    assert_eq!(protected_around(&bare.join("hooks"), &bare.join("hooks")), Some(bare.as_path()));
    let work_tree = bare.join("main");
    fs::create_dir_all(&work_tree).unwrap();
    fs::write(work_tree.join(".git"), "gitdir: /elsewhere\n").unwrap();
    assert_eq!(protected_around(&work_tree, &work_tree), None);
}
