//! Composes `additional_context`: a head, findings and a foot, separated by empty lines.
//!
//! A finding contains no empty line, so other programs can parse the text and omit whole findings.

/// The line that is written in place of the omitted findings.
const CUT_MARK: &str = "[truncated: more findings were left out]";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelText {
    pub head: String,
    pub findings: Vec<String>,
    pub foot: String,
}

/// The text of a [`ModelText`], shortened if it did not fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FittedText {
    /// The text. Empty if no finding fits.
    pub text: String,
    /// The number of findings in the text.
    pub n_findings: usize,
    pub truncated: bool,
}

impl ModelText {
    #[must_use]
    pub fn text(&self) -> String {
        self.with_findings(self.findings.len())
    }

    fn with_findings(&self, n_findings: usize) -> String {
        let mut parts = vec![self.head.as_str()];
        parts.extend(self.findings.iter().take(n_findings).map(String::as_str));
        if n_findings < self.findings.len() {
            parts.push(CUT_MARK);
        }
        if !self.foot.is_empty() {
            parts.push(&self.foot);
        }
        parts.join("\n\n")
    }

    /// Returns the text with as many findings as `fits` accepts. Uses a binary search: if `fits` accepts a text, it must
    /// also accept the same text with fewer findings.
    #[must_use]
    pub fn fit(&self, fits: impl Fn(&str) -> bool) -> FittedText {
        let n_all = self.findings.len();
        let fits_with = |n_findings: &usize| fits(&self.with_findings(*n_findings));
        let fits_all = fits_with(&n_all);
        let n_findings = if fits_all {
            n_all
        } else {
            (1..n_all).collect::<Vec<_>>().partition_point(fits_with)
        };
        let has_text = fits_all || n_findings > 0;
        let text = if has_text { self.with_findings(n_findings) } else { String::new() };
        FittedText { text, n_findings, truncated: !fits_all }
    }
}

#[cfg(test)]
mod tests;
