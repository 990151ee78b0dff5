use super::QuestionKind::*;
use super::{DirectQuestion, QuestionKind};

/// Returns the subject and the kinds of the first question.
fn read(prompt: &str) -> (String, Vec<QuestionKind>) {
    let questions = DirectQuestion::read(prompt);
    let Some(first) = questions.first() else { return (String::new(), Vec::new()) };
    (first.subject.text().to_owned(), first.kinds.clone())
}

#[track_caller]
fn check(subject: &str, kind: QuestionKind, prompts: &[&str]) {
    let expected = (subject.to_owned(), vec![kind]);
    let wrong: Vec<_> = prompts
        .iter()
        .map(|prompt| (*prompt, read(prompt)))
        .filter(|(_, found)| *found != expected)
        .collect();
    assert!(wrong.is_empty(), "{kind:?}: {wrong:#?}");
}

#[test]
#[rustfmt::skip]
fn callers_are_asked_for_in_ten_languages() {
    check("_check_token", Callers, &[
        "who calls `_check_token`?", "who calls _check_token", "Where is _check_token called?", "where is `_check_token()` called from?",
        "list all callers of _check_token", "what are the call sites of _check_token?", "which functions call _check_token?", "谁调用了 _check_token？",
        "谁调用了_check_token", "_check_token 在哪里被调用", "哪些地方调用了 `_check_token`？", "_check_token 的调用者有哪些？", "¿quién llama a _check_token?",
        "¿Dónde se llama a `_check_token`?", "¿qué función llama a _check_token?", "qui appelle _check_token ?", "où est appelée _check_token ?",
        "wer ruft _check_token auf?", "wo wird `_check_token` aufgerufen?", "welche Funktionen rufen _check_token auf?", "quem chama _check_token?",
        "onde _check_token é chamada?", "кто вызывает _check_token?", "где вызывается _check_token?", "ai gọi _check_token?",
        "_check_token được gọi ở đâu?", "_check_token はどこから呼ばれていますか？", "_check_token を呼び出しているのはどこ？", "誰が _check_token を呼んでいる？",
        "_check_token을 호출하는 곳은 어디인가요?", "누가 _check_token을 호출하나요?", "_check_token은 어디서 호출되나요?",
    ]);
}

#[test]
#[rustfmt::skip]
fn callees_are_asked_for_in_ten_languages() {
    check("process_view", Callees, &[
        "what does process_view call?", "which functions does `process_view` call?", "what is called by process_view?", "process_view 调用了哪些函数？",
        "process_view 里面调用了什么", "¿a qué funciones llama process_view?", "quelles fonctions process_view appelle-t-elle ?",
        "welche Funktionen ruft process_view auf?", "o que process_view chama?", "какие функции вызывает process_view?",
        "process_view gọi những hàm nào?", "process_view は何を呼び出していますか？", "process_view는 어떤 함수를 호출하나요?",
    ]);
}

#[test]
#[rustfmt::skip]
fn uses_and_tests_are_asked_for() {
    check("get_token", Uses, &[
        "who uses get_token?", "where is `get_token` used?", "find all usages of get_token", "谁在使用 get_token？", "get_token 在哪里被使用？",
        "哪些文件引用了 get_token", "¿dónde se usa get_token?", "où est utilisé get_token ?", "wo wird get_token verwendet?", "onde get_token é usado?",
        "где используется get_token?", "get_token được dùng ở đâu?", "get_token はどこで使われていますか", "get_token은 어디에서 사용되나요?",
    ]);
    check("get_token", Tests, &[
        "which tests cover get_token?", "is there a test for get_token?", "where is get_token tested?", "哪些测试覆盖了 get_token？", "get_token 有测试吗？",
        "¿qué pruebas cubren get_token?", "quels tests couvrent get_token ?", "welche Tests decken get_token ab?", "quais testes cobrem get_token?",
        "какие тесты проверяют get_token?", "get_token のテストはどこ？", "get_token 테스트는 어디 있나요?",
    ]);
}

