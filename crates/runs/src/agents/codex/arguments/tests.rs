use super::*;
use crate::usage::{SessionBudget, TotalUse};
use policy::{Approval, ApprovalSupport, Orders, Requested, Switches};

/// Returns the abilities of codex 0.166.
fn current() -> Abilities {
    let exec = "  -c, --config <x>\n      --disable <x>\n  -m, --model <x>\n  -s, --sandbox <x>\n      --dangerously-bypass-approvals-and-sandbox\n      --color <x>\n      --json\n";
    Abilities::from_help(
        "0.166.0",
        exec,
        "      --last\n",
        "unbounded_connection_retries stable true\n",
    )
}

/// Returns the abilities of an older codex, which accepts `--ask-for-approval`.
fn older() -> Abilities {
    let exec = "  -s, --sandbox <x>\n  -a, --ask-for-approval <x>\n      --dangerously-bypass-approvals-and-sandbox\n      --json\n";
    Abilities::from_help("0.50.0", exec, "", "")
}

fn words(
    abilities: &Abilities,
    requested: Requested,
    options: &CodexOptions,
    thread: Option<&str>,
) -> String {
    let asking = if abilities.accepts("--ask-for-approval") {
        ApprovalSupport::Possible
    } else {
        ApprovalSupport::Impossible
    };
    let orders = Orders::decide(requested, &Switches::read(&|_| None).unwrap(), asking).unwrap();
    let wanted = Wanted {
        effective: orders.effective,
        approval: orders.effective.approval,
        normalised: orders.normalised,
        writable_roots: &[],
        options,
        profile: options.profile.as_deref(),
        thread,
        last_message: std::path::Path::new("/tmp/last"),
        budget: &SessionBudget::default(),
        used: TotalUse::default(),
    };
    match command_line(abilities, &wanted) {
        Ok(line) => line.words().join(" "),
        Err(error) => error.to_string(),
    }
}

fn asked(sandbox: Sandbox) -> Requested {
    Requested { sandbox: Some(sandbox), ..Requested::default() }
}

#[test]
fn c8_the_current_codex_gets_one_sandbox_and_no_approval() {
    let plain = CodexOptions::default();
    assert_eq!(
        words(&current(), Requested::default(), &plain, None),
        "exec --json --color never --sandbox read-only --disable unbounded_connection_retries -"
    );
    let open = Requested { network: Network::Enabled, ..asked(Sandbox::WorkspaceWrite) };
    assert_eq!(
        words(&current(), open, &plain, Some("t-1")),
        "exec --json --color never --sandbox workspace-write --config sandbox_workspace_write.network_access=true --config sandbox_workspace_write.writable_roots=[] --disable unbounded_connection_retries resume t-1 -"
    );
    let bypass = Requested { bypass: Bypass::Yes, ..asked(Sandbox::ReadOnly) };
    assert_eq!(
        words(&current(), bypass, &plain, None),
        "exec --json --color never --dangerously-bypass-approvals-and-sandbox --disable unbounded_connection_retries -"
    );
}

#[test]
fn c1_a_restricted_network_and_empty_roots_are_passed() {
    for abilities in [current(), older(), Abilities::default()] {
        let options = CodexOptions { profile: Some("p".to_owned()), ..CodexOptions::default() };
        let line = words(&abilities, asked(Sandbox::WorkspaceWrite), &options, None);
        assert!(line.contains("network_access=false"), "{line}");
        assert!(line.contains("writable_roots=[]"), "{line}");
    }
}

#[test]
fn c8_a_codex_with_approvals_gets_the_approval_policy() {
    let options = CodexOptions::default();
    let line = words(&older(), asked(Sandbox::DangerFullAccess), &options, None);
    assert_eq!(line, "exec --json --sandbox danger-full-access --ask-for-approval on-request -");
    assert!(words(&older(), Requested::default(), &options, Some("t")).contains("cannot resume"));
}

#[test]
fn c8_an_unknown_program_gets_the_documented_command_line() {
    let requested = Requested {
        approval: Some(Approval::Never),
        full_auto: true,
        network: Network::Enabled,
        ..asked(Sandbox::WorkspaceWrite)
    };
    let options = CodexOptions {
        profile: Some("dev".to_owned()),
        config: vec!["a=1".to_owned()],
        arguments: vec!["--oss".to_owned()],
        ..CodexOptions::default()
    };
    assert_eq!(
        words(&Abilities::default(), requested, &options, None),
        "--sandbox workspace-write --ask-for-approval never --full-auto --config sandbox_workspace_write.network_access=true --config sandbox_workspace_write.writable_roots=[] --profile dev --config a=1 --oss exec --output-last-message /tmp/last"
    );
}

/// The command line contains the orders of the record, also if an approval policy was requested.
#[test]
fn c8_an_unknown_program_gets_no_more_rights_than_a_known_one() {
    let options = CodexOptions::default();
    let line = words(&Abilities::default(), asked(Sandbox::DangerFullAccess), &options, None);
    assert!(line.starts_with("--sandbox workspace-write --ask-for-approval never "), "{line}");
    let asks = Requested { approval: Some(Approval::OnRequest), ..asked(Sandbox::ReadOnly) };
    let line = words(&Abilities::default(), asks, &options, None);
    assert!(line.starts_with("--sandbox read-only --ask-for-approval never exec "), "{line}");
}

#[test]
fn c8_a_codex_without_a_sandbox_flag_is_refused() {
    let blind = Abilities::from_help("9.0.0", "      --json\n", "", "");
    let said = words(&blind, Requested::default(), &CodexOptions::default(), None);
    assert_eq!(said, "this version of codex (9.0.0) does not accept a sandbox");
}

#[test]
fn c8_models_and_their_effort() {
    assert_eq!(model_and_effort("gpt-5-codex high"), ("gpt-5-codex".into(), Some("high".into())));
    assert_eq!(model_and_effort("gpt-5-codex-low"), ("gpt-5-codex".into(), Some("low".into())));
    assert_eq!(model_and_effort("o3"), ("o3".into(), None));
    let options = CodexOptions {
        model: Some("o3".to_owned()),
        effort: Some("high".to_owned()),
        arguments: vec!["--search".to_owned()],
        ..CodexOptions::default()
    };
    let line = words(&current(), Requested::default(), &options, None);
    assert!(
        line.ends_with("--model o3 --config model_reasoning_effort=\"high\" --search -"),
        "{line}"
    );
}
