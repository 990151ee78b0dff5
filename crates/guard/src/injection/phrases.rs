//! Defines the phrases that indicate an injected instruction. Each phrase has a role, a signal, a weight and a
//! pattern.
//!
//! A pattern is a list of elements that must appear in this order. `a|b` are alternatives, `~3` allows up to three
//! words before the next element, `_` joins the words of one alternative, and `@name` is a set from [`SETS`]. Each
//! Chinese character is a word. For a [`Role::Trigger`] phrase, the scorer reads the text around each occurrence of
//! the element marked `!`, or of the first element if none is marked. A [`Role::Support`] phrase only adds weight. A
//! [`Role::Exemption`] phrase cancels the matches inside it. A [`Role::Clue`] phrase lowers the score that the
//! classifier must reach, and a [`Role::Ordinary`] phrase raises it. A [`Role::Protective`] phrase prevents clues from
//! lowering it. A [`Role::Pretext`] phrase counts only near a harmful command.

mod chinese;
mod chinese_clues;
mod chinese_orders;
mod english;
mod english_clues;
mod english_orders;
mod other;
mod pretexts;
mod protective_rules;
mod reports;

use super::signal::Signal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Trigger,
    Support,
    /// A phrase that mentions instructions without giving one. Matches of the same signal inside this phrase do not
    /// count.
    Exemption,
    /// A phrase that only lowers the score that the classifier must reach. The classifier was not trained with these
    /// phrases, so they are not among its features.
    Clue,
    /// A phrase that is common in harmless text about programs, reports and permissions. It raises the score that the
    /// classifier must reach, unless other phrases indicate an instruction.
    Ordinary,
    /// A phrase of a rule that protects people or data, such as `must ask the user before`. If a window contains one,
    /// its clues do not lower the score that the classifier must reach.
    Protective,
    /// A phrase that makes a command a condition of work on a file, or the duty of an agent. It counts only near a
    /// harmful command (see `pretext`).
    Pretext,
}

impl Role {
    /// Returns whether phrases of this role are scored by themselves. The classifier was trained with these phrases only.
    pub(crate) fn is_scored(self) -> bool {
        matches!(self, Self::Trigger | Self::Support | Self::Exemption)
    }
}

pub(crate) struct Phrase {
    pub(crate) signal: Signal,
    pub(crate) weight: u32,
    pub(crate) role: Role,
    pub(crate) words: &'static str,
}

const fn trigger(signal: Signal, weight: u32, words: &'static str) -> Phrase {
    Phrase { signal, weight, role: Role::Trigger, words }
}

const fn support(signal: Signal, weight: u32, words: &'static str) -> Phrase {
    Phrase { signal, weight, role: Role::Support, words }
}

const fn clue(signal: Signal, weight: u32, words: &'static str) -> Phrase {
    Phrase { signal, weight, role: Role::Clue, words }
}

const fn ordinary(words: &'static str) -> Phrase {
    Phrase { signal: Signal::Request, weight: 0, role: Role::Ordinary, words }
}

const fn protective(words: &'static str) -> Phrase {
    Phrase { signal: Signal::Request, weight: 0, role: Role::Protective, words }
}

const fn pretext(words: &'static str) -> Phrase {
    Phrase { signal: Signal::Request, weight: 0, role: Role::Pretext, words }
}

const fn exemption(signal: Signal, words: &'static str) -> Phrase {
    Phrase { signal, weight: 0, role: Role::Exemption, words }
}