#[test]
#[rustfmt::skip]
fn implementations_and_overrides_are_asked_for() {
    check("BaseBackend", Implementations, &[
        "which classes extend BaseBackend?", "what implements BaseBackend?", "list subclasses of BaseBackend", "哪些类继承了 BaseBackend？",
        "BaseBackend 有哪些子类？", "¿qué clases heredan de BaseBackend?", "quelles classes héritent de BaseBackend ?",
        "welche Klassen erben von BaseBackend?", "quais classes herdam de BaseBackend?", "какие классы наследуют BaseBackend?",
        "lớp nào kế thừa BaseBackend?", "BaseBackend を継承しているクラスは？", "BaseBackend를 상속하는 클래스는?",
    ]);
    check("get_queryset", Overrides, &[
        "who overrides get_queryset?", "where is get_queryset overridden?", "哪些类重写了 get_queryset？", "¿quién sobrescribe get_queryset?",
        "qui redéfinit get_queryset ?", "wer überschreibt get_queryset?", "quem sobrescreve get_queryset?", "кто переопределяет get_queryset?",
        "get_queryset をオーバーライドしているのは？", "get_queryset을 재정의하는 클래스는?",
    ]);
}

#[test]
#[rustfmt::skip]
fn definitions_and_reads_are_asked_for() {
    check("get_token", Definition, &[
        "where is get_token defined?", "where's get_token", "show me the definition of `get_token`", "where is get_token implemented?",
        "get_token 在哪里定义？", "get_token 定义在哪", "get_token 在哪个文件", "¿dónde está definida get_token?", "où est définie get_token ?",
        "wo ist get_token definiert?", "onde está definida get_token?", "где определена get_token?", "get_token được định nghĩa ở đâu?",
        "get_token はどこで定義されていますか？", "get_token은 어디에 정의되어 있나요?",
    ]);
    check("DATABASE_URL", Reads, &[
        "where is DATABASE_URL read?", "who reads DATABASE_URL?", "DATABASE_URL 在哪里读取？", "哪里读取了 DATABASE_URL", "¿dónde se lee DATABASE_URL?",
        "où est lue DATABASE_URL ?", "wo wird DATABASE_URL gelesen?", "onde DATABASE_URL é lida?", "где читается DATABASE_URL?",
        "DATABASE_URL được đọc ở đâu?", "DATABASE_URL はどこで読み込まれますか", "DATABASE_URL은 어디서 읽히나요?",
    ]);
}

#[test]
#[rustfmt::skip]
fn writes_reports_and_impact_are_asked_for() {
    check("max_connections", Writes, &[
        "where is max_connections set?", "who sets `max_connections`?", "max_connections 在哪里设置？", "谁修改了 max_connections",
        "wo wird max_connections gesetzt?", "где задаётся max_connections?", "max_connections はどこで設定されていますか", "max_connections는 어디서 설정되나요?",
    ]);
    check("login_failed", Reports, &[
        "where is login_failed logged?", "what logs login_failed?", "login_failed 在哪里打印", "wo wird login_failed geloggt?",
        "где логируется login_failed?",
    ]);
    check("parse_header", Impact, &[
        "what breaks if parse_header changes?", "what breaks if I change parse_header", "is it safe to rename parse_header?",
        "what is the impact of changing `parse_header`?", "修改 parse_header 会影响什么？", "改 parse_header 有什么影响", "parse_header 改了会影响哪些地方",
        "¿qué se rompe si cambio parse_header?", "was geht kaputt, wenn ich parse_header ändere?", "что сломается, если изменить parse_header?",
        "parse_header を変更すると何が壊れますか", "parse_header를 변경하면 어디에 영향이 있나요?",
    ]);
}

#[test]
#[rustfmt::skip]
fn texts_flags_and_routes_are_subjects() {
    check("invalid token for user", Definition, &[
        "where does 'invalid token for user' come from?", "where does \"invalid token for user\" come from", "“invalid token for user” 是从哪里来的？",
        "'invalid token for user' 这个报错来自哪里",
    ]);
    check("Save draft", Definition, &[
        "where is the button 'Save draft' defined?", "“Save draft” 按钮在哪里定义",
    ]);
    check("--dry-run", Uses, &[
        "where is --dry-run used?", "哪里用到了 --dry-run",
    ]);
    check("--dry-run", Definition, &[
        "where is the flag --dry-run defined?", "--dry-run 在哪里定义",
    ]);
    check("/api/users/:id", Definition, &[
        "where is /api/users/:id defined?", "where is the route `/api/users/:id`", "`GET /api/users/:id` 在哪里实现",
    ]);
}

