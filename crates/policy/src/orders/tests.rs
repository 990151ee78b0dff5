use super::*;

const COMBINATIONS: &str = include_str!("combinations.txt");

fn change(reason: Reason) -> &'static str {
    if matches!(reason, Reason::ApprovalAdded(_)) {
        "approval-added"
    } else if matches!(reason, Reason::Lowered { .. }) {
        "lowered"
    } else if reason == Reason::BypassAllowed {
        "bypass-added"
    } else {
        panic!("{reason}")
    }
}

/// Returns the decision for one row of the table, in the notation of the table.
fn answer(asked: &[&str]) -> String {
    let [sandbox, approval, bypass, full_auto, allow, degrade, default] = asked else {
        panic!("not a row: {asked:?}")
    };
    let given = |word: &str| (word != "-").then(|| word.to_owned());
    let lookup = |name: &str| match name {
        "ALLOW_DFA_WITH_NEVER" => given(allow),
        "DFA_DEGRADE_ON_NEVER" => given(degrade),
        "DEFAULT_APPROVAL_FOR_DFA" => given(default),
        _ => None,
    };
    let switches = Switches::read(&lookup).unwrap();
    let requested = Requested {
        sandbox: given(sandbox).map(|word| word.parse().unwrap()),
        approval: given(approval).map(|word| word.parse().unwrap()),
        network: Network::Restricted,
        bypass: if *bypass == "bypass" { Bypass::Yes } else { Bypass::No },
        full_auto: *full_auto == "full-auto",
    };
    let mut reasons = Vec::new();
    match normalise(requested, &switches, &mut reasons) {
        Err(Refusal::Conflict) => "refused conflict".to_owned(),
        Err(Refusal::FullAccessWithNever) => "refused combination".to_owned(),
        Err(refusal) => panic!("{refusal}"),
        Ok(orders) => {
            let changed: Vec<&str> = reasons.iter().map(|reason| change(*reason)).collect();
            let changed = if changed.is_empty() { vec!["-"] } else { changed };
            let words = [
                orders.sandbox.map_or("-", Sandbox::word),
                orders.approval.map_or("-", Approval::word),
                if orders.full_auto { "full-auto" } else { "-" },
                if orders.bypass == Bypass::Yes { "bypass" } else { "-" },
                &changed.join("+"),
            ];
            format!("runs {}", words.join(" "))
        }
    }
}

#[test]
fn c1_c2_c3_every_combination_of_the_table() {
    let mut n_rows = 0;
    for row in COMBINATIONS.lines().filter(|line| !line.starts_with('#')) {
        let (asked, expected) = row.split_once('|').unwrap();
        let asked: Vec<&str> = asked.split_whitespace().collect();
        let expected = expected.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(answer(&asked), expected, "{row}");
        n_rows += 1;
    }
    assert_eq!(n_rows, 158);
}

fn everything() -> impl Iterator<Item = (Requested, Switches)> {
    let sandboxes = [None].into_iter().chain(Sandbox::ALL.map(Some));
    let bits = 0..2_u8.pow(6);
    sandboxes.flat_map(move |sandbox| {
        let approvals = [None].into_iter().chain(Approval::ALL.map(Some));
        let bits = bits.clone();
        approvals.flat_map(move |approval| {
            bits.clone().map(move |bits| {
                let bit = |n: u8| bits >> n & 1 == 1;
                let requested = Requested {
                    sandbox,
                    approval,
                    network: if bit(0) { Network::Enabled } else { Network::Restricted },
                    bypass: if bit(1) { Bypass::Yes } else { Bypass::No },
                    full_auto: bit(2),
                };
                let switches = Switches {
                    full_access_with_never: bit(3),
                    bypass_by_model: false,
                    on_never: if bit(4) {
                        OnNever::Refuse
                    } else {
                        OnNever::Lower(Sandbox::WorkspaceWrite)
                    },
                    approval_for_full_access: if bit(5) {
                        Approval::Never
                    } else {
                        Approval::OnRequest
                    },
                };
                (requested, switches)
            })
        })
    })
}

