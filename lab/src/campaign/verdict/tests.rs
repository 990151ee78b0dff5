use super::*;

fn ended(code: i32, stdout: &str) -> Ended {
    Ended { code, stdout: stdout.as_bytes().to_vec(), stderr: Vec::new(), is_hung: false }
}

fn complaints(fault: Fault, ended: &Ended) -> Vec<Complaint> {
    complaints_about(Event::Prompt, fault, ended)
}

fn complaints_about(event: Event, fault: Fault, ended: &Ended) -> Vec<Complaint> {
    judge(fault, event, ended).into_iter().map(|(complaint, _)| complaint).collect()
}

#[test]
fn a40_a_correct_answer_has_no_complaint() {
    for stdout in [
        "{}",
        "{\"systemMessage\":\"x\"}",
        "{\"hookSpecificOutput\":{\"hookEventName\":\"UserPromptSubmit\",\"additionalContext\":\"\"}}",
    ] {
        assert_eq!(complaints(Fault::KernelHangs, &ended(0, stdout)), [], "{stdout}");
    }
}

#[test]
fn a40_each_wrong_answer_has_its_own_complaint() {
    for (code, stdout, expected) in [
        (2, "{}", Complaint::Blocked),
        (134, "{}", Complaint::Blocked),
        (0, "{\"decision\":\"block\"}", Complaint::Blocked),
        (0, "{\"continue\":false}", Complaint::Blocked),
        (0, "", Complaint::InvalidOutput),
        (0, "{}{}", Complaint::InvalidOutput),
        (0, "[]", Complaint::InvalidOutput),
        (0, "{\"other\":1}", Complaint::InvalidOutput),
        (0, "{\"hookSpecificOutput\":{}}", Complaint::InvalidOutput),
        (0, "{\"systemMessage\":7}", Complaint::InvalidOutput),
    ] {
        assert_eq!(complaints(Fault::KernelHangs, &ended(code, stdout)), [expected], "{stdout}");
    }
}

#[test]
fn a40_a_closed_stdout_excuses_the_output_and_not_the_exit_code() {
    assert_eq!(complaints(Fault::StdoutClosed, &ended(0, "")), []);
    assert_eq!(complaints(Fault::StdoutClosed, &ended(1, "")), [Complaint::Blocked]);
}

#[test]
fn a40_a_run_that_does_not_end_is_a_hang() {
    let hung = Ended { is_hung: true, ..ended(137, "") };
    assert_eq!(complaints(Fault::StdinOpen, &hung), [Complaint::Hang]);
}

#[test]
fn a40_without_a_fault_there_must_be_a_briefing() {
    assert_eq!(complaints(Fault::None, &ended(0, "{}")), [Complaint::NoBriefing]);
    let briefed = "{\"hookSpecificOutput\":{\"hookEventName\":\"UserPromptSubmit\",\"additionalContext\":\"src/retry_budget.rs:2\"}}";
    assert_eq!(complaints(Fault::None, &ended(0, briefed)), []);
}

#[test]
fn a40_a_tool_call_gets_its_own_input_with_a_longer_prompt_or_nothing() {
    let input = |fields: &str| {
        format!("{{\"hookSpecificOutput\":{{\"hookEventName\":\"PreToolUse\",{fields}}}}}")
    };
    let briefed =
        input("\"updatedInput\":{\"prompt\":\"retry_budget.rs\",\"subagent_type\":\"Explore\"}");
    for (stdout, expected) in [
        (briefed.as_str(), None),
        ("{}", Some(Complaint::NoBriefing)),
        (
            &input("\"updatedInput\":{\"prompt\":\"retry_budget.rs\"}"),
            Some(Complaint::InvalidOutput),
        ),
        (&input("\"permissionDecision\":\"deny\""), Some(Complaint::Blocked)),
        (&input("\"additionalContext\":\"retry_budget.rs\""), Some(Complaint::InvalidOutput)),
    ] {
        let complaints = complaints_about(Event::SubAgent, Fault::None, &ended(0, stdout));
        assert_eq!(complaints, Vec::from_iter(expected), "{stdout}");
    }
}
