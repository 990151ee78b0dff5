//! Writes the install script and the Homebrew formula, which contain the checksums of the archives.

use super::target::{TARGETS, Target};
use super::{DESCRIPTION, PROGRAMS, REPOSITORY, VERSION};

pub(super) const SCRIPT: &str = "install.sh";
pub(super) const FORMULA: &str = "adjutant.rb";

/// The archives of a release with their checksums.
pub(super) type Archives = [(&'static Target, String)];

pub(super) fn script(archives: &Archives) -> String {
    let list: Vec<String> =
        archives.iter().map(|(target, sum)| format!("{sum} {}", target.triple)).collect();
    let names = |is_listed: fn(&super::Program) -> bool| {
        let listed = PROGRAMS.iter().filter(|program| is_listed(program));
        listed.map(|program| program.name).collect::<Vec<_>>().join(" ")
    };
    let glibc = TARGETS.iter().find_map(|target| target.glibc);
    fill(
        include_str!("files/install.sh"),
        &[
            ("ARCHIVES", &list.join("\n")),
            ("COMMANDS", &names(|program| program.is_command)),
            ("PROGRAMS", &names(|_| true)),
            ("GLIBC", &glibc.map(|version| version.to_string()).unwrap_or_default()),
        ],
    )
}

pub(super) fn formula(archives: &Archives) -> String {
    let sections = archives.iter().map(|(target, sum)| section(target, sum));
    fill(
        include_str!("files/formula.rb"),
        &[("ARCHIVES", &sections.collect::<String>()), ("DESCRIPTION", DESCRIPTION)],
    )
}

/// Returns the part of the formula for one target.
fn section(target: &Target, sum: &str) -> String {
    let system = if target.os == "darwin" { "on_macos" } else { "on_linux" };
    let processor = if target.cpu == "arm64" { "on_arm" } else { "on_intel" };
    let name = target.archive_name();
    format!(
        "  {system} do\n    {processor} do\n      \
         url \"{REPOSITORY}/releases/download/v{VERSION}/{name}\"\n      \
         sha256 \"{sum}\"\n    end\n  end\n\n"
    )
}

/// Replaces each `@NAME@` in `text` with its value.
fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let always = [("VERSION", VERSION), ("REPOSITORY", REPOSITORY)];
    values
        .iter()
        .chain(&always)
        .fold(text.to_owned(), |text, (name, value)| text.replace(&format!("@{name}@"), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_placeholder_is_filled() {
        let archives = [(&TARGETS[0], "a1".to_owned()), (&TARGETS[3], "b2".to_owned())];
        for text in [script(&archives), formula(&archives)] {
            let is_placeholder =
                |word: &str| !word.is_empty() && word.bytes().all(|it| it.is_ascii_uppercase());
            assert_eq!(text.split('@').skip(1).find(|word| is_placeholder(word)), None, "{text}");
            assert!(text.contains("a1") && text.contains("b2"), "{text}");
        }
        assert!(script(&archives).contains("a1 x86_64-unknown-linux-gnu\nb2 aarch64-apple-darwin"));
        assert!(formula(&archives).contains("  on_macos do\n    on_arm do\n"));
    }
}