/// Checks the principle of the table: full access needs an explicit request.
#[test]
fn c3_no_order_is_widened_without_an_explicit_request() {
    for (requested, switches) in everything() {
        for asking in [ApprovalSupport::Possible, ApprovalSupport::Impossible] {
            let Ok(orders) = Orders::decide(requested, &switches, asking) else { continue };
            let case = format!("{requested:?} {switches:?} {asking:?} -> {orders:?}");
            let Effective { sandbox, approval, network, bypass } = orders.effective;
            if bypass == Bypass::Yes {
                let allowed = switches.full_access_with_never
                    && requested.sandbox == Some(Sandbox::DangerFullAccess);
                assert!(requested.bypass == Bypass::Yes || allowed, "{case}");
                continue;
            }
            let named = match requested.sandbox {
                Some(named) => named,
                None if requested.full_auto => Sandbox::WorkspaceWrite,
                None => Sandbox::ReadOnly,
            };
            assert!(sandbox <= named, "{case}");
            assert!(
                sandbox != Sandbox::DangerFullAccess || approval != Approval::Never,
                "full access without approvals and without a bypass: {case}"
            );
            assert!(
                network == Network::Restricted
                    || requested.network == Network::Enabled
                    || sandbox == Sandbox::DangerFullAccess,
                "{case}"
            );
            if asking == ApprovalSupport::Impossible {
                assert_eq!(approval, Approval::Never, "{case}");
            }
        }
    }
}

#[test]
fn c1_the_three_modes_with_approval_never() {
    let effective = |sandbox: &str, network| {
        let requested = Requested {
            sandbox: Some(sandbox.parse().unwrap()),
            approval: Some(Approval::Never),
            network,
            ..Requested::default()
        };
        let switches =
            Switches { full_access_with_never: true, ..Switches::read(&|_| None).unwrap() };
        let orders = Orders::decide(requested, &switches, ApprovalSupport::Impossible).unwrap();
        let Effective { sandbox, approval, network, bypass } = orders.effective;
        format!("{sandbox} {approval} {} {bypass:?}", network.word())
    };
    assert_eq!(effective("read-only", Network::Enabled), "read-only never restricted No");
    assert_eq!(
        effective("workspace-write", Network::Restricted),
        "workspace-write never restricted No"
    );
    assert_eq!(effective("workspace-write", Network::Enabled), "workspace-write never enabled No");
    assert_eq!(
        effective("danger-full-access", Network::Restricted),
        "danger-full-access never enabled Yes"
    );
}

#[test]
fn c4_a_tool_call_gets_defaults_for_omitted_fields() {
    let check = |requested: Requested, expected: Requested| {
        assert_eq!(requested.for_tool_call(), expected);
    };
    let nothing = Requested::default();
    check(nothing, Requested { sandbox: Some(Sandbox::WorkspaceWrite), ..nothing });
    let read_only = Requested { sandbox: Some(Sandbox::ReadOnly), ..nothing };
    check(read_only, read_only);
    let bypass = Requested { bypass: Bypass::Yes, approval: Some(Approval::OnRequest), ..nothing };
    let full = Requested {
        bypass: Bypass::Yes,
        sandbox: Some(Sandbox::DangerFullAccess),
        approval: None,
        ..nothing
    };
    check(bypass, full);
}

#[test]
fn c3_a_continued_session_never_gets_wider_orders() {
    let stored = Effective {
        sandbox: Sandbox::ReadOnly,
        approval: Approval::Never,
        network: Network::Restricted,
        bypass: Bypass::No,
    };
    let continued = |asked| {
        Orders::continued(
            stored,
            asked,
            asked,
            &Switches::read(&|_| None).unwrap(),
            ApprovalSupport::Impossible,
        )
    };
    assert_eq!(continued(Requested::default()).unwrap().effective, stored);
    let wider = Requested { sandbox: Some(Sandbox::WorkspaceWrite), ..Requested::default() };
    assert!(matches!(continued(wider), Err(Refusal::Wider { .. })));
    let same = Requested { approval: Some(Approval::Never), ..Requested::default() };
    assert_eq!(continued(same).unwrap().effective, stored);
    let network = Requested { network: Network::Enabled, ..Requested::default() };
    assert_eq!(continued(network).unwrap().effective, stored, "read-only has no network");
    let bypass = Requested { bypass: Bypass::Yes, ..Requested::default() };
    assert!(matches!(continued(bypass), Err(Refusal::Wider { .. })));
}

