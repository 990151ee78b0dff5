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
