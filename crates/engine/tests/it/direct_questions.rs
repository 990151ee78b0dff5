//! Tests the answers to direct questions about a small repository, with the index and without it.

use std::fs;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use engine::{
    DirectQuestion, QuestionAnswer, QuestionKind, Source, ToQuote, Verb, answer_direct_question,
};
use index::{BuildOptions, Parser, View, build_in_memory};
use tempfile::TempDir;

const FILES: &[(&str, &str)] = &[
    (
        "app/tokens.py",
        "\"\"\"Tokens. Call check_token or _check_token to check one.\"\"\"\nimport logging\n\nlogger = logging.getLogger(__name__)\n\n\nclass TokenError(Exception):\n    pass\n\n\ndef check_token(token):\n    return token is not None\n\n\ndef _check_token(token, user):\n    if not token:\n        logger.warning(\"empty token\")\n        raise TokenError(f\"invalid token for user {user}\")\n    return check_token(token)\n\n\ndef never_called_zebra():\n    return 1\n",
    ),
    (
        "app/views.py",
        "import os\n\nfrom app.tokens import _check_token\n\n\nclass BaseView:\n    def render_page(self):\n        return ''\n\n\nclass LoginView(BaseView):\n    def render_page(self):\n        return '<button>Save draft</button>'\n\n    def post(self, request):\n        _check_token(request.token, request.user)\n        limit = 10\n        return limit\n\n\ndef refresh(request):\n    # _check_token is explained in tokens.py\n    return _check_token(request.token, None)\n",
    ),
    (
        "app/settings.py",
        "import os\n\nDATABASE_URL_NAME = os.environ[\"DATABASE_URL\"]\nmax_connections = 20\n",
    ),
    (
        "app/pool.py",
        "from app import settings\n\n\ndef open_pool():\n    return list(range(settings.max_connections))\n",
    ),
    (
        "app/urls.py",
        "from app import views\n\nroutes = [\n    (\"/api/users/<int:id>\", views.LoginView),\n    (\"/api/users\", views.refresh),\n]\n",
    ),
    (
        "app/cli.py",
        "import argparse\n\n\ndef main():\n    parser = argparse.ArgumentParser()\n    parser.add_argument(\"--dry-run\", action=\"store_true\")\n    return parser.parse_args().dry_run\n",
    ),
    (
        "tests/test_tokens.py",
        "from app.tokens import _check_token\n\n\ndef test_empty():\n    assert _check_token('a', 'b')\n",
    ),
    (
        "README.md",
        "# App\n\nSet `DATABASE_URL` and run it with `--dry-run`. `_check_token()` checks.\n",
    ),
];

fn app() -> (TempDir, View) {
    repository(FILES)
}

fn repository(files: &[(&str, &str)]) -> (TempDir, View) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        fs::write(folder.path().join(path), text).unwrap();
    }
    let view =
        build_in_memory(folder.path(), &BuildOptions::new(SystemTime::now(), Parser::linked()))
            .unwrap();
    (folder, view)
}