/// Tries every stored session with every combination of flags and switches, as a person's and as a model's request.
#[test]
fn c3_a_continued_session_gets_no_more_than_a_new_run() {
    let stored = [Sandbox::ReadOnly, Sandbox::WorkspaceWrite, Sandbox::DangerFullAccess]
        .into_iter()
        .flat_map(|sandbox| [(sandbox, Bypass::No), (sandbox, Bypass::Yes)])
        .flat_map(|(sandbox, bypass)| {
            [Network::Restricted, Network::Enabled].map(|network| Effective {
                sandbox,
                approval: Approval::Never,
                network,
                bypass,
            })
        });
    let mut n_continued = 0;
    for stored in stored {
        for (requested, switches) in everything() {
            for new_run in [requested, requested.for_tool_call()] {
                let decided = Orders::decide(new_run, &switches, ApprovalSupport::Impossible);
                let continued = Orders::continued(
                    stored,
                    requested,
                    new_run,
                    &switches,
                    ApprovalSupport::Impossible,
                );
                let Ok(continued) = continued else { continue };
                let (new, continued) = (decided.unwrap().effective, continued.effective);
                let is_wider = |limit: Effective| {
                    continued.sandbox > limit.sandbox
                        || continued.bypass > limit.bypass
                        || (continued.network == Network::Enabled
                            && limit.network == Network::Restricted)
                };
                assert!(!is_wider(new), "{stored:?} {requested:?} {switches:?}");
                assert!(continued.sandbox <= stored.sandbox && continued.bypass <= stored.bypass);
                n_continued += 1;
            }
        }
    }
    assert!(n_continued > 0);
}

#[test]
fn c3_invalid_switches_are_refused() {
    let read = |name: &'static str, value: &str| {
        let value = value.to_owned();
        Switches::read(&move |asked: &str| (asked == name).then(|| value.clone()))
    };
    assert!(read("DFA_DEGRADE_TARGET", "danger-full-access").is_err());
    assert!(read("DFA_DEGRADE_TARGET", "readonly").is_err());
    assert!(read("DEFAULT_APPROVAL_FOR_DFA", "sometimes").is_err());
    assert_eq!(read("DFA_DEGRADE_ON_NEVER", "yes").unwrap().on_never, OnNever::Refuse);
    assert!(!read("ALLOW_DFA_WITH_NEVER", "true").unwrap().full_access_with_never);
}

/// Tries every combination of flags and switches as a model's request, for versions of codex that can ask and that
/// cannot.
#[test]
fn c4_a_model_gets_no_full_access_that_a_person_did_not_allow() {
    let (mut n_refused, mut n_allowed) = (0, 0);
    let cases = everything().flat_map(|(requested, switches)| {
        [ApprovalSupport::Possible, ApprovalSupport::Impossible]
            .map(|asking| (requested, switches.clone(), asking))
    });
    for (requested, switches, asking) in cases {
        let Ok(orders) = Orders::decide(requested.for_tool_call(), &switches, asking) else {
            continue;
        };
        let is_open = orders.effective.sandbox == Sandbox::DangerFullAccess;
        assert!(is_open || orders.effective.bypass == Bypass::No, "{requested:?} {switches:?}");
        let model = |may_bypass| Author::Model { may_bypass };
        let checked = orders.check_author(model(false), &switches);
        let is_refused = is_open && !switches.full_access_with_never;
        assert_eq!(checked.is_err(), is_refused, "{requested:?} {switches:?} {asking:?}");
        n_refused += usize::from(is_refused);
        n_allowed += usize::from(is_open && !is_refused);
        let allows = Switches { bypass_by_model: true, ..switches.clone() };
        assert_eq!(orders.check_author(model(false), &allows), Ok(()));
        assert_eq!(orders.check_author(model(true), &switches), Ok(()));
        assert_eq!(orders.check_author(Author::Person, &switches), Ok(()));
    }
    assert!(n_refused > 0 && n_allowed > 0, "{n_refused} {n_allowed}");
}
