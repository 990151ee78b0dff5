use super::*;
use policy::Sandbox;

const MODEL: Author = Author::Model { may_bypass: false };

fn judged_for(author: Author, config: &[&str], raw: &[&str]) -> Result<Judged, RawArgumentError> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let options =
        CodexOptions { config: owned(config), arguments: owned(raw), ..CodexOptions::default() };
    judge(Requested::default(), &options, author)
}

fn judged(config: &[&str], raw: &[&str]) -> Result<Judged, RawArgumentError> {
    judged_for(Author::Person, config, raw)
}

#[test]
fn c2_orders_in_raw_arguments_are_judged() {
    for raw in [
        &["--sandbox", "danger-full-access"][..],
        &["--sandbox=danger-full-access"],
        &["-s", "danger-full-access"],
        &["-sdanger-full-access"],
        &["-s=danger-full-access"],
        &["-c", "sandbox_mode=\"danger-full-access\""],
        &["-c", " sandbox_mode = '''danger-full-access''' "],
        &["-csandbox_mode=\"danger\\u002dfull-access\""],
        &["--config=sandbox_mode=danger-full-access"],
        &["-c", "sandbox_mode=read-only", "-c", "sandbox_mode=read-only", "--sandbox=read-only"],
    ] {
        for author in [Author::Person, MODEL] {
            let judged = judged_for(author, &[], raw).unwrap();
            let expected =
                if raw.len() > 2 { Sandbox::ReadOnly } else { Sandbox::DangerFullAccess };
            assert_eq!(judged.requested.sandbox, Some(expected), "{raw:?}");
            assert_eq!(judged.options, CodexOptions::default(), "{raw:?}");
        }
    }
    for bypass in ["--yolo", "--dangerously-bypass-approvals-and-sandbox"] {
        assert_eq!(judged(&[], &[bypass]).unwrap().requested.bypass, Bypass::Yes);
    }
    let config = judged(&["sandbox_mode='read-only'", "model=x"], &[]).unwrap();
    assert_eq!(config.requested.sandbox, Some(Sandbox::ReadOnly));
    assert_eq!(config.options.config, ["model=\"x\""]);
}

/// Checks the network and the writable directories after several entries are merged, as codex merges them.
#[test]
fn c1_the_workspace_table_is_judged_after_all_entries() {
    let check = |config: &[&str], network, roots: &[&str]| {
        let in_arguments: Vec<String> = config.iter().map(|entry| format!("-c{entry}")).collect();
        let in_arguments: Vec<&str> = in_arguments.iter().map(String::as_str).collect();
        for judged in [judged(config, &[]), judged(&[], &in_arguments)] {
            let judged = judged.unwrap();
            assert_eq!(judged.requested.network, network, "{config:?}");
            assert_eq!(judged.writable_roots, roots, "{config:?}");
            assert!(judged.options.config.is_empty(), "{config:?}");
        }
    };
    let (open, closed) = (Network::Enabled, Network::Restricted);
    check(&["sandbox_workspace_write={network_access=true,writable_roots=[\"/\"]}"], open, &["/"]);
    check(&["sandbox_workspace_write={\"network_access\" = true}"], open, &[]);
    check(&["sandbox_workspace_write={\"network\\u005faccess\" = true}"], open, &[]);
    check(&["sandbox_workspace_write.network_access = true "], open, &[]);
    check(&["sandbox_workspace_write.writable_roots=['/a', \"/b\"]"], closed, &["/a", "/b"]);
    check(
        &["sandbox_workspace_write.network_access=true", "sandbox_workspace_write={}"],
        closed,
        &[],
    );
    check(
        &["sandbox_workspace_write={}", "sandbox_workspace_write.network_access=true"],
        open,
        &[],
    );
    check(
        &[
            "sandbox_workspace_write.network_access=true",
            "sandbox_workspace_write.network_access=false",
        ],
        closed,
        &[],
    );
    let added = judged(&[], &["--add-dir", "/a", "--add-dir=/b"]).unwrap();
    assert_eq!(added.writable_roots, ["/a", "/b"]);
    assert!(added.options.arguments.is_empty());
    for unclear in [
        "sandbox_workspace_write=true",
        "sandbox_workspace_write={network_access=true",
        "sandbox_workspace_write.network_access=yes",
        "sandbox_workspace_write.network_access=\"true\"",
        "sandbox_workspace_write.network_access.x=true",
        "sandbox_workspace_write.\"network_access\"=true",
        "sandbox_workspace_write.writable_roots=\"/\"",
        "sandbox_workspace_write.writable_roots=[1]",
        "sandbox_workspace_write.tomorrow=true",
        "sandbox_workspace_write . network_access=true",
        "\"sandbox_workspace_write\".network_access=true",
        "sandbox_mode={a=1}",
        "sandbox_mode.x=1",
        "approval_policy={granular={}}",
        "sandbox_mode",
        "=x",
    ] {
        assert!(judged(&[unclear], &[]).is_err(), "{unclear}");
    }
    let options = CodexOptions {
        config: vec!["sandbox_workspace_write.network_access=false".to_owned()],
        ..CodexOptions::default()
    };
    let contradicts = Requested { network: open, ..Requested::default() };
    assert!(judge(contradicts, &options, Author::Person).is_err());
}

