//! Recognises files that are used as evidence only if the prompt asks for them: coding agents' files, build output
//! and lock files. Minified files, the fourth kind, are recognised by their content or by `.min.` in their names.

/// Name prefixes of the folders and files that belong to coding agents and their extensions, each with the tool's
/// name. A file belongs to a tool if a component of its path starts with the tool's prefix.
const AGENT_PREFIXES: &[(&str, &str)] = &[
    (".aider", "aider"),
    (".amazonq", "amazonq"),
    (".augment", "augment"),
    (".claude", "claude"),
    (".cline", "cline"),
    (".codex", "codex"),
    (".continue", "continue"),
    (".cursor", "cursor"),
    (".gemini", "gemini"),
    (".goosehints", "goose"),
    (".junie", "junie"),
    (".kiro", "kiro"),
    (".opencode", "opencode"),
    (".qoder", "qoder"),
    (".roo", "roo"),
    (".specstory", "specstory"),
    (".taskmaster", "taskmaster"),
    (".trae", "trae"),
    (".windsurf", "windsurf"),
];
/// Lower-case names of the instruction files that coding agents read automatically, each with the tool's name.
const AGENT_FILES: &[(&str, &str)] = &[
    ("agents.md", "agents"),
    ("agents.override.md", "agents"),
    ("claude.md", "claude"),
    ("claude.local.md", "claude"),
    ("codex.md", "codex"),
    ("copilot-instructions.md", "copilot"),
    ("gemini.md", "gemini"),
    ("qwen.md", "qwen"),
];
/// Endings of the names of transcripts and rule files, which can be in any folder, each with the tool's name.
const AGENT_ENDINGS: &[(&str, &str)] = &[(".specstory.md", "specstory"), (".mdc", "cursor")];

/// Returns the name of the coding agent or agent extension whose instructions, notes or histories the file contains.
/// Returns `None` for all other files.
pub fn agent_tool(path: &str) -> Option<&'static str> {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    // The folder `.claude-plugin` contains a plugin's manifest. It is part of the project itself, not an agent's
    // file.
    let is_owned = |part: &str, prefix: &str| part.starts_with(prefix) && part != ".claude-plugin";
    let owner = |part: &str| {
        let owner = AGENT_PREFIXES.iter().find(|(prefix, _)| is_owned(part, prefix));
        owner.map(|(_, tool)| *tool)
    };
    let named = AGENT_FILES.iter().find(|(file, _)| *file == name);
    let ending = AGENT_ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
    named.or(ending).map(|(_, tool)| *tool).or_else(|| lower.split('/').find_map(owner))
}

/// Folders that contain only build output.
const OUTPUT_FOLDERS: &[&str] = &[
    ".angular",
    ".dart_tool",
    ".next",
    ".nuxt",
    ".output",
    ".parcel-cache",
    ".svelte-kit",
    ".turbo",
    "__pycache__",
    "htmlcov",
    "lcov-report",
    "storybook-static",
];
/// Pairs of a folder and a subfolder that contains only build output.
const OUTPUT_FOLDER_PAIRS: &[(&str, &str)] = &[
    ("bin", "debug"),
    ("bin", "release"),
    ("build", "intermediates"),
    ("build", "outputs"),
    ("build", "static"),
    ("build", "web"),
    ("obj", "debug"),
    ("obj", "release"),
    ("public", "build"),
];
/// Extensions of files that a bundler writes into `dist`. Other files in `dist` may be package sources.
const BUNDLED: &[&str] = &["cjs", "css", "html", "js", "json", "map", "mjs", "ts", "wasm"];

/// Returns whether the file is build output. `folders` is the path of the file's folder. Both arguments are in lower
/// case.
pub(super) fn is_build_output(folders: &str, name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_bundled = BUNDLED.contains(&extension);
    let mut previous = "";
    let is_in_output = folders.split('/').any(|folder| {
        let pair = (std::mem::replace(&mut previous, folder), folder);
        OUTPUT_FOLDERS.contains(&folder)
            || OUTPUT_FOLDER_PAIRS.contains(&pair)
            || (folder == "dist" && is_bundled)
    });
    let is_source_map = [".js.map", ".mjs.map", ".cjs.map", ".css.map", ".ts.map"];
    is_in_output
        || (is_bundled && (name.contains(".bundle.") || name.contains(".chunk.")))
        || is_source_map.iter().any(|ending| name.ends_with(ending))
}

/// Returns whether the file is a lock file, which pins the versions of dependencies. `name` is in lower case.
pub(super) fn is_lock(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "go.sum",
        "gradle.lockfile",
        "npm-shrinkwrap.json",
        "package-lock.json",
        "packages.lock.json",
        "pnpm-lock.yaml",
        "pnpm-lock.yml",
        "project.assets.json",
    ];
    name.ends_with(".lock") || NAMES.contains(&name)
}
