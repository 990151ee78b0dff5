//! Checks that the files, functions, types and constants that the documents name in backticks exist.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

/// Names of operating systems and of other programs, and values in examples.
const FOREIGN: [&str; 14] = [
    "FMT_BEGIN_NAMESPACE",
    "HttpServer2",
    "LD_PRELOAD",
    "NtCreateFile",
    "RENAME_EXCL",
    "RENAME_NOREPLACE",
    "RESOLVE_BENEATH",
    "RLIMIT_AS",
    "__file__",
    "admin/Tiger7",
    "glsa_XXXX_AAAA",
    "memfd_create",
    "renameatx_np",
    "std::os::windows::fs::FileExt",
];
/// The extensions of names without a folder that are file names.
const EXTENSIONS: [&str; 11] =
    ["js", "json", "jsonl", "md", "mjs", "py", "rs", "sh", "toml", "txt", "yaml"];

pub(super) fn check(files: &[PathBuf]) -> Vec<String> {
    let repository = Repository::read(files);
    let documents = files.iter().filter(|path| is_document(path));
    let unknown = documents.flat_map(|path| {
        let text = fs::read_to_string(root().join(path)).unwrap_or_default();
        let names = repository.unknown_names(&text);
        let complaint = |name| {
            format!("{}: `{name}` is neither a file nor a name in the sources", path.display())
        };
        names.into_iter().map(complaint).collect::<Vec<_>>()
    });
    unknown.collect()
}

/// The changelog is not checked, because it describes earlier versions.
fn is_document(path: &Path) -> bool {
    let is_at_root = path.components().count() == 1 && path != Path::new("CHANGELOG.md");
    is_page(path) && (is_at_root || path.starts_with("docs"))
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

struct Repository {
    files: Vec<PathBuf>,
    /// The path and the text of each file that is not a page, with its words.
    sources: Vec<(String, HashSet<String>)>,
}

impl Repository {
    /// Leaves out the files of `tidy`, which contain names that do not exist.
    fn read(files: &[PathBuf]) -> Self {
        let sources = files.iter().filter(|path| !is_page(path));
        let sources = sources.filter(|path| !path.starts_with("xtask/src/tidy"));
        let sources = sources.filter_map(|path| {
            let text = fs::read_to_string(root().join(path)).ok()?;
            Some(format!("{}\n{text}", path.display()))
        });
        let sources = sources.map(|text| {
            let words = words(&text).map(str::to_owned).collect();
            (text, words)
        });
        Self { files: files.to_vec(), sources: sources.collect() }
    }

    /// Names in code blocks belong to examples, also if the text of the page repeats them.
    fn unknown_names<'a>(&self, page: &'a str) -> Vec<&'a str> {
        let (mut prose, mut examples) = (Vec::new(), Vec::new());
        for (number, part) in page.split("```").enumerate() {
            if number % 2 == 0 { prose.push(part) } else { examples.push(part) }
        }
        let lines = prose.into_iter().flat_map(str::lines);
        let names = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
        let is_known = |name: &str| {
            FOREIGN.contains(&name) || examples.iter().any(|example| example.contains(name))
        };
        names.filter(|name| !is_known(name) && !self.contains(name)).collect()
    }

    /// Returns whether the repository contains a name. Returns `true` for text that is not a name.
    fn contains(&self, name: &str) -> bool {
        if is_path(name) {
            let mut paths = self.files.iter().flat_map(|file| file.ancestors());
            has_placeholder(name)
                || paths.any(|path| path.ends_with(name))
                || self.sources.iter().any(|(text, _)| text.contains(name))
        } else if is_identifier(name) {
            let is_in = |found: &HashSet<String>| words(name).all(|word| found.contains(word));
            self.sources.iter().any(|(_, found)| is_in(found))
        } else {
            true
        }
    }
}

/// A path that starts with `/` or `.` is a path on the user's machine.
fn is_path(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    name.chars().all(|c| c.is_alphanumeric() || "_./-".contains(c))
        && !name.starts_with(['/', '.'])
        && (name.contains('/') || extension.is_some_and(|it| EXTENSIONS.contains(&it)))
}

/// Returns whether a part of a path is in capitals, such as `src/languages/NAME.rs`.
fn has_placeholder(path: &str) -> bool {
    let is_upper_case = |part: &str| part.chars().all(|c| c.is_ascii_uppercase());
    path.split(['/', '.']).any(|part| !part.is_empty() && is_upper_case(part))
}

/// Returns whether text is the name of a function, type or constant: `brief_repository`, `brief()`, `Store::view`, `RepoTools`.
fn is_identifier(text: &str) -> bool {
    let name = text.strip_suffix("()").unwrap_or(text);
    let is_type = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase());
    name.split("::").all(|part| words(part).eq([part]))
        && (name != text || name.contains("::") || name.contains('_') || is_type)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Repository, words};

    #[test]
    fn names_must_be_files_or_occur_together_in_a_source() {
        let text = "crates/index/src/store.rs\nimpl Store { fn view(); } fn other_name();";
        let found = words(text).map(str::to_owned).collect();
        let files = vec!["crates/index/src/store.rs".into()];
        let repository = Repository { files, sources: vec![(text.to_owned(), found)] };
        let known = "`src/store.rs` `crates/index/` `index::Store::view` `other_name()` `Store` `git commit` `--flag` `languages/NAME.rs`";
        assert_eq!(repository.unknown_names(known), [""; 0]);
        assert_eq!(
            repository.unknown_names("`index/store.rs` `Store::refresh` `orders_in` `Patch`"),
            ["index/store.rs", "Store::refresh", "orders_in", "Patch"]
        );
        let example = "`queue_owner` may write:\n```sql\ncreate role queue_owner;\n```\n";
        assert_eq!(repository.unknown_names(example), [""; 0]);
    }
}