pub(crate) fn with_source<T>(root: &Path, ask: impl FnOnce(&Source<'_>) -> T) -> T {
    ask(&Source {
        root,
        admits: &|_| true,
        open: &|path| File::open(root.join(path)),
        to_quote: &|path| {
            let text = std::fs::read_to_string(root.join(path));
            text.map_or(ToQuote::Nothing, |text| ToQuote::Text(text.into()))
        },
    })
}

fn later() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

/// Returns the citations of an answer, with `?` after those that are not certain.
fn citations(answer: Option<&QuestionAnswer>) -> String {
    let findings = answer.map(|answer| answer.findings.as_slice()).unwrap_or_default();
    let citation = |(finding, _): &(engine::Site, f32)| {
        let doubt = if finding.is_certain { "" } else { "?" };
        format!("{}:{}{doubt}", finding.path, finding.line)
    };
    findings.iter().map(citation).collect::<Vec<_>>().join(" ")
}

const CALLERS: &str = "app/views.py:16 app/views.py:23 tests/test_tokens.py:5 app/tokens.py:15";

/// Questions and the citations of their answers. The definition of the subject is the last citation if it was not asked for.
#[rustfmt::skip]
const QUESTIONS: &[(&str, &str)] = &[
    ("who calls `_check_token`?", CALLERS),
    ("where is _check_token called from?", CALLERS),
    ("list all callers of app.tokens._check_token", CALLERS),
    ("谁调用了 _check_token？", CALLERS),
    ("_check_token 在哪里被调用", CALLERS),
    ("¿quién llama a _check_token?", CALLERS),
    ("qui appelle _check_token ?", CALLERS),
    ("wer ruft _check_token auf?", CALLERS),
    ("quem chama _check_token?", CALLERS),
    ("кто вызывает _check_token?", CALLERS),
    ("ai gọi _check_token?", CALLERS),
    ("_check_token はどこから呼ばれていますか？", CALLERS),
    ("_check_token을 호출하는 곳은 어디인가요?", CALLERS),
    ("who calls check_token?", "app/tokens.py:19 app/tokens.py:11"),
    ("what does _check_token call?", "app/tokens.py:18 app/tokens.py:19 app/tokens.py:15"),
    ("_check_token 调用了哪些函数？", "app/tokens.py:18 app/tokens.py:19 app/tokens.py:15"),
    ("where is _check_token defined?", "app/tokens.py:15"),
    // A plain word has an answer only if it is certain.
    ("where is the refresh read?", ""),
    ("where is the refresh set?", ""),
    // Several words are a subject if a name joins them. A function is not set.
    ("who calls the refresh function?", "app/urls.py:5 app/views.py:21"),
    ("who calls check token?", "app/tokens.py:19 app/tokens.py:11"),
    ("where are the max connections set?", "app/settings.py:4 app/settings.py:4"),
    ("where is the login view?", "app/views.py:11"),
    ("where is the check token set?", ""),
    ("where is the refresh button?", ""),
    ("_check_token 定义在哪", "app/tokens.py:15"),
    ("où est définie _check_token ?", "app/tokens.py:15"),
    ("which tests cover _check_token?", "tests/test_tokens.py:5 app/tokens.py:15"),
    ("哪些测试覆盖了 _check_token？", "tests/test_tokens.py:5 app/tokens.py:15"),
    ("what breaks if I change check_token?", "app/tokens.py:19 app/views.py:16 app/views.py:23 tests/test_tokens.py:5 app/tokens.py:11"),
    ("修改 check_token 会影响什么？", "app/tokens.py:19 app/views.py:16 app/views.py:23 tests/test_tokens.py:5 app/tokens.py:11"),
    ("which classes extend BaseView?", "app/views.py:11 app/views.py:6"),
    ("哪些类继承了 BaseView？", "app/views.py:11 app/views.py:6"),
    ("who overrides render_page?", "app/views.py:12 app/views.py:7"),
    ("谁重写了 BaseView.render_page？", "app/views.py:12 app/views.py:7"),
    ("where is max_connections set?", "app/settings.py:4 app/settings.py:4"),
    ("max_connections 在哪里设置？", "app/settings.py:4 app/settings.py:4"),
    ("where is max_connections read?", "app/pool.py:5 app/settings.py:4"),
    ("where is DATABASE_URL read?", "app/settings.py:3"),
    ("DATABASE_URL 在哪里读取？", "app/settings.py:3"),
    ("где читается DATABASE_URL?", "app/settings.py:3"),
    ("where is --dry-run defined?", "app/cli.py:6"),
    ("--dry-run 在哪里定义", "app/cli.py:6"),
    ("where is the route /api/users/:id?", "app/urls.py:4"),
    ("`GET /api/users/42` 在哪里实现", "app/urls.py:4"),
    ("where is the button 'Save draft'?", "app/views.py:13"),
    ("“Save draft” 按钮在哪里？", "app/views.py:13"),
    ("where does 'invalid token for user' come from?", "app/tokens.py:18"),
    ("'invalid token for user bob' 这个报错来自哪里", "app/tokens.py:18"),
    ("my login fails\nTokenError: invalid token for user bob", "app/tokens.py:18"),
    ("where is TokenError raised?", "app/tokens.py:18 app/tokens.py:7"),
    ("how does _check_token work?", "app/tokens.py:15 app/views.py:16 app/views.py:23 tests/test_tokens.py:5"),
    ("_check_token 是干什么的？", "app/tokens.py:15 app/views.py:16 app/views.py:23 tests/test_tokens.py:5"),
    ("who calls refresh?", "app/urls.py:5 app/views.py:21"),
    ("weather in SF?", ""),
    ("please fix _check_token", ""),
];

#[test]
fn direct_questions_are_answered_from_the_index() {
    let (folder, view) = app();
    let mut wrong = Vec::new();
    for (question, expected) in QUESTIONS {
        let answer = with_source(folder.path(), |source| {
            answer_direct_question(Some(&view), source, &DirectQuestion::read(question), later())
        });
        let found = citations(answer.as_ref());
        if found != *expected {
            wrong.push(format!("{question}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn exact_names_and_texts_are_answered_without_an_index() {
    let (folder, _) = app();
    for (question, expected) in [
        ("who calls `_check_token`?", CALLERS),
        ("谁调用了 _check_token？", CALLERS),
        ("where is DATABASE_URL read?", "app/settings.py:3"),
        ("where does 'invalid token for user' come from?", "app/tokens.py:18"),
        ("where is --dry-run defined?", "app/cli.py:6"),
    ] {
        let answer = with_source(folder.path(), |source| {
            answer_direct_question(None, source, &DirectQuestion::read(question), later())
        });
        assert_eq!(citations(answer.as_ref()), expected, "{question}");
    }
}

#[test]
fn tests_are_listed_as_tests_and_not_as_callers() {
    let (folder, view) = app();
    let question = "who calls _check_token?";
    let answer = with_source(folder.path(), |source| {
        answer_direct_question(Some(&view), source, &DirectQuestion::read(question), later())
    })
    .unwrap();
    let verbs: Vec<&Verb> = answer.findings.iter().map(|(finding, _)| &finding.verb).collect();
    assert_eq!(verbs, [&Verb::Calls, &Verb::Calls, &Verb::Tests, &Verb::Defines]);
    assert_eq!(answer.findings[0].0.symbol.as_deref(), Some("LoginView.post"));
    assert_eq!(answer.findings[0].0.text, "_check_token(request.token, request.user)");
}

#[test]
fn a_definition_is_quoted_with_all_its_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let code = "class Batch:\n    def split_objects(\n        self,\n        objects,\n        size=None,\n    ):\n        return objects\n";
    fs::write(folder.path().join("batch.py"), code).unwrap();
    let options = BuildOptions::new(SystemTime::now(), Parser::linked());
    let view = build_in_memory(folder.path(), &options).unwrap();
    let question = "where is split_objects defined?";
    let indexed = with_source(folder.path(), |source| {
        answer_direct_question(Some(&view), source, &DirectQuestion::read(question), later())
    });
    let searched = with_source(folder.path(), |source| {
        answer_direct_question(None, source, &DirectQuestion::read(question), later())
    });
    for answer in [indexed, searched] {
        let found = &answer.unwrap().findings[0].0;
        assert_eq!((found.line, &*found.text), (2, "def split_objects(self, objects, size=None)"));
    }
}

#[test]
fn a_name_that_occurs_only_in_its_definition_has_no_callers() {
    let (folder, view) = app();
    let question = "who calls never_called_zebra?";
    let answer = with_source(folder.path(), |source| {
        answer_direct_question(Some(&view), source, &DirectQuestion::read(question), later())
    })
    .unwrap();
    assert_eq!(answer.absent, [QuestionKind::Callers]);
    assert_eq!(citations(Some(&answer)), "app/tokens.py:22");
}

#[test]
fn at_most_ten_callers_are_listed_and_the_rest_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "def shared_zebra_helper():\n    pass\n".to_owned();
    for number in 0..22 {
        text.push_str(&format!("\n\ndef caller_{number:02}():\n    shared_zebra_helper()\n"));
    }
    fs::write(folder.path().join("many.py"), text).unwrap();
    let view =
        build_in_memory(folder.path(), &BuildOptions::new(SystemTime::now(), Parser::linked()))
            .unwrap();
    let question = "who calls shared_zebra_helper?";
    let answer = with_source(folder.path(), |source| {
        answer_direct_question(Some(&view), source, &DirectQuestion::read(question), later())
    })
    .unwrap();
    let callers = answer.findings.iter().filter(|(finding, _)| finding.verb == Verb::Calls).count();
    assert_eq!((callers, answer.rest.len(), answer.rest[0].n), (10, 1, 12));
    assert!(!answer.rest[0].is_minimum);
}

#[test]
fn a_plain_word_with_many_definitions_is_not_a_subject() {
    const DEFINITION: &str = "def request():\n    return 1\n";
    const CALL: &str = "from a import request\n\n\ndef send():\n    return request()\n";
    let files = [
        ("call.py", CALL),
        ("a.py", DEFINITION),
        ("b.py", DEFINITION),
        ("c.py", DEFINITION),
        ("d.py", DEFINITION),
    ];
    let ask = |n_files: usize, prompt: &str| {
        let (folder, view) = repository(&files[..n_files]);
        with_source(folder.path(), |source| {
            citations(
                answer_direct_question(Some(&view), source, &DirectQuestion::read(prompt), later())
                    .as_ref(),
            )
        })
    };
    assert_eq!(ask(2, "who calls request?"), "call.py:5 a.py:1");
    assert_eq!(ask(5, "who calls request?"), "");
    // Quotation marks make it a name.
    assert!(ask(5, "who calls `request`?").starts_with("call.py:5 "));
}