/// Checks each row of the table of flags, for a person and for a model.
#[test]
fn c4_every_flag_is_judged_for_both_authors() {
    use FlagMeaning as M;
    use Permission as P;
    let mut n_rows = 0;
    for flag in &flags::FLAGS {
        let value = match flag.meaning {
            M::Sandbox => "read-only",
            M::Approval => "never",
            M::Config => "model=x",
            M::Feature(_) => "fast_mode",
            M::Bypass
            | M::FullAuto
            | M::AddDirectory
            | M::Profile
            | M::Model
            | M::AlreadyPassed
            | M::Other(_) => "value",
        };
        let joined = format!("{}={value}", flag.name);
        let takes_value =
            !matches!(judged(&[], &[&joined]), Err(RawArgumentError::UnexpectedValue { .. }));
        let word = if takes_value { joined } else { flag.name.to_owned() };
        let is_for_person = !matches!(flag.meaning, M::Other(P::Refused(_)));
        assert_eq!(judged(&[], &[&word]).is_ok(), is_for_person, "{word}");
        let is_for_model = match flag.meaning {
            M::Sandbox | M::Approval | M::Bypass | M::FullAuto | M::Config => true,
            M::Profile | M::Model | M::AlreadyPassed | M::Other(P::Anyone) => true,
            M::Feature(_) | M::AddDirectory | M::Other(_) => false,
        };
        assert_eq!(judged_for(MODEL, &[], &[&word]).is_ok(), is_for_model, "{word}");
        if let (M::Other(P::Recorded(_)), Ok(judged)) = (flag.meaning, judged(&[], &[&word])) {
            assert_eq!(judged.notes.len(), 1, "{word}");
        }
        n_rows += 1;
    }
    assert_eq!(n_rows, 31);
}

#[test]
fn c4_a_model_can_set_only_a_few_keys() {
    for harmless in [
        "model=x",
        "model_reasoning_effort=low",
        "model_verbosity=\"low\"",
        "hide_agent_reasoning=true",
        "web_search=\"cached\"",
        "sandbox_mode=read-only",
        "approval_policy=never",
        "sandbox_workspace_write={network_access=true}",
    ] {
        assert!(judged_for(MODEL, &[harmless], &[]).is_ok(), "{harmless}");
    }
    for (entry, is_recorded) in [
        ("notify=[\"sh\"]", true),
        ("mcp_servers.a.command=\"sh\"", true),
        ("mcp_servers={a={command=\"sh\"}}", true),
        ("hooks.a=1", true),
        ("shell_environment_policy.inherit=all", true),
        ("model_providers.a.base_url=\"http://a\"", true),
        ("model_provider=a", true),
        ("openai_base_url=\"http://a\"", true),
        ("projects={\"/\"={trust_level=\"trusted\"}}", true),
        ("web_search=\"live\"", true),
        ("otel.exporter=a", true),
        ("sandbox_workspace_write.writable_roots=[\"/\"]", false),
        ("instructions=\"a\"", false),
        ("features.fast_mode=true", false),
    ] {
        assert!(judged_for(MODEL, &[entry], &[]).is_err(), "{entry}");
        let judged = judged(&[entry], &[]).unwrap();
        assert_eq!(judged.notes.len(), usize::from(is_recorded), "{entry}: {:?}", judged.notes);
    }
    for unclear in [
        "default_permissions=\":danger-full-access\"",
        "permissions.a={}",
        "approvals_reviewer=\"auto_review\"",
        "auto_review.policy=\"yes\"",
        "profile=\"a\"",
        "profiles.a.sandbox_mode=\"danger-full-access\"",
        "features.fast_mode={a=1}",
        "features.network_proxy={a=1}",
        "use_legacy_landlock=true",
        "features.use_legacy_landlock=true",
        "features={use_legacy_landlock=true}",
        "sandbox_permissions=[\"disk-full-write-access\"]",
        "model.x=1",
        "a key=1",
        "\"a_key\"=1",
    ] {
        assert!(judged(&[unclear], &[]).is_err(), "{unclear}");
        assert!(judged(&[], &["-c", unclear]).is_err(), "{unclear}");
    }
    assert!(judged(&[], &["--enable", "use_legacy_landlock"]).is_err());
}

