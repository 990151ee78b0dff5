//! The answer to a direct question is the first finding, with the line of the call.

use testkit::Repository;

use crate::fixture::{context, fixture, on, result};

/// Returns the line of the first finding in the text for the model.
fn first_finding(context: &str) -> &str {
    context.lines().find(|line| line.starts_with("- ")).unwrap_or_default()
}

#[test]
fn who_calls_a_function_is_answered_first_in_english_and_chinese() {
    for prompt in [
        "who calls enforce_retry_budget_zebra?",
        "谁调用了 enforce_retry_budget_zebra？",
        "кто вызывает enforce_retry_budget_zebra?",
        "enforce_retry_budget_zebra を呼び出しているのはどこ？",
    ] {
        let (briefing, _) = fixture().json(prompt);
        let first = first_finding(context(&briefing));
        assert!(
            first.starts_with("- src/main.rs:2 `main`")
                && first.contains(": calls `enforce_retry_budget_zebra`: "),
            "{prompt}: {}",
            context(&briefing)
        );
        assert!(first.contains("enforce_retry_budget_zebra(3);"), "{first}");
    }
}

#[test]
fn a_name_with_an_underscore_is_not_the_name_without_it() {
    let repository = Repository::builder()
        .file("a.py", "def check_zebra(x):\n    return x\n\n\ndef _check_zebra(x):\n    return x\n")
        .file("b.py", "from a import check_zebra\n\n\ndef public():\n    return check_zebra(1)\n")
        .file("c.py", "from a import _check_zebra\n\n\ndef hidden():\n    return _check_zebra(2)\n")
        .commit("init")
        .build();
    let (briefing, _) = on(repository).json("who calls `_check_zebra`?");
    let context = context(&briefing);
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
    let repository = Repository::builder().file("many.py", text).commit("init").build();
    let (briefing, _) = on(repository).json("who calls shared_zebra_helper?");
    let context = context(&briefing);
    assert_eq!(context.matches(": calls `shared_zebra_helper`").count(), 10, "{context}");
    assert!(context.contains("- 3 more callers of `shared_zebra_helper`"), "{context}");
}

#[test]
fn texts_flags_and_variables_are_found() {
    let repository = || {
        Repository::builder()
            .file(
                "app/cli.py",
                "import os\n\nURL = os.environ[\"ZEBRA_URL\"]\nFLAG = \"--zebra-mode\"\n",
            )
            .file("app/form.html", "<form>\n  <button>Save the zebra</button>\n</form>\n")
            .commit("init")
            .build()
    };
    for (prompt, citation) in [
        ("where is ZEBRA_URL read?", "app/cli.py:3"),
        ("ZEBRA_URL 在哪里读取？", "app/cli.py:3"),
        ("where is --zebra-mode defined?", "app/cli.py:4"),
        ("which file has the button 'Save the zebra'? where is it defined?", "app/form.html:2"),
    ] {
        let (briefing, _) = on(repository()).env("CI_AUTO_TOOLS", "on").json(prompt);
        let first = first_finding(context(&briefing));
        assert!(first.starts_with(&format!("- {citation}")), "{prompt}: {}", context(&briefing));
    }
}

/// Uses a folder with more files than are indexed at once.
#[test]
fn a_question_is_answered_by_text_while_there_is_no_index() {
    let mut builder =
        Repository::builder().file("src/pay.py", "def charge_zebra():\n    return 1\n").file(
            "src/use.py",
            "from pay import charge_zebra\n\n\ndef run():\n    return charge_zebra()\n",
        );
    for number in 0..320 {
        builder = builder.file(format!("data/{number}.txt"), "nothing\n");
    }
    let (briefing, _) = on(builder.commit("init").build()).json("who calls `charge_zebra`?");
    let first = first_finding(context(&briefing));
    assert!(
        first.starts_with("- src/use.py:5 `run`") && first.contains(": calls `charge_zebra`"),
        "{}",
        context(&briefing)
    );
    assert_eq!(result(&briefing, "ci_graph_rag").0, "ok");
}
