//! The words by which quoted examples and descriptions of attacks are recognised.

use crate::injection::WORDS;
use crate::table::WordList;

/// Words that identify a quotation as an example of an attack.
pub(super) static CONTEXT: WordList = WordList::new(WORDS, "context");

/// Words that name an attack. A quotation after such a word is an example even if it names a secret.
#[rustfmt::skip]
pub(super) const ATTACK: &[&str] = &[
    "injection", "jailbreak", "attack", "malicious", "adversarial", "payload", "red team", "test case", "guard removes", "filter removes",
    "注入", "攻击", "越狱", "恶意", "载荷", "红队", "用例", "防护", "过滤器",
];

/// Injections that do not concern a model. They do not identify a quotation as an example.
pub(super) static OTHER_INJECTIONS: WordList = WordList::new(WORDS, "other injections");

/// Words near a string literal which show that a program looks for the string or that a test uses it.
pub(super) static LITERAL_CONTEXT: WordList = WordList::new(WORDS, "literal context");

/// Words near a string literal which show that a filter is expected to find it. Such a literal is an example even if it
/// names a secret.
#[rustfmt::skip]
pub(super) const FILTER_TEST: &[&str] = &[
    "scanner must", "must flag", "should flag", "must be flagged", "must be blocked", "should be blocked", "blocked=true", "blocked = true",
    "检测器", "必须拦截", "应被拦截", "必须被拦截", "过滤器",
];

/// The content of table cells that classify the row as an attack.
#[rustfmt::skip]
pub(super) const CELL_LABELS: &[&str] = &[
    "injection", "prompt injection", "jailbreak", "attack", "malicious", "blocked", "block", "flagged", "unsafe", "注入", "提示注入", "越狱",
    "攻击", "恶意", "拦截", "已拦截", "阻断",
];

/// Parts of labels for a kind of attack in a row with a score or with tabs.
#[rustfmt::skip]
pub(super) const LABEL_PARTS: &[&str] = &[
    "injection", "jailbreak", "override", "attack", "phrase", "hijack", "注入", "越狱", "覆盖", "攻击", "短语", "劫持",
];

/// Words that, directly before a quotation, introduce the wording of a message.
#[rustfmt::skip]
pub(super) const QUOTING: &[&str] = &[
    "read", "reads", "say", "says", "said", "like", "such as", "e.g.", "contained", "contains", "for example", "写着", "写道", "写的是", "例如",
    "比如", "类似", "如", "内容是", "内容为", "包含",
];

/// Words that, after a quotation, state how the attack was handled.
pub(super) static VERDICT: WordList = WordList::new(WORDS, "verdict");

/// Names of kinds of attacks. A sentence that defines, compares or cites them is a description.
#[rustfmt::skip]
pub(super) const ATTACK_KINDS: &[&str] = &[
    "prompt injection", "prompt leaking", "prompt leakage", "prompt extraction", "goal hijacking", "jailbreak", "injection attack",
    "提示注入", "提示词注入", "提示词泄露", "提示泄露", "目标劫持", "越狱攻击", "注入攻击",
];

/// Words that occur in sentences that define, compare or cite attacks.
pub(super) static DEFINING: WordList = WordList::new(WORDS, "defining");

/// Verbs with which an injected order often starts.
pub(super) static ORDER_VERBS: WordList = WordList::new(WORDS, "words: order verbs");

/// Verbs that report what an attack asks for.
#[rustfmt::skip]
pub(super) const REPORTING: &[&str] = &[
    " ask ", " asks ", " tell ", " tells ", " instruct ", " instructs ", " trick ", " tricks ", " tries to ", " order ", " orders ", "要求",
    "让", "诱导", "诱使", "命令",
];

/// Phrases which report that somebody achieved something by giving an order to a model or an agent.
#[rustfmt::skip]
pub(super) const REPORTED_MEANS: &[&str] = &[
    "by asking it to ", "by telling it to ", "by instructing it to ", "by asking the ", "by telling the ", "by instructing the ",
    "by convincing ", "by persuading ", "by tricking ", "simply by asking", "just by asking",
];

/// Chinese words for the person whose actions a sentence reports.
#[rustfmt::skip]
pub(super) const PERSONS: &[&str] = &[
    "有学生", "有用户", "有网友", "有同事", "有玩家", "有顾客", "有研究", "有测试", "一名", "一位", "某用户", "某学生", "学生们", "研究者",
];

/// Ranks, persons and places of stories.
pub(super) static STORY_WORDS: WordList = WordList::new(WORDS, "story words");

/// Words for what a program or a model works with. A sentence of a story that contains one of them may be an order to a
/// model.
pub(super) static MACHINE_WORDS: WordList = WordList::new(WORDS, "machine words");

/// Expressions for a model or an agent in a sentence that describes an attack.
#[rustfmt::skip]
pub(super) const READERS: &[&str] = &[
    "the assistant", "the model", "the agent", "the bot", "an ai", "the ai", "the llm", "an agent", "an assistant", "a model", "an llm",
    "助手", "模型", "代理", "机器人", "智能体", "ai ",
];

/// Words which indicate that a sentence is an order to its reader and not a description.
#[rustfmt::skip]
pub(super) const SECOND_PERSON: &[&str] =
    &["you", "please", " i ", " we ", "must now", "now,", "now:", "你", "您", "请", "我", "现在", "立即", "务必"];

/// Strings that indicate an address, a command or a path. A sentence that contains one of them is not treated as a
/// description of an attack.
pub(super) const TARGETS: &[&str] =
    &["://", "www.", "~/", ".env", ".ssh", "@", "$", "rm -", "sudo", ".example", ".com"];

/// The strings in [`TARGETS`] that may be part of a mail address.
pub(super) const MAIL_PARTS: &[&str] = &["@", ".example", ".com"];

pub(super) const COMMANDS: &[&str] =
    &["curl", "wget", "bash", "chmod", "npm ", "npx ", "pip ", "eval", "exec"];

/// Strings that indicate an address, a command, a path, an action or a secret. A quotation that contains one of them is
/// not harmless.
pub(super) static PAYLOAD: WordList = WordList::new(WORDS, "payload");

/// Names of models, agents and roles that an injected instruction may address at the start of a sentence.
#[rustfmt::skip]
pub(super) const READER_NAMES: &[&str] = &[
    "assistant", "assistants", "agent", "agents", "ai", "llm", "llms", "model", "models", "bot", "bots", "claude", "copilot", "codex", "chatgpt",
    "gemini", "system", "user", "human", "developer", "reviewer", "助手", "模型", "智能体", "机器人", "代理", "系统", "用户",
];
