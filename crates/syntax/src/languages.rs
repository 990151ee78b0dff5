//! Defines the table of languages. Each row contains the file extensions, file names and interpreters of one language.
//! Each language's grammar and rules are in its own file.

mod bash;
mod c;
mod csharp;
mod dart;
mod elixir;
mod go;
mod java;
mod javascript;
mod kotlin;
mod page_blocks;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod script_bindings;
mod swift;
mod typescript;

#[cfg(test)]
mod tests;

use tree_sitter::Node;

pub(crate) use bash::in_ascii as bash_in_ascii;
pub(crate) use c::looks_like_cpp;
pub(crate) use page_blocks::{RazorCode, find_scripts};

use crate::definition::Kind;
use crate::grammar::{Grammar, Profile};
use crate::outline::ReferenceKind;
use crate::walk::{Draft, Walk};

/// How import paths are resolved. Files that use the same module system can import from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModuleSystem {
    Python,
    Rust,
    Script,
    Go,
    Jvm,
    C,
    DotNet,
    Ruby,
    Php,
    Shell,
    Swift,
    Dart,
    Elixir,
    Sql,
    /// Pages and style sheets, which refer to files instead of importing modules.
    Page,
}

macro_rules! languages {
    ($(
        $variant:ident = $number:literal, $name:literal, $modules:ident, $grammar:expr,
        extensions: [$($extension:literal),*] $(, rare: [$($rare:literal),*])?
        $(, files: [$($file:literal),*])? $(, interpreters: [$($interpreter:literal),*])?;
    )*) => {
        /// A supported language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Language { $($variant = $number),* }

        impl Language {
            pub const ALL: [Self; [$($number),*].len()] = [$(Self::$variant),*];
        }

        pub(crate) fn profile(language: Language) -> &'static Profile {
            match language {
                $(Language::$variant => &Profile {
                    name: $name,
                    extensions: &[$($extension),*],
                    rare_extensions: &[$($($rare),*)?],
                    file_names: &[$($($file),*)?],
                    interpreters: &[$($($interpreter),*)?],
                    module_system: ModuleSystem::$modules,
                },)*
            }
        }

        /// Returns a language's grammar, or `None` if it has none. Only this function refers to the grammars, so a
        /// program that does not call it does not contain them.
        pub(crate) fn grammar(language: Language) -> Option<&'static Grammar> {
            match language {
                $(Language::$variant => $grammar,)*
            }
        }
    };
}

// Each row contains the stored number, name, module system and grammar, followed by the common and the rare file
// extensions, the file names and the interpreters. The numbers are stored in indexes on disk, so a number must never be
// changed or reused.
languages! {
    Rust = 1, "rust", Rust, Some(&rust::GRAMMAR), extensions: ["rs"], interpreters: ["rust-script"];
    Python = 2, "python", Python, Some(&python::GRAMMAR),
        extensions: ["py", "pyi"], rare: ["pyw"], files: ["SConstruct", "SConscript", "wscript"],
        interpreters: ["python", "pypy"];
    TypeScript = 3, "typescript", Script, Some(&typescript::TYPESCRIPT),
        extensions: ["ts", "mts", "cts"], interpreters: ["deno", "bun", "ts-node", "tsx"];
    Tsx = 4, "tsx", Script, Some(&typescript::TSX), extensions: ["tsx"];
    JavaScript = 5, "javascript", Script, Some(&javascript::GRAMMAR),
        extensions: ["js", "jsx", "mjs", "cjs"], files: ["Jakefile"], interpreters: ["node", "nodejs"];
    Go = 6, "go", Go, Some(&go::GRAMMAR), extensions: ["go"];
    Java = 7, "java", Jvm, Some(&java::GRAMMAR), extensions: ["java"];
    C = 8, "c", C, Some(&c::C), extensions: ["c", "h"], interpreters: ["tcc"];
    Cpp = 9, "cpp", C, Some(&c::CPP),
        extensions: ["cc", "cpp", "cxx", "hpp", "hh"], rare: ["c++", "hxx", "h++", "ipp", "inl", "cu", "cuh"];
    CSharp = 10, "csharp", DotNet, Some(&csharp::GRAMMAR),
        extensions: ["cs"], rare: ["csx"], interpreters: ["dotnet-script"];
    Ruby = 11, "ruby", Ruby, Some(&ruby::GRAMMAR),
        extensions: ["rb"], rare: ["rake", "gemspec", "ru"],
        files: ["Rakefile", "Gemfile", "Vagrantfile", "Guardfile", "Podfile", "Fastfile"],
        interpreters: ["ruby", "jruby"];
    Php = 12, "php", Php, Some(&php::GRAMMAR),
        extensions: ["php"], rare: ["phtml", "php5", "php7", "phpt"], interpreters: ["php"];
    Bash = 13, "bash", Shell, Some(&bash::GRAMMAR),
        extensions: ["sh", "bash"], rare: ["zsh", "ksh", "bats", "ebuild", "command"],
        files: [".bashrc", ".bash_profile", ".profile", ".zshrc", "PKGBUILD"],
        interpreters: ["bash", "sh", "zsh", "dash", "ksh", "ash", "bats"];
    Kotlin = 14, "kotlin", Jvm, Some(&kotlin::GRAMMAR),
        extensions: ["kt", "kts"], interpreters: ["kotlin"];
    Swift = 15, "swift", Swift, Some(&swift::GRAMMAR),
        extensions: ["swift"], interpreters: ["swift"];
    Scala = 16, "scala", Jvm, Some(&scala::GRAMMAR),
        extensions: ["scala"], rare: ["sc", "sbt"], interpreters: ["scala", "scala-cli", "amm"];
    Vue = 17, "vue", Script, None, extensions: ["vue"];
    Svelte = 18, "svelte", Script, None, extensions: ["svelte"];
    Dart = 19, "dart", Dart, Some(&dart::GRAMMAR), extensions: ["dart"], interpreters: ["dart"];
    Elixir = 20, "elixir", Elixir, Some(&elixir::GRAMMAR),
        extensions: ["ex", "exs"], interpreters: ["elixir"];
    Razor = 21, "razor", DotNet, None, extensions: ["razor", "cshtml"];
    Sql = 22, "sql", Sql, None, extensions: ["sql"], rare: ["ddl", "pgsql", "plsql"];
    Css = 23, "css", Page, None, extensions: ["css", "scss", "less"], rare: ["wxss"];
    Html = 24, "html", Page, None,
        extensions: ["html", "htm"],
        rare: ["ejs", "erb", "hbs", "heex", "jinja", "jinja2", "j2", "liquid", "mustache", "njk", "twig", "wxml"];
}

