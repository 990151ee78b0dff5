//! What a file is for: by its path first, by a look at its content second.
//!
//! A role never hides a file; it tells ranking and questions how much to expect of it.

#[cfg(test)]
mod tests;

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Code written here.
    Source,
    /// Code that tests other code, and its fixtures.
    Test,
    /// Code that shows how to use other code.
    Example,
    /// Prose.
    Docs,
    /// Settings of the project and its tools.
    Config,
    /// Tables, translations, recorded output.
    Data,
    /// Written by a program.
    Generated,
    /// Copied from another project.
    Vendored,
    /// Squeezed by a program.
    Minified,
    /// Not text.
    Binary,
    /// Pinned versions.
    Lock,
}

impl Role {
    /// All roles in the order of their codes.
    pub const ALL: [Self; 11] = [
        Self::Source,
        Self::Test,
        Self::Example,
        Self::Docs,
        Self::Config,
        Self::Data,
        Self::Generated,
        Self::Vendored,
        Self::Minified,
        Self::Binary,
        Self::Lock,
    ];

    /// The role of a file by its path alone.
    pub fn of_path(path: &str) -> Self {
        role_of(path, ContentMark::Plain, syntax::Language::of_path(path).is_some())
    }

    /// The role in one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Test => "test",
            Self::Example => "example",
            Self::Docs => "docs",
            Self::Config => "config",
            Self::Data => "data",
            Self::Generated => "generated",
            Self::Vendored => "vendored",
            Self::Minified => "minified",
            Self::Binary => "binary",
            Self::Lock => "lock",
        }
    }

    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    pub(crate) fn of_code(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::Data)
    }
}

/// What a look at the bytes says; the same bytes say the same under any path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentMark {
    Plain,
    Generated,
    Minified,
    Binary,
    /// Larger than the limit: only its path is known.
    Unread,
}

impl ContentMark {
    const ALL: [Self; 5] =
        [Self::Plain, Self::Generated, Self::Minified, Self::Binary, Self::Unread];

    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    pub(crate) fn of_code(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::Plain)
    }
}

/// The role of a file with this path and content.
pub(crate) fn role_of(path: &str, mark: ContentMark, has_grammar: bool) -> Role {
    match mark {
        ContentMark::Binary => return Role::Binary,
        ContentMark::Minified => return Role::Minified,
        ContentMark::Plain | ContentMark::Generated | ContentMark::Unread => {}
    }
    let lower = path.to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let in_folder = |known: &[&str]| folders.split('/').any(|folder| known.contains(&folder));
    if is_lock(name) {
        Role::Lock
    } else if in_folder(VENDOR_FOLDERS) {
        Role::Vendored
    } else if name.contains(".min.") {
        Role::Minified
    } else if mark == ContentMark::Generated
        || is_generated_name(name)
        || in_folder(GENERATED_FOLDERS)
    {
        Role::Generated
    } else if in_folder(TEST_FOLDERS) || is_test_tree(folders, name) || is_test_name(name, path) {
        Role::Test
    } else if in_folder(EXAMPLE_FOLDERS) {
        Role::Example
    } else if has_grammar {
        Role::Source
    } else {
        role_of_other(name, in_folder(DOCS_FOLDERS))
    }
}

const VENDOR_FOLDERS: &[&str] = &[
    "vendor",
    "vendors",
    "third_party",
    "third-party",
    "thirdparty",
    "node_modules",
    "bower_components",
    "external",
    "extern",
    "_vendor",
    "_vendored",
    "site-packages",
];
const GENERATED_FOLDERS: &[&str] = &["generated", "__generated__", "gen", "autogen"];
const TEST_FOLDERS: &[&str] = &[
    "tests",
    "__tests__",
    "testdata",
    "test-data",
    "test_data",
    "spec",
    "specs",
    "e2e",
    "fixtures",
    "__fixtures__",
    "__snapshots__",
    "snapshots",
    "__mocks__",
    "unittests",
];
const EXAMPLE_FOLDERS: &[&str] = &[
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "benchmark",
    "benchmarks",
    "bench",
    "benches",
];
const DOCS_FOLDERS: &[&str] = &["doc", "docs", "documentation", "website", "changelogs"];

/// `test/` and `testing/` hold tests at the top; deeper in Python they are a package that helps others to test.
fn is_test_tree(folders: &str, name: &str) -> bool {
    let mut folders = folders.split('/');
    let top = folders.next().unwrap_or_default();
    top == "test"
        || top == "testing"
        || (!name.ends_with(".py") && folders.any(|folder| folder == "test"))
}

