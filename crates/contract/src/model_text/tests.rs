use super::*;

fn sample() -> ModelText {
    ModelText {
        head: "head\n<fence>".into(),
        findings: vec!["one\n1| a".into(), "two".repeat(40), "three".repeat(40)],
        foot: "</fence>\n[Limits] x".into(),
    }
}

#[test]
fn a24_a_text_is_cut_between_findings_with_a_mark() {
    let fitted = sample().fit(|text| text.len() <= 200);
    assert_eq!((fitted.n_findings, fitted.truncated), (1, true));
    assert_eq!(
        fitted.text,
        "head\n<fence>\n\none\n1| a\n\n[truncated: more findings were left out]\n\n</fence>\n[Limits] x"
    );
}

#[test]
fn a_text_that_fits_does_not_change() {
    let fitted = sample().fit(|_| true);
    assert_eq!(fitted, FittedText { text: sample().text(), n_findings: 3, truncated: false });
}

#[test]
fn a_text_without_room_for_a_finding_is_empty() {
    assert_eq!(sample().fit(|text| text.len() < 60).text, "");
}

#[test]
fn a_text_with_very_many_findings_is_cut_quickly() {
    let text = ModelText { findings: vec![String::new(); 1_000_000], ..sample() };
    let fitted = text.fit(|text| text.len() <= 9_500);
    assert!(fitted.truncated && fitted.text.len() <= 9_500 && fitted.text.len() > 9_400);
}

proptest::proptest! {
    #[test]
    fn as_many_findings_as_fit_are_kept(findings in proptest::collection::vec("[\n a😀]{0,12}", 0..12), most in 0..160_usize) {
        let text = ModelText { findings, ..sample() };
        let fits = |text: &str| text.len() <= most;
        let kept = (1..=text.findings.len()).rev().find(|n| fits(&text.with_findings(*n)));
        let fitted = text.fit(fits);
        proptest::prop_assert_eq!(fitted.n_findings, kept.unwrap_or(0));
        proptest::prop_assert!(fits(&fitted.text));
    }
}
