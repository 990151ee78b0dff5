use engine::Query;

use super::{
    Amount, GateInput, NameShare, Touched, asks_for_other_work, continues_session, decide,
    feature_names, measure, measure_wording,
};

fn amount(prompt: &str, previous: Option<&str>, names: Option<NameShare>) -> Amount {
    let query = Query::read(prompt);
    let input = GateInput {
        prompt,
        query: &query,
        previous,
        names,
        touched: previous.map_or(Touched::Nothing, |_| Touched::EditedLastTurn),
    };
    decide(&input).amount
}

#[test]
fn every_feature_has_a_value() {
    let query = Query::read("x");
    let input = GateInput {
        prompt: "x",
        query: &query,
        previous: None,
        names: None,
        touched: Touched::Earlier,
    };
    assert_eq!(measure(&input).len(), feature_names().count());
}

#[test]
fn requests_without_code_get_no_evidence() {
    let previous = Some("the export button does nothing when the list is empty");
    for prompt in [
        "yes",
        "ok go ahead",
        "continue",
        "commit and push",
        "thanks!",
        "继续",
        "提交并推送",
        "谢谢",
        "sí, adelante",
        "merci",
        "weiter",
        "спасибо",
        "commit e push",
        "cảm ơn",
        "続けて",
        "계속해줘",
    ] {
        assert_eq!(amount(prompt, previous, None), Amount::Silent, "{prompt}");
    }
}

#[test]
fn changes_failures_and_questions_about_code_get_evidence() {
    let names = Some(NameShare { known: 3, asked: 5 });
    for prompt in [
        "the login page throws TypeError: cannot read properties of undefined when the token is expired",
        "add a retry with back-off to the upload queue in src/upload/queue.ts",
        "why does the parser drop the last row of the table?",
        "登录页面在令牌过期时报错，请修复",
        "给订单列表增加按日期筛选的功能",
        "el botón de guardar no funciona en el formulario de usuarios",
        "le tableau des commandes n'affiche pas les nouvelles lignes après la mise à jour",
        "кнопка входа не работает после обновления страницы",
        "trang đăng nhập bị lỗi khi người dùng nhập sai mật khẩu",
    ] {
        assert_ne!(amount(prompt, None, names), Amount::Silent, "{prompt}");
    }
}

#[test]
fn the_wording_of_a_long_prompt_counts_no_more_than_that_of_a_short_one() {
    let size = |prompt: &str| {
        let features = measure_wording(prompt, None);
        features.iter().map(|(_, value)| value * value).sum::<f32>().sqrt()
    };
    let (short, long) = (size("fix the login"), size(&"fix the login and the page ".repeat(200)));
    assert!((short - long).abs() < short / 4.0, "{short} {long}");
    assert_eq!(measure_wording("", None), []);
}

#[test]
fn the_middle_of_a_long_prompt_is_not_read() {
    let prompt = |middle: &str| format!("{}{middle}{}", "a".repeat(500), "b".repeat(200));
    assert_eq!(measure_wording(&prompt("xyz"), None), measure_wording(&prompt("uvw"), None));
    assert_ne!(measure_wording("xyz", None), measure_wording("uvw", None));
}

proptest::proptest! {
    #[test]
    fn any_prompt_has_a_probability(prompt in "\\PC{0,60}") {
        let query = Query::read(&prompt);
        let input = GateInput {
            prompt: &prompt,
            query: &query,
            previous: Some(&prompt),
            names: Some(NameShare { known: 1, asked: 2 }),
            touched: Touched::Earlier,
        };
        let probability = decide(&input).probability;
        proptest::prop_assert!((0.0..=1.0).contains(&probability));
    }
}

#[test]
fn words_of_version_control_do_not_make_a_question_or_a_named_file_other_work() {
    let asks = |prompt: &str| asks_for_other_work(prompt, &Query::read(prompt));
    for prompt in ["how does a push create a workflow run?", "fix the retry budget in checkout.py"]
    {
        assert!(!asks(prompt), "{prompt}");
    }
    for prompt in ["commit and push", "merge main into this branch", "squash the last two commits"]
    {
        assert!(asks(prompt), "{prompt}");
    }
}

#[test]
fn a_short_answer_continues_the_session_unless_it_asks_for_other_work() {
    for prompt in ["do it", "yes, proceed", "ok go ahead", "continue", "still broken", "继续"] {
        assert!(continues_session(prompt), "{prompt}");
    }
    for prompt in
        ["commit and push", "thanks!", "run the tests", "yes, and then go over every other caller"]
    {
        assert!(!continues_session(prompt), "{prompt}");
    }
}
