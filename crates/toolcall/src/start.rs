//! Builds the program that a verified command starts, and restricts `PATH` for the hooks and tools of a repository, so that
//! they start no program of the repository by a name without a path. The user's trust does not cover such a program.

use std::path::{Path, PathBuf};

use policy::{Verified, WrittenCommand};
use process::{Environment, Program};

/// The environment variable that contains the path of the script in the repository. A script of a repository runs from a
/// private copy, so that its own path (`$0`) is the path of the copy.
const SCRIPT: &str = "ADJUTANT_SCRIPT";
/// The value of `PATH` if no folder remains. An unset or empty `PATH` would make some systems and shells search the
/// working directory, which is the repository.
const SYSTEM_PATH: &str = "/usr/bin:/bin";

/// Returns the program that runs in `directory`. A name without `/` is searched in `PATH`. A path is relative to `directory`.
pub(crate) fn program(verified: &Verified, directory: &Path, environment: Environment) -> Program {
    let environment = match &verified.script {
        Some(script) => environment.with(SCRIPT, script.as_path()),
        None => environment.without(SCRIPT),
    };
    let program = match &verified.command {
        WrittenCommand::Shell(command) => {
            Program::new("/bin/sh", environment).argument("-c").argument(command)
        }
        WrittenCommand::Program(words) => {
            let (path, arguments) = match words.split_first() {
                Some((path, arguments)) if path.contains('/') => (directory.join(path), arguments),
                Some((name, arguments)) => (name.into(), arguments),
                None => Default::default(),
            };
            Program::new(path, environment).arguments(arguments)
        }
    };
    program.directory(directory)
}

/// Removes the folders from `PATH` that are relative, do not exist, pass through one of the `repositories`, or pass
/// through `/proc` or `/dev`. A `PATH` that is not UTF-8 is replaced by the default of the system. Empty paths in
/// `repositories` are ignored.
pub(crate) fn without_folders_of(environment: Environment, repositories: &[&Path]) -> Environment {
    let repositories = repositories.iter().filter(|path| !path.as_os_str().is_empty());
    let is_kept = |folder: &PathBuf| {
        folder.is_absolute()
            && repositories.clone().all(|repository| policy::is_outside(folder, repository))
    };
    let folders = std::env::split_paths(environment.text("PATH").unwrap_or_default());
    let kept = std::env::join_paths(folders.filter(is_kept)).unwrap_or_default();
    let kept = if kept.is_empty() { SYSTEM_PATH.into() } else { kept };
    environment.with("PATH", kept)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a54_the_folders_of_a_repository_are_removed_from_path() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        for name in ["repository/bin", "own/bin"] {
            fs::create_dir_all(base.join(name)).unwrap();
        }
        symlink(base.join("repository/bin"), base.join("own/link")).unwrap();
        let repository = base.join("repository");
        let check = |path: &str, expected: &str| {
            let path = path.replace("BASE", &base.display().to_string());
            let environment = Environment::default().with("PATH", path);
            let kept = without_folders_of(environment, &[&repository, Path::new("")]);
            let expected = expected.replace("BASE", &base.display().to_string());
            assert_eq!(kept.text("PATH"), Some(expected.as_str()));
        };
        check("BASE/repository/bin:/usr/bin:BASE/own/bin", "/usr/bin:BASE/own/bin");
        check("node_modules/.bin:.::/bin:", "/bin");
        check("BASE/own/link:BASE/own/../repository:/bin", "/bin");
        check("/proc/self/cwd/bin:BASE/gone:/bin", "/bin");
        check("BASE/repository/bin:.", SYSTEM_PATH);
        check("", SYSTEM_PATH);
        let unset = without_folders_of(Environment::default(), &[&repository]);
        assert_eq!(unset.text("PATH"), Some(SYSTEM_PATH));
    }
}
