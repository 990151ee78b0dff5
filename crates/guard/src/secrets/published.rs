//! Lists example values from manuals and standards. These values are public and therefore not secrets.
//!
//! Each value is written in two halves, so that no line of this file looks like a real token.

#[rustfmt::skip]
const PUBLISHED: &[(&str, &str)] = &[
    // Amazon: access keys in the user guides.
    ("AKIA", "IOSFODNN7EXAMPLE"),
    ("AKIA", "I44QH8DHBEXAMPLE"),
    ("ASIA", "IOSFODNN7EXAMPLE"),
    ("wJalrXUtnFEMI", "/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    ("je7MtGbClwBF", "/2Zp9Utk/h3yCo8nvbEXAMPLEKEY"),
    // Google: sample projects of Firebase for Android.
    ("AIza", "SyAnLA7NfeLquW1tJFpx_eQCxoX-oo6YyIs"),
    ("AIza", "SyCkEhVjf3pduRDt6d1yKOMitrUEke8agEM"),
    ("AIza", "SyDMAScliyLx7F0NPDEJi1QmyCgHIAODrlU"),
    ("AIza", "SyD3asb-2pEZVqMkmL6M9N6nHZRR_znhrh0"),
    ("AIza", "yDNSXIbFmlXbIE6mCzDLQAqITYefhixbX4A"),
    ("AIza", "SyAdOS2zB6NCsk1pCdZ4-P6GBdi_UUPwX7c"),
    ("AIza", "SyASWm6HmTMdYWpgMnjRBjxcQ9CKctWmLd4"),
    ("AIza", "SyANUvH9H9BsUccjsu2pCmEkOPjjaXeDQgY"),
    ("AIza", "SyA5_iVawFQ8ABuTZNUdcwERLJv_a_p4wtM"),
    ("AIza", "SyA4UrcGxgwQFTfaI3no3t7Lt1sjmdnP5sQ"),
    ("AIza", "SyDSb51JiIcB6OJpwwMicseKRhhrOq1cS7g"),
    ("AIza", "SyBF2RrAIm4a0mO64EShQfqfd2AFnzAvvuU"),
    ("AIza", "SyBcE-OOIbhjyR83gm4r2MFCu4MJmprNXsw"),
    ("AIza", "SyB8qGxt4ec15vitgn44duC5ucxaOi4FmqE"),
    ("AIza", "SyA8vmApnrHNFE0bApF4hoZ11srVL_n0nvY"),
    ("AIza", "Syabcdefghijklmnopqrstuvwxyz1234567"),
    // Google: reCAPTCHA keys for tests, which always pass.
    ("6LeIxAcTAAAAA", "JcZVRqyHh71UMIEGNQ_MXjiZKhI"),
    ("6LeIxAcTAAAAA", "GG-vFI1TnRWxMZNFuojJ4WifJWe"),
    // Microsoft: the emulators of Azure Storage and Cosmos DB.
    ("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6", "IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="),
    ("C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2n", "Q9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="),
    // Stripe: keys in the manual.
    ("sk_test_", "4eC39HqLyjWDarjtT1zdp7dc"),
    ("sk_test_", "BQokikJOvBiI2HlWgH4olfQ2"),
    ("sk_test_", "tR3PYbcVNZZ796tH88S4VQ2u"),
    ("pk_test_", "TYooMQauvdEDq54NiTphI7jx"),
    // GitHub: REST manual.
    ("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"),
    // Flask: configuration manual and tutorial.
    ("5f352379324c2246", "3451387a0aec5d2f"),
    ("192b9bdd22ab9ed4d12e236c78afcb9a", "393ec15f71bbf5dc987d54727823bcbf"),
    ("_5#y2L\"F4Q8z", "\\n\\xec]/"),
    // RFC 6749, 6750, 7519, 7617: tokens and credentials in the examples.
    ("mF_9.B5f", "-4.1JqM"),
    ("2YotnFZFEjr1", "zCsicMWpAA"),
    ("tGzv3JOkF0XG", "5Qx2TlKWIA"),
    ("SplxlOBeZQQY", "bYS6WxSbIA"),
    ("czZCaGRSa3F0Mz", "pnWDFmQmF0M2JW"),
    ("QWxhZGRpbjpv", "cGVuIHNlc2FtZQ=="),
    ("dGVzdDox", "MjPCow=="),
];

/// Returns whether `value` is a published example, with or without base64 padding.
pub(crate) fn is_published(value: &str) -> bool {
    let value = value.trim_end_matches('=');
    PUBLISHED.iter().any(|(first, second)| {
        value.strip_prefix(first).is_some_and(|rest| rest == second.trim_end_matches('='))
    })
}

#[cfg(test)]
mod tests;
