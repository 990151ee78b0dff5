use std::fs;

use super::*;

/// A repository whose configuration names a program in every setting that accepts one.
struct Hostile {
    folder: tempfile::TempDir,
}

fn environment() -> Environment {
    Environment::new(std::env::vars_os())
        .with("GIT_CONFIG_GLOBAL", "/dev/null")
        .with("GIT_CONFIG_NOSYSTEM", "1")
}

impl Hostile {
    fn new() -> Self {
        let hostile = Self { folder: tempfile::tempdir().unwrap() };
        hostile.plain(&["init", "--quiet", "--initial-branch=main"]);
        hostile.write("a.txt", "one\n");
        hostile.write(".gitattributes", "*.txt filter=evil diff=evil\n");
        hostile.plain(&["add", "--all"]);
        hostile.plain(&["-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "one"]);
        let marker = hostile.marker();
        let run = format!("sh -c 'touch \"{}\"; cat'", marker.display());
        let keys = [
            "core.fsmonitor",
            "core.pager",
            "core.sshCommand",
            "diff.external",
            "diff.evil.command",
            "diff.evil.textconv",
            "filter.evil.clean",
            "filter.evil.smudge",
            "filter.evil.process",
            "gpg.program",
            "gc.recentObjectsHook",
            "alias.status",
        ];
        for key in keys {
            hostile.plain(&["config", key, &run]);
        }
        for key in ["commit.gpgSign", "log.showSignature", "filter.evil.required"] {
            hostile.plain(&["config", key, "true"]);
        }
        let hooks = hostile.folder.path().join("hooks");
        fs::create_dir(&hooks).unwrap();
        for name in ["pre-commit", "post-commit", "post-index-change", "reference-transaction"] {
            let script = hooks.join(name);
            // A child process writes the file: if it were open for writing here while another test forks, it could not be
            // executed.
            let write = "cat > \"$0\" && chmod 755 \"$0\"";
            let writer = Program::new("/bin/sh", environment()).arguments(["-c", write]);
            let text = format!("#!/bin/sh\ntouch \"{}\"\n", marker.display());
            finish(&writer.arguments([script]).stdin(text)).unwrap();
        }
        hostile.plain(&["config", "core.hooksPath", hooks.to_str().unwrap()]);
        hostile.write("a.txt", "two\n");
        hostile
    }

    fn marker(&self) -> PathBuf {
        self.folder.path().join("marker")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    /// Runs git without protection and returns whether it succeeded.
    fn plain(&self, arguments: &[&str]) -> bool {
        let program =
            Program::new("git", environment()).directory(self.folder.path()).arguments(arguments);
        finish(&program).is_some()
    }

    fn ask(&self, arguments: &[&str]) -> Option<String> {
        let git = Git::new(&environment(), self.folder.path()).without_filters()?;
        finish(&git.command(arguments.iter().copied()))
    }
}

fn finish(program: &Program) -> Option<String> {
    let bounds = Bounds {
        deadline: Instant::now() + Duration::from_secs(60),
        stdout_bytes: 65536,
        stderr_bytes: 65536,
    };
    let finished = run(program, &bounds).unwrap();
    (finished.end == End::Exited(0)).then(|| finished.stdout.text().into_owned())
}

#[test]
fn a54_git_without_protection_runs_programs_of_the_repository() {
    let hostile = Hostile::new();
    hostile.plain(&["status"]);
    assert!(hostile.marker().exists());
}

#[test]
fn a54_no_git_command_runs_a_program_of_the_repository() {
    let hostile = Hostile::new();
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-two\n+three\n";
    let status = hostile.ask(&["status", "--porcelain=v1", "--ignore-submodules=dirty"]).unwrap();
    assert!(status.contains(" M a.txt"), "{status}");
    assert!(hostile.ask(&["log", "--name-only", "--format=%s"]).unwrap().contains("a.txt"));
    assert_eq!(hostile.ask(&["diff", "--name-only", "HEAD"]).unwrap(), "a.txt\n");
    assert!(hostile.ask(&["rev-parse", "--verify", "HEAD"]).is_some());
    let git = Git::new(&environment(), hostile.folder.path()).without_filters().unwrap();
    assert!(finish(&git.command(["apply", "--check", "-"]).stdin(diff)).is_some());
    assert!(!hostile.marker().exists());
}

#[test]
fn a54_a_commit_runs_no_hook_and_no_signing_program() {
    let hostile = Hostile::new();
    for key in ["clean", "smudge", "process", "required"] {
        hostile.plain(&["config", "--unset", &format!("filter.evil.{key}")]);
    }
    let git = Git::new(&environment(), hostile.folder.path());
    let who = ["-c", "user.name=x", "-c", "user.email=x"];
    assert!(finish(&git.command(["add", "--all"])).is_some());
    let commit = who.into_iter().chain(["commit", "--quiet", "--message", "two"]);
    assert!(finish(&git.command(commit)).is_some());
    assert!(!hostile.marker().exists());
}

/// The user's configuration defines the filter, and the repository names the program that the filter runs.
#[test]
fn a54_an_extension_of_a_users_filter_is_disabled() {
    let hostile = Hostile::new();
    hostile.plain(&["config", "lfs.extension.evil.clean", "touch marker"]);
    let git = Git::new(&environment(), hostile.folder.path()).for_work_tree().unwrap();
    let asked = git.command(["config", "--get", "lfs.extension.evil.clean"]);
    assert_eq!(finish(&asked).unwrap(), "\n");
    assert!(git.is_switched_off(b"evil") && !git.is_switched_off(b"lfs"));
}

#[test]
fn a54_a_merge_driver_of_the_repository_reports_a_conflict_and_is_not_run() {
    let hostile = Hostile::new();
    for key in ["clean", "smudge", "process", "required"] {
        hostile.plain(&["config", "--unset", &format!("filter.evil.{key}")]);
    }
    hostile.plain(&["config", "core.fsmonitor", "false"]);
    hostile.plain(&["config", "core.hooksPath", "/dev/null"]);
    hostile.plain(&["config", "merge.evil.driver", "touch marker"]);
    let commit =
        ["-c", "user.name=x", "-c", "user.email=x", "-c", "commit.gpgSign=false", "commit", "-qam"];
    for (branch, text) in [("left", "two\n"), ("right", "three\n")] {
        assert!(hostile.plain(&["checkout", "--quiet", "-B", branch, "main"]));
        hostile.write("a.txt", text);
        hostile.write(".gitattributes", "*.txt merge=evil\n");
        assert!(hostile.plain(&[&commit[..], &[branch]].concat()));
    }
    fs::remove_file(hostile.marker()).ok();
    let merge = ["merge-tree", "--write-tree", "left", "right"];
    assert_eq!(hostile.ask(&merge), None, "a conflict");
    assert!(!hostile.marker().exists());
    hostile.plain(&merge);
    assert!(hostile.marker().exists(), "the trap is set");
}

#[test]
fn a_partial_clone_fetches_nothing() {
    let hostile = Hostile::new();
    let marker = hostile.marker();
    // git runs the command in the repository, so the marker has a relative path. An absolute path might need quotes.
    for (key, value) in [
        ("remote.origin.url", "ext::sh -c touch% marker"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.partialclonefilter", "blob:none"),
        ("extensions.partialClone", "origin"),
        ("protocol.ext.allow", "always"),
        ("core.repositoryFormatVersion", "1"),
    ] {
        hostile.plain(&["config", key, value]);
    }
    let missing = "0123456789012345678901234567890123456789";
    assert_eq!(hostile.ask(&["cat-file", "-p", missing]), None);
    assert!(!marker.exists());
    hostile.plain(&["cat-file", "-p", missing]);
    assert!(marker.exists());
}

#[test]
fn a54_if_the_filters_are_unknown_git_does_not_read_the_work_tree() {
    let hostile = Hostile::new();
    let config = hostile.folder.path().join(".git/config");
    fs::write(&config, "[broken").unwrap();
    assert_eq!(hostile.ask(&["status"]), None);
    let missing = Git::new(&environment(), hostile.folder.path()).by("/nowhere/git");
    assert!(missing.without_filters().is_none());
    assert!(!hostile.marker().exists());
}

/// The names contain the characters that a shell or a `key=value` parser could misinterpret.
#[test]
fn a54_a_filter_with_an_unusual_name_is_disabled() {
    let hostile = Hostile::new();
    let run = "sh -c 'touch marker && cat'";
    let config = hostile.folder.path().join(".git/config");
    for name in [&b"a=b"[..], b"a.b", b"\xff", "ü".as_bytes(), b"$x"] {
        let filter =
            [b"[filter \"", name, b"\"]\n\trequired = true\n\tclean = ", run.as_bytes(), b"\n"];
        let text = [fs::read(&config).unwrap(), filter.concat()].concat();
        fs::write(&config, text).unwrap();
        let attributes = [b"*.txt filter=", name, b"\n"].concat();
        fs::write(hostile.folder.path().join(".gitattributes"), attributes).unwrap();
        // Has the same length as the committed text, so git must compare the content to detect the change.
        hostile.write("a.txt", "two\n");
        assert!(hostile.ask(&["status", "--porcelain"]).is_some(), "{name:?}");
        assert!(!hostile.marker().exists(), "{name:?}");
        let alone = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "status"];
        hostile.plain(&alone);
        assert!(hostile.marker().exists(), "unprotected git does not run {name:?} either");
        fs::remove_file(hostile.marker()).unwrap();
    }
}

/// The programs of the nested repository would be started if git entered it. The repository overrides the setting
/// `diff.ignoreSubmodules` for this submodule.
#[test]
fn a54_no_git_command_enters_a_nested_repository() {
    let hostile = Hostile::new();
    let top = Hostile { folder: tempfile::tempdir().unwrap() };
    let sub = top.folder.path().join("sub");
    assert!(top.plain(&["init", "--quiet", "--initial-branch=main"]));
    fs::rename(hostile.folder.path(), &sub).unwrap();
    let marker = hostile.marker();
    fs::create_dir(hostile.folder.path()).unwrap();
    assert!(top.plain(&["-c", "core.fsmonitor=false", "add", "--all"]));
    let who = ["-c", "user.name=x", "-c", "user.email=x"];
    assert!(top.plain(&[&who[..], &["commit", "--quiet", "--message", "one"]].concat()));
    for (key, value) in [
        ("submodule.sub.path", "sub"),
        ("submodule.sub.ignore", "none"),
        ("diff.submodule", "diff"),
        ("status.submoduleSummary", "true"),
        ("submodule.recurse", "true"),
    ] {
        assert!(top.plain(&["config", key, value]));
    }
    let text = "[submodule \"sub\"]\n\tpath = sub\n\turl = x\n\tignore = none\n";
    top.write(".gitmodules", text);
    fs::write(sub.join("a.txt"), "six\n").unwrap();
    fs::remove_file(&marker).ok();
    let git = Git::new(&environment(), top.folder.path()).for_work_tree().unwrap();
    for arguments in [
        &["status", "--porcelain=v1", "--untracked-files=all"][..],
        &["status"],
        &["diff", "HEAD"],
        &["diff", "--cached", "HEAD"],
        &["ls-files", "--others", "--exclude-standard"],
        &["ls-files", "--stage"],
        &["update-index", "--add", "--replace", "--remove", ".gitmodules"],
        &["write-tree"],
    ] {
        assert!(finish(&git.command(arguments)).is_some(), "{arguments:?}");
        assert!(!marker.exists(), "{arguments:?}");
    }
    top.plain(&["diff", "HEAD"]);
    assert!(marker.exists(), "the trap is not set");
}

#[test]
fn a54_variables_that_redirect_git_are_removed() {
    let changed = [
        "GIT_CONFIG",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_COMMON_DIR",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_NAMESPACE",
        "GIT_EXTERNAL_DIFF",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_ASKPASS",
        "GIT_EXEC_PATH",
        "GIT_EDITOR",
        "GIT_PAGER",
        "GIT_PROXY_COMMAND",
        "GIT_TRACE",
        "GIT_TEMPLATE_DIR",
    ];
    let all = changed.iter().fold(environment(), |all, name| all.with(name, "/nowhere"));
    let all = all.with("GIT_AUTHOR_NAME", "x").with("GIT_CONFIG_COUNT", "0");
    let git = Git::new(&all, Path::new("/"));
    let kept: Vec<&str> = git.environment.names().collect();
    assert!(changed.iter().all(|name| !kept.contains(name)), "{kept:?}");
    for name in ["GIT_AUTHOR_NAME", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL"] {
        assert!(kept.contains(&name), "{name}");
    }
}

#[test]
fn c8_the_null_device_is_not_a_blocking_file() {
    let hostile = Hostile::new();
    hostile.plain(&["config", "core.excludesFile", "/dev/null"]);
    let git = Git::new(&environment(), hostile.folder.path());
    assert!(git.clone().for_work_tree().is_ok());
    hostile.plain(&["config", "core.excludesFile", "/dev/zero"]);
    assert!(matches!(git.for_work_tree(), Err(WorkTreeProblem::BlockingFile(_))));
}

// rustix cannot create pipes on macOS.
#[cfg(target_os = "linux")]
fn make_pipe(path: &Path) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let _absent = fs::remove_file(path);
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
}

/// Git would wait for the pipe, and would read a device without end.
#[cfg(target_os = "linux")]
#[test]
fn a50_git_opens_no_file_that_the_configuration_names() {
    for key in [
        "diff.orderFile",
        "core.attributesFile",
        "core.excludesFile",
        "mailmap.file",
        "commit.template",
        "blame.ignoreRevsFile",
    ] {
        let hostile = Hostile::new();
        let pipe = hostile.folder.path().join("pipe");
        make_pipe(&pipe);
        hostile.plain(&["config", key, pipe.to_str().unwrap()]);
        let git = Git::new(&environment(), hostile.folder.path());
        for arguments in [
            &["log", "--name-only", "--format=%s"][..],
            &["diff", "--no-ext-diff", "--no-textconv", "HEAD", "HEAD"],
            &["ls-files", "--cached"],
            &["rev-parse", "HEAD"],
        ] {
            assert!(finish(&git.command(arguments)).is_some(), "{key}: {arguments:?}");
        }
        let is_checked = ["core.attributesFile", "core.excludesFile"].contains(&key);
        match git.for_work_tree() {
            Ok(git) => {
                assert!(!is_checked, "{key}");
                assert!(finish(&git.command(["status"])).is_some(), "{key}");
            }
            Err(problem) => {
                assert!(is_checked, "{key}: {problem}");
                assert_eq!(problem, WorkTreeProblem::BlockingFile(pipe));
            }
        }
    }
}

#[test]
fn a50_a_device_among_the_files_of_git_is_found_before_git_is_started() {
    for name in [
        "HEAD",
        "index",
        "packed-refs",
        "refs/heads/main",
        "refs/heads/deep/main",
        "info/grafts",
        "objects/info/alternates",
        "objects/pack/x.idx",
        "worktrees/x/HEAD",
    ] {
        let hostile = Hostile::new();
        let path = hostile.folder.path().canonicalize().unwrap().join(".git").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _absent = fs::remove_file(&path);
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        let git = Git::new(&environment(), hostile.folder.path()).by("/nowhere/git");
        assert_eq!(git.check_git_directory(), Err(WorkTreeProblem::BlockingFile(path)));
    }
    let (hostile, linked) = (Hostile::new(), tempfile::tempdir().unwrap());
    let heads = hostile.folder.path().canonicalize().unwrap().join(".git/refs/heads");
    fs::remove_dir_all(&heads).unwrap();
    std::os::unix::fs::symlink(linked.path(), &heads).unwrap();
    std::os::unix::fs::symlink("/dev/zero", heads.join("main")).unwrap();
    let found = Git::new(&environment(), hostile.folder.path()).check_git_directory();
    assert_eq!(found, Err(WorkTreeProblem::BlockingFile(heads.join("main"))));
}

#[test]
fn a50_the_own_directory_of_a_worktree_is_searched_after_the_common_one_was_checked() {
    let (hostile, linked) = (Hostile::new(), tempfile::tempdir().unwrap());
    let worktree = linked.path().join("tree");
    let path = worktree.to_str().unwrap();
    assert!(hostile.plain(&["worktree", "add", "--no-checkout", "-b", "other", path]));
    let common = hostile.folder.path().canonicalize().unwrap().join(".git");
    let git = Git::new(&environment(), &worktree);
    let device = |name: &str| {
        std::os::unix::fs::symlink("/dev/zero", common.join(name)).unwrap();
        Err(WorkTreeProblem::BlockingFile(common.join(name)))
    };
    let in_common = device("refs/heads/device");
    assert_eq!(git.check_git_directory(), in_common);
    let unrelated = git.clone().with_checked_common_dir(linked.path().to_owned());
    assert_eq!(unrelated.check_git_directory(), in_common);
    let checked = git.with_checked_common_dir(common.clone());
    assert_eq!(checked.check_git_directory(), Ok(()));
    let in_worktree = device("worktrees/tree/ORIG_HEAD");
    assert_eq!(checked.check_git_directory(), in_worktree);
}

#[cfg(target_os = "linux")]
#[test]
fn a50_an_included_pipe_is_found_in_every_notation() {
    let hostile = Hostile::new();
    let folder = hostile.folder.path().canonicalize().unwrap();
    let pipe = folder.join("the pipe");
    make_pipe(&pipe);
    fs::write(folder.join("more"), "[include]\npath = the pipe\n").unwrap();
    let shown = pipe.to_str().unwrap();
    let (start, end) = shown.split_at(shown.len() - 4);
    let git = Git::new(&environment().with("HOME", &folder), &folder);
    let config = folder.join(".git/config");
    let intact = fs::read(&config).unwrap();
    for text in [
        format!("[include]\n\tpath = {shown}\n"),
        format!("[include] path = \"{shown}\" # a comment\n"),
        format!("[INCLUDE]PATH={start}\"{end}\"\n"),
        format!("[include]\n\t; a comment\n\tpath = {start}\\\n{end}\n"),
        format!("[includeIf \"gitdir:a]b\"] path = {shown}\n"),
        "[include]\npath = ../the pipe\n".to_owned(),
        "[include]\npath = ~/the pipe\n".to_owned(),
        "[include]\npath = ../more\n".to_owned(),
    ] {
        fs::write(&config, [intact.as_slice(), text.as_bytes()].concat()).unwrap();
        let found = git.check_git_directory();
        let is_found = matches!(&found, Err(WorkTreeProblem::BlockingFile(path)) if path.ends_with("the pipe"));
        assert!(is_found, "{text}: {found:?}");
    }
    let name = [b"[includeIf \"\xff\"]\npath = ", shown.as_bytes(), b"\n"].concat();
    fs::write(&config, [intact.as_slice(), &name].concat()).unwrap();
    assert!(git.check_git_directory().is_err());
    fs::write(folder.join("more"), "[core]\nabbrev = 12\n").unwrap();
    let text = b"[include]\npath = ../more\npath = absent\n";
    fs::write(&config, [intact.as_slice(), text].concat()).unwrap();
    assert_eq!(git.check_git_directory(), Ok(()));
    fs::write(&config, [intact.as_slice(), b"[include]\npath = ~nobody-of-this-name/x\n"].concat())
        .unwrap();
    assert!(matches!(git.check_git_directory(), Err(WorkTreeProblem::UnknownIncludes(_))));
}

#[test]
fn a54_another_work_tree_is_not_read() {
    let (hostile, other) = (Hostile::new(), Hostile::new());
    let other = other.folder.path().canonicalize().unwrap();
    let git = Git::new(&environment(), hostile.folder.path());
    assert!(git.clone().for_work_tree().is_ok());
    hostile.plain(&["config", "core.worktree", hostile.folder.path().to_str().unwrap()]);
    assert!(git.clone().for_work_tree().is_ok());
    hostile.plain(&["config", "core.worktree", other.to_str().unwrap()]);
    let refused = git.for_work_tree().map(drop);
    let top = hostile.folder.path().canonicalize().unwrap();
    assert_eq!(refused, Err(WorkTreeProblem::OtherWorkTree { top, named: other }));
}

/// Git skips a folder `.git` that is not a repository.
#[test]
fn an_empty_git_folder_does_not_hide_the_repository_around_it() {
    let hostile = Hostile::new();
    let inner = hostile.folder.path().join("inner");
    std::fs::create_dir_all(inner.join(".git")).unwrap();
    assert!(Git::new(&environment(), &inner).for_work_tree().is_ok());
}

#[test]
fn a50_the_address_space_of_git_is_limited() {
    let git = Git::new(&environment(), Path::new("/"));
    assert_eq!(git.command(["status"]).address_space, Some(ADDRESS_SPACE));
}
