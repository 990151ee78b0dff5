//! Which languages are known, and how a file shows which one it is written in.

use crate::languages;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Rust,
    Python,
    TypeScript,
    Tsx,
    JavaScript,
    Go,
    Java,
    C,
    Cpp,
    CSharp,
    Ruby,
    Php,
    Bash,
    Kotlin,
    Swift,
    Scala,
    Vue,
    Svelte,
}

impl Language {
    pub const ALL: [Self; 18] = [
        Self::Rust,
        Self::Python,
        Self::TypeScript,
        Self::Tsx,
        Self::JavaScript,
        Self::Go,
        Self::Java,
        Self::C,
        Self::Cpp,
        Self::CSharp,
        Self::Ruby,
        Self::Php,
        Self::Bash,
        Self::Kotlin,
        Self::Swift,
        Self::Scala,
        Self::Vue,
        Self::Svelte,
    ];

    /// By the name of the file: its extension, or the whole of it (`Rakefile`).
    pub fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        Self::ALL.into_iter().find(|language| {
            let profile = languages::profile(*language);
            profile.file_names.contains(&name)
                || extension.is_some_and(|extension| {
                    profile.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
                })
        })
    }

    /// By the first line, for scripts without an extension: `#!/usr/bin/env python3`.
    pub fn of_shebang(source: &[u8]) -> Option<Self> {
        let line = source.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
        let line = std::str::from_utf8(&line[..line.len().min(200)]).ok()?;
        let mut words = line.split_whitespace();
        let mut program = words.next()?.rsplit('/').next()?;
        if program == "env" {
            program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
        }
        let program =
            program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        Self::ALL
            .into_iter()
            .find(|language| languages::profile(*language).interpreters.contains(&program))
    }

    pub fn name(self) -> &'static str {
        languages::profile(self).name
    }

    /// The language with this name, as [`Self::name`] writes it.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.name() == name)
    }
}
