use super::*;

fn read(prompt: &str) -> Reading {
    read_signals(&Request { prompt: prompt.into(), ..Request::default() })
}

#[track_caller]
fn check_code(prompts: &[&str], expected: bool) {
    for prompt in prompts {
        let reading = read(prompt);
        assert_eq!(reading.intent.is_code, expected, "`{prompt}`: {:?}", reading.signals);
    }
}

#[test]
fn a26_code_prompts_are_recognised_in_english() {
    check_code(
        &[
            "fix auth bug",
            "explain auth",
            "search auth",
            "explain call chain",
            "explain code",
            "analyze impact of change",
            "resolve conflict",
            "where is the retry budget enforced?",
            "why does parse_header return None",
            "refactor the parser",
            "where is the wall budget enforced?",
            "how are discounts computed",
            "src/main.rs does not compile",
            "what does @crates/kernel/src/plan.rs do",
            "the tests are failing on CI",
            "TypeError: cannot read property of undefined",
            "rename getUser to fetchUser",
            "thread 'main' panicked at src/x.rs:3",
            "add a dark mode toggle to the settings component",
        ],
        true,
    );
}

#[test]
fn a26_code_prompts_are_recognised_in_chinese() {
    check_code(
        &[
            "登录接口 500 了",
            "修复用户登录报错",
            "这个函数在哪里被调用",
            "解释一下 retry_budget 的实现",
            "重构解析器",
            "给缓存加超时",
            "为什么测试失败",
        ],
        true,
    );
}

#[test]
fn a26_other_prompts_are_not_code() {
    check_code(
        &[
            "weather in SF?",
            "write a poem about the sea",
            "translate this sentence to French: good morning",
            "what should I cook tonight",
            "explain quantum physics to a child",
            "who won the world cup in 2018?",
            "thanks!",
            "how do I fix my sink",
            "call me tomorrow",
            "hello",
            "今天天气怎么样",
            "写一首关于大海的诗",
            "帮我想一个生日礼物",
            "and/or is that so?",
            "I like my iPhone and YouTube",
        ],
        false,
    );
}

#[test]
fn a26_signals_have_kinds_and_weights() {
    let request = Request {
        prompt: "fix the crash in parse_header, see ```x```".into(),
        file: Some("src/a.rs".into()),
        line: Some(3),
        function: Some("main".into()),
        with_history: true,
        ..Request::default()
    };
    let shown: Vec<String> = read_signals(&request)
        .signals
        .iter()
        .map(|signal| format!("{:?} {} {}", signal.kind, signal.matched, signal.weight))
        .collect();
    assert_eq!(
        shown,
        [
            "Explicit crash 0.8",
            "Explicit fix 0.4",
            "Implicit src/a.rs:3 0.6",
            "Historical with-history 0.6",
            "Code code block 0.8",
            "Code parse_header 0.7",
            "Code main 0.7",
        ]
    );
}

#[test]
fn a25_words_determine_the_needs() {
    let needs = |prompt: &str| read(prompt).intent.needs.into_iter().collect::<Vec<_>>();
    assert_eq!(needs("who calls login()?"), [Need::Question(ToolId::CallChain)]);
    assert_eq!(needs("改这个接口有什么影响"), [Need::Question(ToolId::Impact)]);
    assert_eq!(
        needs("Traceback (most recent call last)\n  File \"a.py\", line 3"),
        [Need::Question(ToolId::BugLocate)]
    );
    assert_eq!(needs("where is Config defined"), [Need::Structure]);
    assert_eq!(needs("is the config valid"), []);
    assert_eq!(needs("explain auth"), [Need::Structure]);
}

#[test]
fn a_follow_up_has_a_historical_signal() {
    assert!(read("继续").signals.iter().any(|signal| signal.kind == SignalKind::Historical));
    assert!(read("now fix it").signals.iter().any(|signal| signal.kind == SignalKind::Historical));
}

#[test]
fn odd_prompts_are_accepted() {
    for prompt in
        ["", "\0\0", "((((", "@", "🦀🦀🦀", "a\u{200b}b", &"x".repeat(100_000), &"é_".repeat(5000)]
    {
        let _reading = read(prompt);
    }
}

proptest::proptest! {
    #[test]
    fn any_prompt_is_accepted(
        prompt in "((?s:.){0,12}|\\PC{0,12}|E[0-9é]{4}|src/a.rs:3|ValueError|a::b|`|\n|它|上面|debugg|登录|İ|ß|that|/|[.]{3}){0,12}",
    ) {
        let reading = read(&prompt);
        for signal in &reading.signals {
            proptest::prop_assert!(signal.weight.is_finite());
        }
        refers_back(&reading);
        crate::inputs::is_for_the_client(&prompt);
    }
}
