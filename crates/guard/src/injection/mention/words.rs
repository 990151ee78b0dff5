//! The words by which quoted examples and descriptions of attacks are recognised.

/// Words that identify a quotation as an example of an attack.
#[rustfmt::skip]
pub(super) const CONTEXT: &[&str] = &[
    "injection", "jailbreak", "attack", "malicious", "adversarial", "detector", "detection", "blocklist", "denylist",
    "re.compile", "regex", "patterns", "flagged", "such as", "payload", "red team", "detect(", "test case", "word list",
    "signatures", "the classifier", "trigger phrase", "注入", "攻击", "检测", "拦截",
    "越狱", "恶意", "黑名单", "之类", "载荷", "红队", "用例", "这类", "过滤器", "过滤表", "违禁词", "分类器", "特征 =",
];

/// Words that name an attack. A quotation after such a word is an example even if it names a secret.
#[rustfmt::skip]
pub(super) const ATTACK: &[&str] = &[
    "injection", "jailbreak", "attack", "malicious", "adversarial", "payload", "red team", "test case", "guard removes", "filter removes",
    "注入", "攻击", "越狱", "恶意", "载荷", "红队", "用例", "防护", "过滤器",
];

/// Injections that do not concern a model. They do not identify a quotation as an example.
pub(super) const OTHER_INJECTIONS: &[&str] = &[
    "sql injection",
    "dependency injection",
    "code injection",
    "sql注入",
    "sql 注入",
    "依赖注入",
    "代码注入",
];

/// Words near a string literal which show that a program looks for the string or that a test uses it.
#[rustfmt::skip]
pub(super) const LITERAL_CONTEXT: &[&str] = &[
    "guardrail", "blocked", "label.", "label=", "score +", "score=", "_pattern", "pattern =", "pattern:", "_phrases", "rejected", "re.search",
    "re.match", "assert", "expect(", "test(", "it(", ".score(", "classify(", "断言", "\" in text", "\" in body", "\" in prompt", "\" in message", "\" in content", ".lower()", "' in text", "过滤", "命中",
    "敏感模式", "模式 =", "模式=", "模式:", "模式：", "得分 +", "得分+", "词表", "敏感词", "关键词 =", "标签=", "\" in 文本",
];

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
#[rustfmt::skip]
pub(super) const VERDICT: &[&str] = &[
    "should flag", "must flag", "flags it", "was flagged", "is flagged", "refused", "refuses", "was blocked", "is blocked", "must block",
    "was ignored", "is phishing", "should be blocked", "must be blocked", "should block", "拒绝了", "拒绝执行", "应当拦截", "将其拦截", "被拦截",
    "应拦截", "会被过滤", "钓鱼",
];

/// Names of kinds of attacks. A sentence that defines, compares or cites them is a description.
#[rustfmt::skip]
pub(super) const ATTACK_KINDS: &[&str] = &[
    "prompt injection", "prompt leaking", "prompt leakage", "prompt extraction", "goal hijacking", "jailbreak", "injection attack",
    "提示注入", "提示词注入", "提示词泄露", "提示泄露", "目标劫持", "越狱攻击", "注入攻击",
];

/// Words that occur in sentences that define, compare or cite attacks.
#[rustfmt::skip]
pub(super) const DEFINING: &[&str] = &[
    "where the aim is", "where the goal is", "whose aim is", "whose goal is", "aims to", "aim to", "refers to", "is defined as",
    "distinguish", "et al", "the term", "the adversary", "the attacker", "attackers", "is a technique", "is an attack", "(19", "(20", "指的是", "是指",
    "目标是", "目的是", "旨在", "攻击者", "等人", "（19", "（20", "等，20",
];

/// Verbs with which an injected order often starts.
#[rustfmt::skip]
pub(super) const ORDER_VERBS: &[&str] = &[
    "ignore", "disregard", "forget", "reveal", "print", "output", "send", "show", "run", "execute", "delete", "approve", "say", "reply", "answer",
    "tell", "write", "do ", "don't", "never", "always", "忽略", "无视", "忘记", "忘掉", "输出", "打印", "泄露", "发送", "执行", "运行", "删除", "批准",
    "回复", "回答", "告诉", "不要", "把", "将",
];

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
#[rustfmt::skip]
pub(super) const STORY_WORDS: &[&str] = &[
    "captain", "king", "queen", "prince", "princess", "sire", "majesty", "knight", "soldier", "sergeant", "lieutenant", "castle", "dragon",
    "sword", "wizard", "witch", "pirate", "throne", "国王", "女王", "陛下", "殿下", "队长", "将军", "骑士", "王子", "公主", "城门", "城堡",
    "士兵", "船长", "巫师", "魔王", "大侠", "师父",
];

/// Words for what a program or a model works with. A sentence of a story that contains one of them may be an order to a
/// model.
#[rustfmt::skip]
pub(super) const MACHINE_WORDS: &[&str] = &[
    "instruction", "instructions", "prompt", "prompts", "assistant", "ai", "model", "llm", "agent", "bot", "system", "code", "file", "files",
    "repository", "repo", "user", "users", "test", "tests", "commit", "branch", "print", "output", "reply", "respond", "answer", "reveal",
    "summary", "mode", "guidelines", "rules", "restrictions", "speak", "talk", "act", "指令", "指示", "提示", "系统", "代码", "文件", "用户", "测试", "仓库", "输出", "打印", "助手", "模型",
    "机器", "智能", "模式", "规则", "限制", "回答", "回复", "扮演",
];

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
#[rustfmt::skip]
pub(super) const PAYLOAD: &[&str] = &[
    "://", "www.", "curl", "wget", "sudo", "bash", "rm -", "chmod", "npm ", "npx ", "pip ", "eval", "exec", "$", "~/", ".env", ".ssh",
    "@", "key", "token", "password", "secret", "credential", "send", "upload", "delete", "install", "密钥", "密码", "令牌", "口令",
    "发送", "上传", "删除", "执行", "运行", "下载", "安装",
];

/// Names of models, agents and roles that an injected instruction may address at the start of a sentence.
#[rustfmt::skip]
pub(super) const READER_NAMES: &[&str] = &[
    "assistant", "assistants", "agent", "agents", "ai", "llm", "llms", "model", "models", "bot", "bots", "claude", "copilot", "codex", "chatgpt",
    "gemini", "system", "user", "human", "developer", "reviewer", "助手", "模型", "智能体", "机器人", "代理", "系统", "用户",
];