#[test]
fn a_question_can_have_several_relations() {
    assert_eq!(
        read("where is get_token defined and who uses it?"),
        ("get_token".to_owned(), vec![Uses, Definition])
    );
    assert_eq!(
        read("get_token 在哪里定义，谁在调用它？"),
        ("get_token".to_owned(), vec![Definition, Callers])
    );
    assert_eq!(
        read("get_token 在哪里定义，被谁调用？"),
        ("get_token".to_owned(), vec![Definition, Callers])
    );
}

#[test]
fn a_plain_word_is_a_subject_next_to_the_relation() {
    for prompt in ["who calls save?", "where is save called?", "谁调用了 save"] {
        assert_eq!(read(prompt), ("save".to_owned(), vec![Callers]), "{prompt}");
    }
}

#[test]
fn adjacent_words_are_read_as_one_name() {
    assert_eq!(read("who calls bulk create?"), ("bulk create".to_owned(), vec![Callers]));
    let subjects = |prompt| -> Vec<String> {
        let questions = DirectQuestion::read(prompt);
        questions.iter().map(|question| question.subject.text().to_owned()).collect()
    };
    // The last word can be a part of the name, or say what it names.
    let prompt = "who calls the save method?";
    assert_eq!(subjects(prompt), ["save method", "save"]);
    assert!(DirectQuestion::read(prompt).iter().all(|question| question.kinds == [Callers]));
    // A word alone is not the subject if another word of a name follows it.
    assert_eq!(subjects("where is the session cookie age configured?"), ["session cookie age"]);
    assert_eq!(subjects("who calls the checkout of the shop?"), ["checkout"]);
}

#[test]
fn a_plain_word_is_not_a_subject_next_to_a_name() {
    let questions = DirectQuestion::read("where is MAX_ZEBRA_CHARS set");
    assert_eq!(questions.len(), 1);
    assert_eq!(questions[0].subject.text(), "MAX_ZEBRA_CHARS");
}

#[test]
fn an_unknown_relation_asks_for_definition_and_callers() {
    for prompt in [
        "how does get_token work?",
        "why is get_token so slow?",
        "get_token 是干什么的？",
        "для чего нужна get_token?",
    ] {
        assert_eq!(read(prompt), ("get_token".to_owned(), vec![]), "{prompt}");
    }
}

#[test]
fn statements_and_requests_are_not_questions() {
    for prompt in [
        "commit",
        "continue",
        "yes",
        "run the tests",
        "please fix the bug in get_token",
        "get_token is called twice, fix it",
        "implement get_token",
        "rename get_token to fetch_token",
        "get_token is used by the middleware",
        "weather in SF",
        "把 get_token 改成异步",
        "给 get_token 加日志",
        "thanks, that works",
    ] {
        assert_eq!(DirectQuestion::read(prompt), [], "{prompt}");
    }
}

#[test]
fn a_phrase_in_another_script_needs_no_quotation_marks() {
    check(
        "CSRF token missing",
        Definition,
        &["CSRF token missing 报错来自哪里", "报错 CSRF token missing 是从哪里来的？"],
    );
    assert_eq!(DirectQuestion::read("please fix this bug 谢谢"), []);
}

#[test]
fn messages_of_pasted_errors_are_subjects() {
    let prompt = "my request fails\n\nValueError: invalid token for user 42\n";
    assert_eq!(read(prompt).0, "invalid token for user 42");
}

#[test]
fn relations_are_the_point_only_if_they_are_asked_for() {
    let is_the_point = |prompt: &str| {
        DirectQuestion::read(prompt).iter().any(|question| question.is_the_point(prompt))
    };
    for prompt in [
        "who calls save_order?",
        "where does \"invalid token\" come from?",
        "RetryBudgetExceeded: order 7 was tried 3 times",
        "who calls checkout?",
    ] {
        assert!(is_the_point(prompt), "{prompt}");
    }
    let long = format!("who calls save_order? {}", "I want to add a field to it. ".repeat(5));
    let word =
        "where is the maximum number of orders per customer checked, and who calls checkout?";
    let button = "the button \"Pay later\" must be green";
    for prompt in ["why is RetryBudgetExceeded so slow?", long.as_str(), button, word] {
        assert!(!is_the_point(prompt), "{prompt}");
    }
}
