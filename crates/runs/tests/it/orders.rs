use policy::{
    Approval, ApprovalSupport, Author, Bypass, Orders, Refusal, Requested, Sandbox, Switches,
};
use runs::{RunError, decide_orders};
use testkit::FakeCodex;

use crate::stage::Stage;

fn decide(requested: Requested, author: Author) -> Result<Orders, Refusal> {
    let switches = Switches::read(&|_| None)?;
    decide_orders(requested, author, &switches, ApprovalSupport::Impossible)
}

#[test]
fn c4_the_default_sandbox_of_a_model_is_workspace_write() {
    let model = Author::Model { may_bypass: false };
    let sandbox = |requested, author| decide(requested, author).unwrap().effective.sandbox;
    assert_eq!(sandbox(Requested::default(), model), Sandbox::WorkspaceWrite);
    assert_eq!(sandbox(Requested::default(), Author::Person), Sandbox::ReadOnly);
    let read_only = Requested { sandbox: Some(Sandbox::ReadOnly), ..Requested::default() };
    assert_eq!(sandbox(read_only, model), Sandbox::ReadOnly);
}

#[test]
fn c4_a_bypass_of_a_model_needs_permission() {
    let requested =
        Requested { bypass: Bypass::Yes, approval: Some(Approval::Never), ..Requested::default() };
    let orders = decide(requested, Author::Model { may_bypass: true }).unwrap();
    assert_eq!(orders.effective.sandbox, Sandbox::DangerFullAccess);
    let refused = decide(requested, Author::Model { may_bypass: false });
    assert_eq!(refused, Err(Refusal::BypassByModel));
}

/// The default is applied after the raw arguments, so it never conflicts with a sandbox that they set.
#[test]
fn c4_a_sandbox_in_raw_arguments_replaces_the_default_of_a_model() {
    for (arguments, expected) in [
        (&[][..], "workspace-write"),
        (&["-s", "read-only"], "read-only"),
        (&["-c", "sandbox_mode=\"read-only\""], "read-only"),
    ] {
        let stage = Stage::new(FakeCodex::answering("yes"), "task").with(|spec| {
            spec.author = Author::Model { may_bypass: false };
            spec.codex.arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
        });
        assert_eq!(stage.run().meta.effective_sandbox, expected, "{arguments:?}");
    }
    let bypass = Stage::new(FakeCodex::answering("yes"), "task").with(|spec| {
        spec.author = Author::Model { may_bypass: false };
        spec.codex.arguments = vec!["--yolo".to_owned()];
    });
    assert!(matches!(bypass.try_run(), Err(RunError::Orders(Refusal::BypassByModel))));
    assert_eq!(bypass.codex.n_runs(), 0);
}
