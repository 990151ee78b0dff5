//! Tests that the table contains the translations that several projects share, and that every run gives the same table.

use super::pairs::Pairs;
use super::{CORPORA, align, corpora, lexicon, lines, locale, table};

/// Returns the pairs of four projects with eight verbs and eight nouns. One additional word appears only in the first
/// project.
fn pairs() -> Pairs {
    let things = [
        ("工单", "ticket"),
        ("巡检", "audit"),
        ("仓库", "depot"),
        ("课程", "course"),
        ("医院", "hospital"),
        ("车辆", "vehicle"),
        ("乐谱", "score"),
        ("邮箱", "mailbox"),
    ];
    let around = ["新增", "查询", "删除", "审批", "导出", "关闭", "转派", "打印"];
    let called = ["add", "query", "remove", "approve", "export", "close", "assign", "print"];
    let mut pairs = Pairs::default();
    for project in 0..4 {
        pairs.next_corpus();
        for (chinese, english) in around.iter().zip(called) {
            for (thing, name) in things {
                pairs.line(&format!("{chinese}{thing}"), &[&format!("{english}_{name}")]);
                pairs.line(&format!("{thing}{chinese}"), &[&format!("{name}/{english}")]);
            }
            if project == 0 {
                pairs.line(&format!("{chinese}喵喵"), &[&format!("{english}Meow")]);
            }
        }
    }
    pairs
}

fn learned() -> String {
    let pairs = pairs();
    let lexicon = lexicon::discover(&pairs);
    table::render(&align::align(&pairs, &lexicon), &lexicon, &pairs)
}

#[test]
fn a_translation_is_the_word_that_several_projects_use() {
    let table = learned();
    let line = |word: &str| table.lines().find(|line| line.starts_with(word)).unwrap_or_default();
    assert!(line("工单 ").starts_with("工单 ticket="), "{table}");
    assert!(line("巡检 ").starts_with("巡检 audit="), "{table}");
    assert!(!line("巡检 ").contains("ticket"), "{table}");
    assert!(line("喵喵").is_empty(), "a translation in only one project is left out: {table}");
}

#[test]
fn the_same_pairs_give_the_same_table() {
    assert_eq!(learned(), learned());
}

#[test]
fn a_comment_describes_the_next_line_and_a_label_its_own_line() {
    let text = "/** 用户登录 */\n@Override\npublic void login(String name) {\n  label: '用户名', prop: 'userName'\n";
    let mut found = Vec::new();
    lines::read(text, |chinese, english| found.push(format!("{chinese} | {}", english.join(" "))));
    assert_eq!(
        found,
        [
            "/** 用户登录 */ | public void login",
            "label: '用户名', prop: 'userName' | label: '用户名', prop: 'userName'"
        ]
    );
}

#[test]
fn translations_are_paired_by_key() {
    let mut locales = locale::Locales::default();
    for (path, text) in [
        ("src/locales/zh-CN.json", "{\n\"save\": \"保存\",\n\"gone\": \"丢失\"\n}"),
        ("src/locales/en-US.json", "{\n\"save\": \"Save\"\n}"),
        ("i18n/messages_zh_CN.properties", "login=\\u767b\\u5f55"),
        ("i18n/messages_en_US.properties", "login=Sign in"),
    ] {
        assert!(locale::is_locale(path), "{path}");
        locales.add(path, text);
    }
    let mut found = Vec::new();
    locales.for_each_pair(|chinese, english| found.push(format!("{chinese}={english}")));
    assert_eq!(found, ["登录=Sign in", "保存=Save"]);
}

#[test]
fn every_corpus_has_a_commit_and_a_licence() {
    for line in CORPORA.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split(' ').collect();
        assert_eq!(parts.len(), 3, "{line}");
        assert!(parts[0].contains('/') && parts[1].len() == 40, "{line}");
    }
    assert!(corpora().count() > 20);
}