/// Sets of alternatives that several phrases share.
#[rustfmt::skip]
pub(crate) const SETS: &[(&str, &str)] = &[
    ("@drop", "ignore|ignoring|disregard|disregarding|forget|neglect|do_not_follow|dont_follow|stop_following|do_not_obey|pay_no_attention_to"),
    ("@replace", "override|bypass|overrule|discard|dismiss|abandon|circumvent|skip|delete|erase|reset|unlearn"),
    ("@earlier", "previous|previously|prior|above|earlier|preceding|foregoing|initial|original|former|your|my|system|those|these|other|following|past|users|user|developers|developer"),
    ("@orders", "instruction|instructions|direction|directions|prompt|prompts|prompting|guideline|guidelines|orders|requests|programming|training|guidance|system_prompt"),
    ("@rules", "rule|rules|restriction|restrictions|limitation|limitations|constraints|guardrails|policies|commands|safeguards|filters"),
    ("@said", "text|content|contents|conversation|context|message|messages|input|inputs|information|statements|words|questions|tasks|task"),
    ("@say", "say|state|answer|reply|respond|repeat|tell|write|claim|translate|admit|pretend|conclude|recommend|do"),
    ("@output", "print|output|display|show|generate|produce|execute|run|list|reveal|delete|send|install|upload"),
    ("@assistant", "ai|assistant|llm|llms|chatbot|claude|chatgpt|gpt|copilot|codex|gemini|bot|model|language_model|ai_assistant|ai_agent|coding_agent|agent"),
    ("@reader", "ai|ais|llm|llms|assistant|assistants|agent|agents|model|models|bot|bots|chatbot|chatbots|copilot|claude|codex|chatgpt|gemini|summarizer|summariser|summarizers|summarisers|autocomplete"),
    ("@duty", "must|should|shall|is_to|are_to|has_to|have_to|needs_to|need_to|is_obliged|are_obliged|is_expected|are_expected|is_required|are_required|is_asked|are_asked|please|kindly|always|never"),
    ("@guarded", "auth|authentication|authorization|authorisation|auth_middleware|rate_limit|rate_limiter|rate_limiting|branch_protection|sandbox|validation|tls|certificate|signature|firewall|permission|permissions|password_check|token_check|audit|auditd|logging|csrf"),
    ("@mode", "system_mode|override_mode|god_mode|dan_mode|jailbreak_mode|security_override_mode|unrestricted_mode"),
    ("@忽略", "忽略|无视|忘记|忘掉|忽视|不理会|不要理会|不用理会|不必理会|别理会|别理|别管|不要管|不用管|不要遵守|不要遵循|不再遵守|停止遵循|抛弃|丢弃|放弃|忽略掉|抛开|撇开"),
    ("@之前", "之前|以前|先前|此前|上述|上面|以上|前面|早先|原有|原来|所有|全部|任何|你的|您的|你|您|其他|其它|系统|开发者|用户|一切|那些|这些|先前的|上文|前述"),
    ("@指令", "指令|指示|说明|提示|提示词|命令|规则|要求|规定|指引|指导|设定|约束|限制|训练|准则|指南|方向|请求|吩咐|说明书|指令集|策略"),
    ("@说", "说|说明|声明|陈述|回答|回复|输出|打印|告诉|重复|写|翻译|表示|指出|显示|状态|答复|写道|宣布|生成"),
    ("@机器", "ai|助手|模型|大模型|语言模型|人工智能|智能体|机器人|代理|评审|claude|codex|copilot|gpt|chatgpt|llm"),
    ("@读者", "ai|llm|claude|codex|copilot|gpt|chatgpt|助手|模型|大模型|语言模型|人工智能|智能体|机器人|助理|爬虫|生成式工具|编程工具|自动补全|审核员|总结员|机器读者"),
    ("@防护", "鉴权|认证|校验|验证|限流|沙箱|分支保护|审计|签名|证书|防火墙|权限检查|只读|登录检查|访问控制|密码检查|中间件|日志记录"),
    ("@人", "用户|使用者|任何人|人类|别人|他人|开发者|开发人员|管理员|主人"),
    ("@密", "密钥|密码|口令|令牌|凭据|凭证|秘密|秘钥|隐私|用户数据|环境变量|密钥串|api密钥|key|token|env"),
];

/// Returns the phrases in all languages.
pub(crate) fn phrases() -> impl Iterator<Item = &'static Phrase> {
    let clues =
        [english_clues::CLUES, english_orders::CLUES, chinese_clues::CLUES, chinese_orders::CLUES];
    [
        english::PHRASES,
        chinese::PHRASES,
        other::PHRASES,
        reports::PHRASES,
        protective_rules::PHRASES,
        pretexts::PHRASES,
    ]
    .into_iter()
    .chain(clues)
    .flatten()
}
