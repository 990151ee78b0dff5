//! Groups words with a similar role in an instruction into classes, so that a feature does not depend on one particular
//! word.

use std::sync::LazyLock;

use super::super::hash_table::HashTable;
use super::super::words::{mix, word_hash};

/// The words of each class. The Chinese words consist of two characters each.
const CLASSES: &[&str] = &[
    // Names for the reader to whom the text is addressed.
    "agent|agents|assistant|assistants|ai|llm|llms|model|models|bot|bots|robot|robots|claude|copilot|codex|chatgpt|gpt|gemini|cursor|chatbot|automation|automated|reviewer|reviewers|crawler|助手|代理|智能|模型|机器|自动",
    "you|your|yours|yourself|youre|whoever|anyone|你的|您的|自己",
    // People from whom something is hidden, or for whom something is done.
    "user|users|developer|developers|human|humans|person|people|customer|operator|reader|nobody|用户|开发|人类|客户|他人",
    // Claimed authorities and their approval.
    "admin|administrator|administrators|maintainer|maintainers|owner|owners|security|compliance|management|supervisor|system|team|lead|boss|ceo|vendor|anthropic|openai|support|devops|管理|维护|团队|系统|上级|合规|安全|官方",
    "approved|approve|approves|authorised|authorized|authorise|authorize|permission|permitted|granted|grants|allowed|cleared|agreed|consent|confirmed|verified|trusted|授权|批准|同意|允许|许可|确认",
    // Negation and secrecy.
    "not|never|no|without|dont|doesnt|avoid|refrain|nor|neither|cannot|不要|不得|无需|不必|请勿|切勿|不用|禁止|别再",
    "tell|mention|inform|reveal|disclose|notify|explain|report|reports|warn|alert|show|discuss|summarise|summarize|acknowledge|bring|告诉|提及|告知|透露|说明|提到|报告|通知|解释",
    "secret|secretly|silently|silent|quietly|quiet|hidden|hide|conceal|confidential|discreetly|unnoticed|悄悄|静默|隐藏|保密|秘密|暗中",
    // Cancelling earlier instructions.
    "ignore|ignoring|disregard|forget|override|bypass|discard|abandon|drop|supersede|supersedes|superseded|void|obsolete|cancelled|replaced|replace|overrule|neglect|skip|忽略|无视|忘记|作废|取消|绕过|放弃|覆盖|失效|跳过",
    "instruction|instructions|rule|rules|guideline|guidelines|prompt|prompts|policy|policies|directive|directives|orders|guidance|constraints|restrictions|limits|safeguards|指令|规则|提示|要求|限制|约束|策略|设定|指示",
    "previous|previously|prior|earlier|above|before|original|initial|preceding|former|past|之前|以上|上述|先前|此前|前面|原来|原有",
    "new|now|instead|next|real|actual|updated|following|below|from|hereby|新的|现在|接下|以下|下面|真正",
    // Actions.
    "run|runs|running|execute|executes|launch|start|invoke|call|perform|trigger|use|apply|运行|执行|调用|启动|使用",
    "curl|wget|bash|sh|shell|powershell|npx|pip|npm|install|installs|download|fetch|eval|chmod|sudo|script|command|commands|terminal|安装|下载|脚本|命令|终端",
    "send|sends|upload|post|posts|forward|transmit|submit|exfiltrate|email|mail|share|leak|publish|deliver|export|attach|paste|发送|上传|转发|提交|泄露|发到|发给|外传|同步",
    "key|keys|token|tokens|password|passwords|credential|credentials|secrets|env|environment|ssh|aws|private|cookie|cookies|apikey|certificate|密钥|令牌|密码|凭据|凭证|环境|私钥|口令",
    "delete|remove|disable|wipe|erase|destroy|turn|weaken|drop|overwrite|revert|删除|禁用|关闭|移除|清空|修改",
    "approve|merge|lgtm|score|rate|rating|recommend|conclude|verdict|safe|secure|passed|pass|resolved|flawless|clean|打分|满分|推荐|通过|合并|没有|漏洞",
    // Pressure.
    "must|required|mandatory|requirement|always|immediately|urgent|important|critical|essential|first|shall|need|needs|必须|务必|立即|马上|重要|强制|一律|首先|优先",
    "please|kindly|could|would|appreciate|helpful|favour|favor|thanks|thank|grateful|麻烦|烦请|希望|感谢|建议|帮忙",
    "reply|respond|response|answer|answers|output|print|say|write|repeat|state|回复|回答|输出|打印|重复|写入",
    "done|complete|completed|finished|end|ended|task|tasks|conversation|session|step|continue|完成|结束|任务|会话|步骤|继续",
    "pretend|act|role|persona|mode|become|simulate|play|name|扮演|假装|角色|模式|身份",
    "remember|memory|memorise|memorize|persist|future|later|sessions|forever|permanently|记住|记忆|以后|今后|长期",
];

static BY_HASH: LazyLock<HashTable> = LazyLock::new(|| {
    let mut table = HashTable::default();
    for (class, words) in (1..).zip(CLASSES) {
        for word in words.split('|') {
            let hash = if word.is_ascii() {
                word_hash(word)
            } else {
                word.split_inclusive(|_: char| true).map(word_hash).reduce(mix).unwrap_or_default()
            };
            // A word in two classes belongs to the first class.
            if class_by_hash(&table, hash).is_none() {
                table.insert(hash, class);
            }
        }
    }
    table
});

fn class_by_hash(table: &HashTable, hash: u32) -> Option<u16> {
    if table.may_contain(hash) { table.values(hash).next() } else { None }
}

/// Returns the class of the two-character Chinese word that consists of the previous word and this word. If this pair
/// has no class, returns the class of this word alone.
pub(super) fn class_of(previous: Option<u32>, hash: u32) -> Option<u32> {
    let table = &*BY_HASH;
    let pair = previous.and_then(|previous| class_by_hash(table, mix(previous, hash)));
    pair.or_else(|| class_by_hash(table, hash)).map(u32::from)
}