fn is_lock(name: &str) -> bool {
    name.ends_with(".lock")
        || [
            "package-lock.json",
            "pnpm-lock.yaml",
            "npm-shrinkwrap.json",
            "go.sum",
            "module.bazel.lock",
        ]
        .contains(&name)
}

fn is_generated_name(name: &str) -> bool {
    const ENDINGS: &[&str] = &[
        ".pb.go",
        "_pb2.py",
        "_pb2_grpc.py",
        ".pb.cc",
        ".pb.h",
        ".g.cs",
        ".designer.cs",
        ".g.dart",
        "_generated.go",
        ".generated.ts",
        ".generated.js",
        "_generated.rs",
        ".map",
    ];
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// `test_x.py`, `x_test.go`, `x.spec.ts`, `XTest.java`, `conftest.py`.
fn is_test_name(name: &str, path: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    let cased_name = path.rsplit('/').next().unwrap_or(path);
    let cased_stem = cased_name.split('.').next().unwrap_or(cased_name);
    stem.starts_with("test_")
        || ["_test", "_tests", "_spec", "-test", "-tests", "-spec"]
            .iter()
            .any(|ending| stem.ends_with(ending))
        || ["Test", "Tests", "TestCase", "Spec", "IT"]
            .iter()
            .any(|ending| cased_stem.len() > ending.len() && cased_stem.ends_with(ending))
        || name.contains(".test.")
        || name.contains(".spec.")
        || ["tests", "test", "conftest"].contains(&stem)
        || name.ends_with(".snap")
}

fn role_of_other(name: &str, in_docs: bool) -> Role {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "md" | "mdx" | "markdown" | "rst" | "adoc" | "asciidoc" | "org" | "tex" | "textile" => {
            Role::Docs
        }
        "txt" if in_docs || !name.contains("requirements") => Role::Docs,
        "html" | "htm" if in_docs => Role::Docs,
        "toml" | "yaml" | "yml" | "ini" | "cfg" | "conf" | "env" | "properties"
        | "editorconfig" | "gitignore" | "gradle" | "cmake" | "mk" | "bazel" | "bzl" | "nix"
        | "txt" => Role::Config,
        "json" | "jsonc" | "json5" if is_config_json(name) => Role::Config,
        "json" | "jsonl" | "ndjson" | "csv" | "tsv" | "xml" | "svg" | "po" | "pot" | "log"
        | "out" | "diff" | "patch" | "ipynb" | "geojson" | "sql" | "dat" => Role::Data,
        "" if [
            "license",
            "copying",
            "authors",
            "notice",
            "contributors",
            "changelog",
            "readme",
        ]
        .contains(&name) =>
        {
            Role::Docs
        }
        "" => Role::Config,
        _ => Role::Source,
    }
}

/// Whether only the beginning of a file is worth reading: tables, translations, pinned versions, recorded output.
pub(crate) fn is_data(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    is_lock(name) || matches!(role_of_other(name, false), Role::Data)
}

fn is_config_json(name: &str) -> bool {
    name.starts_with('.')
        || name.contains("config")
        || name.contains("settings")
        || [
            "package.json",
            "composer.json",
            "manifest.json",
            "deno.json",
            "bower.json",
            "project.json",
        ]
        .contains(&name)
}

/// Looks at the first lines and the line lengths of a text.
pub(crate) fn mark_of(text: &str, has_grammar: bool) -> ContentMark {
    if has_grammar && looks_minified(text) {
        return ContentMark::Minified;
    }
    let head = text.get(..text.floor_char_boundary(2_000)).unwrap_or_default().to_ascii_lowercase();
    let in_comment = |line: &&str| {
        let line = line.trim_start();
        ["//", "#", "/*", "*", "--", "<!--", ";", "\"\"\""]
            .iter()
            .any(|mark| line.starts_with(mark))
    };
    let says_generated = head.lines().take(20).filter(in_comment).any(|line| {
        line.contains("@generated")
            || line.contains("do not edit")
            || line.contains("code generated by")
            || line.contains("automatically generated")
            || line.contains("autogenerated")
            || line.contains("auto-generated")
    });
    if says_generated { ContentMark::Generated } else { ContentMark::Plain }
}

/// Code for machines: most of it stands on very long lines.
fn looks_minified(text: &str) -> bool {
    const LONG: usize = 1_000;
    if text.len() < 2 * LONG {
        return false;
    }
    let in_long_lines: usize = text.split('\n').map(str::len).filter(|length| *length > LONG).sum();
    in_long_lines * 2 > text.len()
}
