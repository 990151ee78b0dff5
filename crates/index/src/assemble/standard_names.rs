//! Names of methods that the standard libraries define. If the type of the receiver is unknown, a call to such a
//! method most likely refers to the standard library and not to a method in the tree.

use rustc_hash::FxHashSet;
use syntax::ModuleSystem;

/// The lists of names, each after a line with its heading in square brackets.
const LISTS: &str = include_str!("standard_names.txt");

/// The standard names for each group of languages.
pub(super) struct StandardNames {
    python_built_in: FxHashSet<&'static str>,
    rust_built_in: FxHashSet<&'static str>,
    go_built_in: FxHashSet<&'static str>,
    python: FxHashSet<&'static str>,
    script: FxHashSet<&'static str>,
    other: FxHashSet<&'static str>,
}

impl StandardNames {
    pub(super) fn new() -> Self {
        Self {
            python_built_in: list("[python built-in]"),
            rust_built_in: list("[rust built-in]"),
            go_built_in: list("[go built-in]"),
            python: list("[python]"),
            script: list("[script]"),
            other: list("[other]"),
        }
    }

    /// Returns whether a language defines a plain name.
    pub(super) fn is_built_in(&self, system: Option<ModuleSystem>, name: &str) -> bool {
        match system {
            Some(ModuleSystem::Python) => self.python_built_in.contains(name),
            Some(ModuleSystem::Rust) => self.rust_built_in.contains(name),
            Some(ModuleSystem::Go) => self.go_built_in.contains(name),
            _ => false,
        }
    }

    /// Returns whether the standard library of a language has a method with this name.
    pub(super) fn contains(&self, system: Option<ModuleSystem>, name: &str) -> bool {
        match system {
            Some(ModuleSystem::Python) => self.python.contains(name),
            Some(ModuleSystem::Script) => self.script.contains(name),
            Some(_) => self.other.contains(name),
            None => false,
        }
    }
}

/// Returns the names below a heading, up to the next comment.
fn list(heading: &str) -> FxHashSet<&'static str> {
    let below = LISTS.lines().skip_while(|line| *line != heading).skip(1);
    let names = below.take_while(|line| !line.starts_with('#'));
    names.flat_map(str::split_ascii_whitespace).collect()
}

#[cfg(test)]
mod tests {
    use super::{LISTS, StandardNames, list};

    #[test]
    fn each_list_is_found_below_its_heading() {
        let headings: Vec<&str> = LISTS.lines().filter(|line| line.starts_with('[')).collect();
        assert_eq!(headings.len(), 6);
        assert!(headings.iter().all(|heading| list(heading).len() > 40));
        let names = StandardNames::new();
        let lists = [&names.python_built_in, &names.rust_built_in, &names.go_built_in];
        assert!(
            lists
                .into_iter()
                .chain([&names.python, &names.script, &names.other])
                .all(|it| !it.is_empty())
        );
        assert!(names.python.contains("zfill") && !names.python.contains("zip"));
    }
}
