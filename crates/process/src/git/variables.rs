//! Selects the environment variables that git receives.

use crate::Environment;

/// The variables of git that are kept, and the reason for each. All others are removed, because they redirect the
/// repository, the work tree, the index, the objects, the configuration or the programs of git. With `GIT_CONFIG`, for
/// example, `git config` lists another file than the one that `git add` reads.
const KEPT: [&str; 7] = [
    // The user's configuration. Git reports these files as the user's, so filters in them can be told from a repository's.
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    // Settings of the user for every git command, such as `safe.directory` in a container.
    "GIT_CONFIG_COUNT",
    // Limits on the search for a repository, and a stricter check of its owner.
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_TEST_ASSUME_DIFFERENT_OWNER",
];
/// Prefixes of further variables that are kept: the settings that `GIT_CONFIG_COUNT` counts, and the name, address and
/// date of a commit.
const KEPT_STARTS: [&str; 4] =
    ["GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_AUTHOR_", "GIT_COMMITTER_"];

/// Returns a copy of the environment without secrets and without the variables that redirect git.
pub(super) fn kept(environment: &Environment) -> Environment {
    let environment = environment.without_secrets();
    let removed = environment.names().filter(|name| {
        name.starts_with("GIT_")
            && !KEPT.contains(name)
            && !KEPT_STARTS.iter().any(|start| name.starts_with(start))
    });
    let removed: Vec<String> = removed.map(str::to_owned).collect();
    removed.iter().fold(environment, |environment, name| environment.without(name))
}
