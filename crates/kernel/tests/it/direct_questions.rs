//! The answer to a direct question is the first finding, with the line of the call.

use contract::Status;
use testkit::Repository;

use crate::fixture::{context, fixture, on, result};

/// Returns the line of the first finding in the text for the model.
fn first_finding(context: &str) -> &str {
    context.lines().find(|line| line.starts_with("- ")).unwrap_or_default()
}

#[test]
fn who_calls_a_function_is_answered_first_in_four_languages() {
    let fixture = fixture();
    for prompt in [
        "who calls enforce_retry_budget_zebra?",
        "谁调用了 enforce_retry_budget_zebra？",
        "кто вызывает enforce_retry_budget_zebra?",
        "enforce_retry_budget_zebra を呼び出しているのはどこ？",
    ] {
        let briefed = fixture.brief(prompt);
        let first = first_finding(context(&briefed));
        let calls = ": calls `enforce_retry_budget_zebra`: ";
        let is_first = first.starts_with("- src/main.rs:2 `main`") && first.contains(calls);
        assert!(is_first, "{prompt}: {}", context(&briefed));
        assert!(first.contains("enforce_retry_budget_zebra(3);"), "{first}");
    }
}

#[test]
fn a_name_with_an_underscore_is_not_the_name_without_it() {
    let files = Repository::builder()
        .file("a.py", "def check_zebra(x):\n    return x\n\n\ndef _check_zebra(x):\n    return x\n")
        .file("b.py", "from a import check_zebra\n\n\ndef public():\n    return check_zebra(1)\n")
        .file(
            "c.py",
            "from a import _check_zebra\n\n\ndef hidden():\n    return _check_zebra(2)\n",
        );
    let briefed = on(files).brief("who calls `_check_zebra`?");
    let context = context(&briefed);
    let first = first_finding(context);
    assert!(first.starts_with("- c.py:5 `hidden`") && first.contains(": calls "), "{context}");
    assert_eq!(context.matches(": calls ").count(), 1, "{context}");
}

#[test]
fn all_ten_callers_and_the_number_of_the_others_are_in_the_briefing() {
    let mut text = "def shared_zebra_helper():\n    pass\n".to_owned();
    for number in 0..13 {
        text += &format!("\n\ndef caller_{number:02}():\n    shared_zebra_helper()\n");
    }
    let briefed =
        on(Repository::builder().file("many.py", text)).brief("who calls shared_zebra_helper?");
    let context = context(&briefed);
    assert_eq!(context.matches(": calls `shared_zebra_helper`").count(), 10, "{context}");
    assert!(context.contains("- 3 more callers of `shared_zebra_helper`"), "{context}");
}

#[test]
fn texts_flags_and_variables_are_found() {
    let code = "import os\n\nURL = os.environ[\"ZEBRA_URL\"]\nFLAG = \"--zebra-mode\"\n";
    let form = "<form>\n  <button>Save the zebra</button>\n</form>\n";
    let files = Repository::builder().file("app/cli.py", code).file("app/form.html", form);
    let fixture = on(files).env("CI_AUTO_TOOLS", "on");
    for (prompt, citation) in [
        ("where is ZEBRA_URL read?", "app/cli.py:3"),
        ("ZEBRA_URL 在哪里读取？", "app/cli.py:3"),
        ("where is --zebra-mode defined?", "app/cli.py:4"),
        ("which file has the button 'Save the zebra'? where is it defined?", "app/form.html:2"),
    ] {
        let briefed = fixture.brief(prompt);
        let first = first_finding(context(&briefed));
        assert!(first.starts_with(&format!("- {citation}")), "{prompt}: {}", context(&briefed));
    }
}

/// Uses a folder with more files than are indexed at once.
#[test]
fn a_question_is_answered_by_text_while_there_is_no_index() {
    let run = "from pay import charge_zebra\n\n\ndef run():\n    return charge_zebra()\n";
    let mut files = Repository::builder()
        .file("src/pay.py", "def charge_zebra():\n    return 1\n")
        .file("src/use.py", run);
    for number in 0..320 {
        files = files.file(format!("data/{number}.txt"), "nothing\n");
    }
    let briefed = on(files).brief("who calls `charge_zebra`?");
    let first = first_finding(context(&briefed));
    let is_first = first.starts_with("- src/use.py:5 `run`");
    assert!(is_first && first.contains(": calls `charge_zebra`"), "{}", context(&briefed));
    assert_eq!(result(&briefed, "ci_graph_rag").0, Status::Ok);
}

#[test]
fn a20_tier_2_questions_are_answered_if_enabled() {
    let briefed = fixture()
        .env("CI_AUTO_TOOLS_TIER_MAX", "2")
        .brief("who calls enforce_retry_budget_zebra()?");
    assert_eq!(result(&briefed, "ci_call_chain"), (Status::Ok, None));
    assert!(context(&briefed).contains("src/main.rs:2"), "{}", context(&briefed));
}
