use super::*;

fn judged(config: &[&str], raw: &[&str]) -> Result<Judged, RawArgumentError> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    judge(Requested::default(), &owned(config), &owned(raw))
}

#[test]
fn c2_raw_arguments_cannot_smuggle_orders_past_the_policy() {
    for raw in [
        &["--sandbox", "danger-full-access"][..],
        &["--sandbox=danger-full-access"],
        &["-s", "danger-full-access"],
        &["-sdanger-full-access"],
        &["-c", "sandbox_mode=\"danger-full-access\""],
        &["--config=sandbox_mode=danger-full-access"],
    ] {
        let judged = judged(&[], raw).unwrap();
        assert_eq!(judged.requested.sandbox, Some(Sandbox::DangerFullAccess), "{raw:?}");
        assert!(judged.rest.is_empty(), "{raw:?}");
    }
    assert_eq!(judged(&[], &["--yolo"]).unwrap().requested.bypass, Bypass::Yes);
    let config = judged(&["sandbox_mode='read-only'", "model=x"], &[]).unwrap();
    assert_eq!(config.requested.sandbox, Some(Sandbox::ReadOnly));
    assert_eq!(config.config, ["model=x"]);
}

#[test]
fn c8_the_rest_goes_through_untouched() {
    let raw = ["--profile", "dev", "-c", "foo.bar=1", "--search", "-i", "a.png"];
    assert_eq!(judged(&[], &raw).unwrap().rest, raw);
}

#[test]
fn c2_contradictions_and_nonsense_are_refused() {
    assert!(judged(&["sandbox_mode=read-only"], &["-s", "workspace-write"]).is_err());
    assert!(judged(&[], &["--sandbox"]).is_err());
    assert!(judged(&[], &["-a", "bogus"]).is_err());
    assert!(judged(&[], &["--approve-for-me"]).is_err());
}
