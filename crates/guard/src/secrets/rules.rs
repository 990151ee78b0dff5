//! Rules for provider tokens. Each rule is one line with the kind, the fixed prefix, the shape of the body, and an
//! example body for the test.
//!
//! The example is written without its prefix, so that no line of this table looks like a real token.

mod a_to_c;
mod d_to_g;
mod formats;
mod h_to_n;
mod infix;
mod o_to_r;
mod s_to_z;

pub(crate) use infix::INFIX_RULES;

/// Describes a token that has a fixed prefix.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) kind: &'static str,
    pub(crate) prefix: &'static str,
    pub(crate) shape: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "the test of the rule, kept beside it"))]
    pub(crate) example: &'static str,
}

const fn rule(
    kind: &'static str,
    prefix: &'static str,
    shape: &'static str,
    example: &'static str,
) -> Rule {
    Rule { kind, prefix, shape, example }
}

/// Prefixes that also occur in other names and values.
#[rustfmt::skip]
const AMBIGUOUS_PREFIXES: &[&str] = &[
    "_oat_",
    "access-development-", "access-production-", "access-sandbox-", "api_org_", "depot_org_", "depot_project_", "depot_user_",
    "live_", "live_pub_", "pubkey-", "pypi-", "secret-", "secret-live-", "secret-test-", "secret_",
    "test_", "test_pub_", "token-",
];

impl Rule {
    /// Returns whether the prefix ends with a separator and is not part of other names. The prefix may be short, so the
    /// text after it must look like a token.
    pub(crate) fn identifies_issuer(&self) -> bool {
        matches!(self.prefix, "AIza" | "SG.")
            || self.prefix.len() > 2
                && self.prefix.ends_with(['_', '-'])
                && !AMBIGUOUS_PREFIXES.contains(&self.prefix)
    }

    /// Returns whether the prefix alone identifies the issuer.
    pub(crate) fn is_distinctive(&self) -> bool {
        self.prefix == "AIza"
            || self.prefix.len() > 4
                && self.prefix.ends_with(['_', '-'])
                && !AMBIGUOUS_PREFIXES.contains(&self.prefix)
    }
}

/// The rules of each file. Rules with the same prefix must be adjacent in one file.
const PARTS: &[&[Rule]] =
    &[a_to_c::RULES, d_to_g::RULES, h_to_n::RULES, o_to_r::RULES, s_to_z::RULES, formats::RULES];

pub(crate) static RULES: [Rule; count()] = joined();

const fn count() -> usize {
    let (mut count, mut part) = (0, 0);
    while part < PARTS.len() {
        count += PARTS[part].len();
        part += 1;
    }
    count
}

const fn joined() -> [Rule; count()] {
    let mut all = [rule("", "", "", ""); count()];
    let (mut at, mut part) = (0, 0);
    while part < PARTS.len() {
        let mut row = 0;
        while row < PARTS[part].len() {
            all[at] = PARTS[part][row];
            at += 1;
            row += 1;
        }
        part += 1;
    }
    all
}

#[cfg(test)]
mod tests;
