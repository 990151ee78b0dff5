//! The list of languages, one file each. Adding one is a file, a variant and a line here.

mod python;
mod rust;

use crate::grammar::Profile;
use crate::language::Language;

pub(crate) fn profile(language: Language) -> &'static Profile {
    match language {
        Language::Rust => &rust::PROFILE,
        Language::Python => &python::PROFILE,
        Language::TypeScript => &planned::TYPESCRIPT,
        Language::Tsx => &planned::TSX,
        Language::JavaScript => &planned::JAVASCRIPT,
        Language::Go => &planned::GO,
        Language::Java => &planned::JAVA,
        Language::C => &planned::C,
        Language::Cpp => &planned::CPP,
        Language::CSharp => &planned::CSHARP,
        Language::Ruby => &planned::RUBY,
        Language::Php => &planned::PHP,
        Language::Bash => &planned::BASH,
        Language::Kotlin => &planned::KOTLIN,
        Language::Swift => &planned::SWIFT,
        Language::Scala => &planned::SCALA,
        Language::Vue => &planned::VUE,
        Language::Svelte => &planned::SVELTE,
    }
}

/// Languages known by name whose rules are not written yet: words and lines only.
mod planned {
    use crate::grammar::Profile;

    macro_rules! planned {
        ($($id:ident $name:literal [$($extension:literal)*] [$($interpreter:literal)*])*) => {
            $(pub(super) const $id: Profile = Profile {
                name: $name,
                extensions: &[$($extension),*],
                file_names: &[],
                interpreters: &[$($interpreter),*],
                grammar: None,
            };)*
        };
    }

    planned! {
        TYPESCRIPT "typescript" ["ts" "mts" "cts"] ["deno" "bun" "ts-node" "tsx"]
        TSX "tsx" ["tsx"] []
        JAVASCRIPT "javascript" ["js" "jsx" "mjs" "cjs"] ["node"]
        GO "go" ["go"] []
        JAVA "java" ["java"] []
        C "c" ["c" "h"] []
        CPP "cpp" ["cc" "cpp" "cxx" "hpp" "hh" "hxx"] []
        CSHARP "csharp" ["cs"] []
        RUBY "ruby" ["rb"] ["ruby"]
        PHP "php" ["php"] ["php"]
        BASH "bash" ["sh" "bash"] ["bash" "sh"]
        KOTLIN "kotlin" ["kt" "kts"] []
        SWIFT "swift" ["swift"] ["swift"]
        SCALA "scala" ["scala" "sc"] ["scala"]
        VUE "vue" ["vue"] []
        SVELTE "svelte" ["svelte"] []
    }
}
