use super::*;
use crate::agents::codex::arguments::CodexOptions;
use crate::usage::{Caps, SessionBudget, TotalUse};
use policy::{ApprovalSupport, Orders, Requested, Switches};

const HELP: &str = "  --output-format <x>  y\n  --permission-mode <x>  y\n  --restricted  y\n  --settings <x>  y\n  --strict-mcp-config  y\n  --tools <x>  y\n";

fn line(abilities: &ClaudeAbilities, requested: Requested, options: &CodexOptions) -> String {
    let orders =
        Orders::decide(requested, &Switches::read(&|_| None).unwrap(), ApprovalSupport::Impossible)
            .unwrap();
    let wanted = Wanted {
        effective: orders.effective,
        approval: orders.effective.approval,
        normalised: orders.normalised,
        writable_roots: &["/other".into()],
        options,
        profile: options.profile.as_deref(),
        thread: Some("s-1"),
        last_message: std::path::Path::new("/tmp/last"),
        budget: &SessionBudget {
            caps: Caps { max_turns: Some(5), ..Caps::default() },
            ..SessionBudget::default()
        },
        used: TotalUse { turns: 2, ..TotalUse::default() },
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
fn c10_read_only_has_only_tools_that_read() {
    let current = ClaudeAbilities::from_help("2.1.325", HELP);
    assert_eq!(
        line(&current, Requested::default(), &CodexOptions::default()),
        "--print --output-format stream-json --verbose --restricted --strict-mcp-config --permission-mode dontAsk --tools Read,Glob,Grep --add-dir /other --max-turns 3 --resume s-1"
    );
}

#[test]
fn c10_workspace_write_runs_commands_in_the_sandbox_without_network() {
    let current = ClaudeAbilities::from_help("2.1.325", HELP);
    let words = line(&current, asked(Sandbox::WorkspaceWrite), &CodexOptions::default());
    for part in [
        "--restricted",
        "--permission-mode acceptEdits",
        r#""failIfUnavailable":true"#,
        r#""allowUnsandboxedCommands":false"#,
        r#""allowedDomains":[]"#,
    ] {
        assert!(words.contains(part), "{part} is not in {words}");
    }
}

#[test]
fn c10_what_cannot_be_expressed_is_refused() {
    let current = ClaudeAbilities::from_help("2.1.325", HELP);
    let none = CodexOptions::default();
    let network = Requested { network: Network::Enabled, ..asked(Sandbox::WorkspaceWrite) };
    assert!(line(&current, network, &none).contains("can only allow named hosts"));
    let mut without = current.clone();
    without.missing_programs = vec!["bwrap", "socat"];
    assert!(line(&without, asked(Sandbox::WorkspaceWrite), &none).contains("bwrap and socat"));
    assert!(line(&without, Requested::default(), &none).contains("--tools Read,Glob,Grep"));
    let older = ClaudeAbilities::from_help("2.0.0", &HELP.replace("  --restricted  y\n", ""));
    assert!(line(&older, Requested::default(), &none).contains("has no `--restricted`"));
    let unknown = ClaudeAbilities::default();
    assert!(line(&unknown, Requested::default(), &none).contains("does not identify itself"));
    let options = |change: fn(&mut CodexOptions)| {
        let mut options = CodexOptions::default();
        change(&mut options);
        line(&current, Requested::default(), &options)
    };
    assert!(
        options(|it| it.profile = Some("p".to_owned()))
            .contains("--profile is supported only with codex")
    );
    assert!(
        options(|it| it.config = vec!["a=1".to_owned()]).contains("is supported only with codex")
    );
    assert!(
        options(|it| it.arguments = vec!["--oss".to_owned()])
            .contains("is supported only with codex")
    );
    assert!(
        options(|it| it.effort = Some("minimal".to_owned()))
            .contains("the effort `minimal` is not supported")
    );
}
