//! Finds the user's global excludes file, which is named by git's setting `core.excludesFile`.

use std::path::PathBuf;

use disk::Links;

/// The maximum size of a git configuration file. Larger files are ignored.
const MAX_CONFIG_BYTES: u64 = 1024 * 1024;

/// Returns the path of the global excludes file. The file need not exist. Looks for `core.excludesFile` in the user's
/// git configuration, then in the system's. If neither contains it, returns git's default location. Returns `None` if
/// the result is not an absolute path.
#[expect(
    clippy::disallowed_methods,
    reason = "git reads these variables too, and a walk must ignore the same files as git"
)]
pub(super) fn path() -> Option<PathBuf> {
    let variable =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = variable("HOME");
    let settings = variable("XDG_CONFIG_HOME").or(home.as_ref().map(|home| home.join(".config")));
    let configurations = [
        variable("GIT_CONFIG_GLOBAL"),
        home.as_ref().map(|home| home.join(".gitconfig")),
        settings.as_ref().map(|settings| settings.join("git/config")),
        variable("GIT_CONFIG_SYSTEM").or_else(|| Some(PathBuf::from("/etc/gitconfig"))),
    ];
    let named = configurations.into_iter().flatten().find_map(|file| {
        let bytes = disk::read(&file, Links::Follow, MAX_CONFIG_BYTES).ok()?;
        let named = excludes_file(&String::from_utf8_lossy(&bytes))?;
        match named.strip_prefix("~/") {
            Some(below) => Some(home.as_ref()?.join(below)),
            None => Some(PathBuf::from(named)),
        }
    });
    let usual = || settings.map(|settings| settings.join("git/ignore"));
    named.or_else(usual).filter(|path| path.is_absolute())
}

/// Returns the last value of `excludesFile` in a git configuration. The section is not checked, because no section
/// other than `core` has this key.
fn excludes_file(configuration: &str) -> Option<String> {
    configuration.lines().rev().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        let value = value.trim().trim_matches('"').trim();
        let is_key = key.trim().eq_ignore_ascii_case("excludesfile");
        (is_key && !value.is_empty()).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::excludes_file;

    #[test]
    fn the_last_excludes_file_counts() {
        let text = "[core]\n\texcludesfile = ~/a\n[user]\nname=x\n[core]\n excludesFile=\"/b c\"\n";
        assert_eq!(excludes_file(text).as_deref(), Some("/b c"));
        assert_eq!(excludes_file("[core]\nexcludesFile =\n# none"), None);
    }
}
