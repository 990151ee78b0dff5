//! Provider tokens: one rule a line — kind, fixed prefix, shape of the body, and an example body for its test.
//!
//! The example is kept apart from its prefix so that no line of ours looks like a live token.

/// A token that its issuer made recognisable.
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

#[rustfmt::skip]
pub(crate) const RULES: &[Rule] = &[
    rule("aws-access-key", "AKIA", "{u16}", "Q3EGRT7ZK2MWX5NB"),
    rule("aws-access-key", "ASIA", "{u16}", "Q3EGRT7ZK2MWX5NB"),
    rule("github-token", "ghp_", "{a36-255}", "k7Wm2pQ9xLr4Tn8vBz3Yc6Hd1Fj5Gs0aEuIo"),
    rule("github-token", "github_pat_", "{w22-255}", "11ABCDEFG0k7Wm2pQ9xLr4_Tn8vBz3Yc6Hd1Fj5Gs0aEuIo"),
    rule("jwt", "eyJ", "{b10-}.{b10-}.{b0-}", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.c2lnbmF0dXJlLW9mLXRlc3Q"),
    rule("slack-token", "xoxb-", "{b10-}", "781236542736-2364535789652-GkwFDQoHqzXDVsC6GzqYUypD"),
];

#[cfg(test)]
mod tests;