impl Language {
    /// Returns the number that identifies the language in stored indexes. It is never zero.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Returns the language whose [`Self::number`] is `number`.
    pub fn of_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Returns the language name in lower case.
    pub fn name(self) -> &'static str {
        profile(self).name
    }

    /// Returns the language whose [`Self::name`] is `name`.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.name() == name)
    }

    /// Returns whether this is a programming language, not a language for pages or style sheets.
    pub fn is_code(self) -> bool {
        self.module_system() != ModuleSystem::Page
    }

    pub fn module_system(self) -> ModuleSystem {
        profile(self).module_system
    }

    /// Returns whether a word with this extension, such as `main.rs`, is treated as the name of a source file.
    /// `extension` must be in lower case.
    ///
    /// Returns false for rare extensions, because some of them are also ordinary words, such as `command`.
    pub fn has_common_extension(extension: &str) -> bool {
        Self::ALL.iter().any(|language| profile(*language).extensions.contains(&extension))
    }

    /// Detects the language from the file extension or, for files such as `Rakefile`, from the whole file name. Returns
    /// `None` if both are unknown.
    pub fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        Self::ALL.into_iter().find(|language| {
            let profile = profile(*language);
            profile.file_names.contains(&name)
                || extension.is_some_and(|extension| {
                    profile.all_extensions().any(|known| known.eq_ignore_ascii_case(extension))
                })
        })
    }

    /// Detects the language of a script from its `#!` line, such as `#!/usr/bin/env python3`. Returns `None` if there
    /// is no such line or the interpreter is unknown.
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
        Self::ALL.into_iter().find(|language| profile(*language).interpreters.contains(&program))
    }
}

/// Records a decorator such as `@cached` as a call of `cached`. In `@cached(60)`, the call is a separate node, which
/// is recorded when the walk reaches it.
fn decorator(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.attribute(node);
    let is_call = |node: &Node<'_>| matches!(node.kind(), "call" | "call_expression");
    if let Some(applied) = node.named_child(0).filter(|it| !is_call(it)) {
        walk.refer_to(ReferenceKind::Call, applied);
    }
}

/// Records an annotation or attribute as a reference to its type.
fn annotation(walk: &mut Walk<'_>, _: Node<'_>, name: Node<'_>) {
    walk.refer_to(ReferenceKind::Type, name);
}

/// Records a call in a grammar without field names, in which the called function is the first child.
fn call_of_first_child(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(callee) = node.named_child(0) {
        walk.refer_to(ReferenceKind::Call, callee);
    }
}

/// Records a type alias in a grammar without field names.
fn type_alias(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = child_of_kind(node, "type_identifier") {
        walk.define(Draft::new(Kind::TypeAlias, node, name));
    }
}

/// Returns the first child of the given kind. Used for grammars without field names.
fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|it| it.kind() == kind)
}

fn named_children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let children: Vec<Node<'_>> = node.named_children(&mut node.walk()).collect();
    children.into_iter()
}