/// What cannot be judged is refused for a model. The user is warned, and codex gets the argument as it is.
#[test]
fn c4_arguments_that_cannot_be_judged_are_passed_with_a_warning_for_the_user_only() {
    #[track_caller]
    fn check(config: &[&str], raw: &[&str], named: &str) {
        let refused = judged_for(MODEL, config, raw);
        assert!(refused.is_err(), "{config:?} {raw:?}");
        let Judged { options, warnings, .. } = judged(config, raw).unwrap();
        let passed = options.config.iter().chain(&options.arguments);
        assert!(passed.clone().any(|word| word.starts_with(named)), "{options:?}");
        assert_eq!((passed.count(), warnings.len()), (1, 1), "{warnings:?}");
        assert!(warnings[0].contains(&format!("`{named}`")) && warnings[0].contains("not judged"));
    }
    check(&["foo.bar=\"baz\""], &[], "foo.bar");
    check(&["a_number=42"], &[], "a_number");
    check(&["Sandbox_mode=read-only"], &[], "Sandbox_mode");
    check(&[], &["--config", "foo.bar=1"], "foo.bar");
    check(&["features.network_proxy=true"], &[], "features.network_proxy");
    check(&[], &["--enable", "network_proxy"], "features.network_proxy");
    check(&[], &["--tomorrow"], "--tomorrow");
    check(&[], &["--tomorrow=never"], "--tomorrow");
}

#[test]
fn c8_harmless_flags_reach_codex_in_one_word_each() {
    let raw = ["--profile", "dev", "-c", "model=o3", "--search", "-i", "a.png", "-mgpt"];
    let options = judged(&[], &raw).unwrap().options;
    assert_eq!(options.profile.as_deref(), Some("dev"));
    assert_eq!(options.model.as_deref(), Some("gpt"));
    assert_eq!(options.config, ["model=\"o3\""]);
    assert_eq!(options.arguments, ["--search", "--image=a.png"]);
}

#[test]
fn c5_positionals_unknown_flags_and_names_that_are_flags_are_refused() {
    for raw in [
        &["resume", "t"][..],
        &["fork", "t"],
        &["review"],
        &["-"],
        &["--"],
        &["--", "resume"],
        &[""],
        &["--ephemeral", "resume", "--last"],
        &["--i", "a"],
        &["--a b"],
        &["-x"],
        &["-xs"],
        &["-m", "-s"],
        &["-c", "-s"],
        &["--json=x"],
        &["--model="],
        &["--model=-C/"],
        &["--profile=../x"],
        &["-p", "-x"],
        &["-m", "a", "--model", "b"],
        &["-Vs"],
    ] {
        assert!(judged(&[], raw).is_err(), "{raw:?}");
    }
}

#[test]
fn c2_contradictions_and_nonsense_are_refused() {
    assert!(judged(&["sandbox_mode=read-only"], &["-s", "workspace-write"]).is_err());
    assert!(judged(&[], &["--sandbox"]).is_err());
    assert!(judged(&[], &["-a", "bogus"]).is_err());
    assert!(judged(&[], &["--approve-for-me"]).is_err());
    assert!(judged(&[], &["--not-so-yolo"]).is_err());
}
