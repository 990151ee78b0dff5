//! Reads the section of one version from the changelog.

/// The changelog section about one version.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// The day of the release, as `YYYY-MM-DD`.
    pub(super) date: String,
    /// The text below the heading.
    pub(super) text: String,
}

/// Returns the section with the heading `## VERSION (YYYY-MM-DD)`. It must be the section of the newest version, and
/// the section `## Unreleased` above it must be empty.
pub(super) fn section(changelog: &str, version: &str) -> Result<Section, String> {
    let mut sections = changelog.split("\n## ").skip(1).map(|section| {
        let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
        (heading.trim(), text.trim())
    });
    let mut first = sections.next();
    if let Some(("Unreleased", text)) = first {
        if !text.is_empty() {
            return Err("`CHANGELOG.md` lists changes under `Unreleased`".to_owned());
        }
        first = sections.next();
    }
    let wanted = format!("## {version} (YYYY-MM-DD)");
    let Some((heading, text)) = first else {
        return Err(format!("`CHANGELOG.md` has no section `{wanted}`"));
    };
    let date = heading
        .strip_prefix(version)
        .and_then(|rest| rest.strip_prefix(" (")?.strip_suffix(')'))
        .filter(|date| is_date(date))
        .ok_or(format!("the first version in `CHANGELOG.md` is `## {heading}`, not `{wanted}`"))?;
    if text.is_empty() {
        return Err(format!("the section `## {heading}` in `CHANGELOG.md` is empty"));
    }
    Ok(Section { date: date.to_owned(), text: text.to_owned() })
}

fn is_date(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGELOG: &str = "# Changelog\n\nIntroduction.\n\n## Unreleased\n\n## 0.2.0 (2026-11-16)\n\n### Index\n\n- Fast.\n\n## 0.1.0 (2026-11-01)\n\n- First.\n";

    #[test]
    fn the_notes_are_the_text_of_the_version() {
        let found = section(CHANGELOG, "0.2.0").unwrap();
        assert_eq!(
            (found.date.as_str(), found.text.as_str()),
            ("2026-11-16", "### Index\n\n- Fast.")
        );
    }

    #[test]
    fn a_release_needs_a_dated_section_of_its_version_at_the_top() {
        let problem = |changelog: &str, version| section(changelog, version).unwrap_err();
        let not_first = problem(CHANGELOG, "0.1.0");
        assert!(not_first.contains("is `## 0.2.0 (2026-11-16)`, not `## 0.1.0"), "{not_first}");
        let unreleased = CHANGELOG.replace("## Unreleased\n", "## Unreleased\n\n- New.\n");
        assert!(problem(&unreleased, "0.2.0").contains("under `Unreleased`"));
        for heading in ["0.2.0", "0.2.0 (soon)", "0.2.0 (2026-11-1x)"] {
            let changelog = CHANGELOG.replace("0.2.0 (2026-11-16)", heading);
            assert!(problem(&changelog, "0.2.0").contains("not `## 0.2.0 (YYYY-MM-DD)`"));
        }
        assert!(problem("# Changelog\n", "0.2.0").contains("has no section"));
        assert!(problem("# C\n\n## 0.2.0 (2026-11-16)\n", "0.2.0").contains("is empty"));
    }
}
