//! English and Chinese phrases that are common in reports and documentation about assistants and in messages between
//! people. Such texts contain the words of orders, but they describe what a program does, did or should do.

use super::{Phrase, exemption, ordinary};
use crate::injection::signal::Signal::{
    Address, Authority, Conceal, Exfiltrate, Override, Redirect,
};

#[rustfmt::skip]
pub(crate) const PHRASES: &[Phrase] = &[
    // A program that ignores something again and again: `keeps ignoring my system prompt`.
    exemption(Override, "keep|keeps|kept|start|starts|started|begin|began|stop|stops|stopped|is|are|was|were|been|randomly|sometimes|often|still ignoring|disregarding|forgetting ~4 @earlier ~3 @orders|@rules|@said"),
    exemption(Override, "keep|keeps|kept|start|starts|started|begin|began|stop|stops|stopped|is|are|was|were|been|randomly|sometimes|often|still ignoring|disregarding|forgetting ~6 @orders|@rules|@said|above|before|said|told|wrote"),
    // Functions that make a program forget something, reports of such orders, and people or devices that ignore orders.
    exemption(Override, "makes|lets|causes|allows|forces|to_make|will_make|can_make|would_make ~1 the|an|a|your|my|our ~1 @reader|it|them|session|chat ~1 ignore|forget|disregard ~5 everything|anything|all|previous|earlier|prior|above|past ~6 @orders|@rules|@said|said|told|learned|learnt|before|above|history"),
    exemption(Override, "forget|reset|clear|ignore method|function|call|command|button|option|endpoint|flag|hook|action|tool|parameter|setting ~8 everything|anything|all|what|whatever|previous|earlier|prior|above ~6 @orders|@rules|@said|said|told|learned|learnt|know|knows|before|above|history"),
    exemption(Override, "was|were|been|being asked|told|instructed|ordered|directed|tricked|persuaded|convinced|trained to ignore|disregard|forget ~4 @earlier ~3 @orders|@rules|@said"),
    exemption(Override, "jury|jurors|court|judge|cpu|processor|pipeline|robot|dog|interpreter|shell|runtime|kernel|scheduler|device|printer|nginx|daemon|driver|emulator|players|player|students|voters ~2 ignore|discard|forget|disregard ~4 @earlier ~3 @orders|@rules|@said|commands"),
    exemption(Override, "jury|jurors|court|judge|cpu|processor|pipeline|robot|dog|interpreter|shell|runtime|kernel|scheduler|device|printer|nginx|daemon|driver|emulator|players|player|students|voters ~2 ignore|discard|forget|disregard ~3 all|any|every|the ~2 @orders|@rules|commands|directives"),
    // The instructions that a processor executes.
    exemption(Override, "misprediction|mispredict|mispredicted|branch|pipeline|speculative|interrupt|exception|fault ~8 discard|drop|squash|flush|ignore|skip ~3 all|any|every|fetched|younger|later|subsequent|previous ~4 instructions|instruction"),
    exemption(Override, "discard|drop|squash|flush|ignore|skip ~3 fetched|prefetched|speculative|younger|decoded|retired|issued|unretired ~1 instructions|instruction"),
    exemption(Override, "分支|流水|预取|取指|译码|乱序|投机|推测|处理器|寄存器|中断|异常 ~16 丢弃|忽略|放弃|无视 ~10 指令"),
    exemption(Override, "丢弃|忽略|放弃|无视 ~6 取到|取出|预取|已取|在途|译码|推测|投机|未提交|后续 ~4 指令"),
    // What people do in an emergency, and what characters of a story say.
    exemption(Override, "in_case_of|in_the_event_of|during|if_there_is ~1 fire|flood|evacuation|earthquake|alarm|smoke|leak|power_cut ~3 ignore|disregard|forget ~4 @earlier ~3 @orders"),
    exemption(Override, "发生|出现|遇到|一旦 ~2 火灾|火警|地震|起火|停电|泄漏 ~4 @忽略 ~6 @之前 ~8 @指令"),
    ordinary("in_case_of|in_the_event_of ~1 fire|flood|evacuation|earthquake|alarm|smoke|power_cut"),
    exemption(Override, "forget|ignore|disregard your|my|his|her|the ~1 orders|commands ~1 captain|sergeant|soldier|lieutenant|general|knight|guard|sire|lord|my_lord|private|lad"),
    exemption(Authority, "i_am|im ~1 your|the king|queen|prince|lord|general|captain|father ~3 i_command|i_order|and|i ~2 command|order|you ~1 you|to"),
    // What an attacker writes, what a specification permits, and what a person is asked not to publish.
    exemption(Address, "can|may|might|could|attacker|attackers|malicious ~5 contain|contains|carry|carries|hide|hides|embed|embeds|plant|plants|put|puts ~3 instruction|instructions ~2 for|to|aimed_at ~2 @reader"),
    exemption(Conceal, "can|may|might|could|attacker|attackers|malicious ~5 contain|contains|carry|carries|hide|hides|embed|embeds|plant|plants|put|puts ~3 instruction|instructions ~2 for|to|aimed_at ~2 @reader"),
    exemption(Override, "may|can|might|could modify|override|change|adjust|extend ~1 or ignore|disregard|drop ~3 @orders"),
    exemption(Exfiltrate, "never|not|dont|do_not|avoid|without ~2 include|including|quote|copy|put|paste|pasting|attach|append|post|posting|share|sharing|commit ~8 key|keys|token|tokens|password|passwords|credentials|secrets ~2 in|into|to|on ~3 issue|issues|comment|comments|report|reports|ticket|tickets|chat|forum|log|logs|code|repository|repo|commit|commits|public|anywhere|screenshot|screenshots|file|files"),
    exemption(Redirect, "if|when ~2 user|users|anyone|someone|they asks|ask|asked ~6 tell|direct|point|refer them|users|the_user to ~1 type|see|read|check|contact"),
    exemption(Override, "如何|怎么|怎样|能否|可否|是否 ~3 覆盖|重置|修改|替换|取消 ~6 @之前|默认|内置 ~6 @指令"),
    exemption(Override, "会被|将被|被 忽略|丢弃|跳过 ~1 并 ~1 打印|输出|记录|提示 ~2 警告|日志|错误|告警"),
    exemption(Override, "不要|不得|勿|切勿|不 ~1 执行|遵循|理会|听从|响应 ~2 用户|文档|网页|外部|检索|引用|工具 ~2 内容|输入|文本|结果|数据|材料 ~1 里|中|内 ~1 的 ~2 指令|指示|命令|要求"),
    exemption(Exfiltrate, "将|把 ~4 token|tokens 插入|拼接|映射|转换|编码|填充 ~2 到|至|为|在|成|进"),
    exemption(Exfiltrate, "提供|输入|填写|使用 ~1 用户名|账号|账户|邮箱|手机号 ~1 和|及|与|以及 ~1 密码 ~4 以|以及|即可|进行|登录|后|并|完成"),
    // The order of messages and settings.
    exemption(Override, "system_prompt|system_prompts|system_messages|developer_messages|flags|options|settings|arguments|variables|command_line|project_settings|local_settings ~2 takes_precedence|take_precedence|taking_precedence|has_priority|have_priority over ~3 user|users|developer|developers|system|previous|earlier|other"),
    // Corrections in a conversation among people.
    exemption(Override, "forget|ignore|disregard what|everything|anything ~1 i|we ~1 said|wrote|posted|claimed about|on|regarding|in|yesterday|earlier"),
    exemption(Override, "ignore|disregard my|our last|previous|earlier|prior comment|comments|message|messages|email|mail|review|post|question|request"),
    exemption(Authority, "admin|manual|operator|emergency override set|use|pass|via|requires|button|switch|code|flag|key"),
    ordinary("is|has|have|does ~1 anyone|anybody|someone|others ~2 else|seeing|seen|noticed|experienced|hit|run|getting|know"),
    ordinary("assistant|agent|model|bot|chatbot|copilot|claude|gemini|llm|gpt ~1 told|reported|assured|deleted|pushed|leaked|ignored|refused|apologised|apologized|forgot|invented|hallucinated|complied|declined|obeyed|crashed|failed|insisted|overwrote"),
    ordinary("assistant|agent|model|bot|chatbot|copilot|claude|gemini|llm|gpt ~1 keeps|kept|started|stopped|sometimes|often|always|never|no_longer ~1 ignoring|ignores|forgetting|forgets|follows|follow|following|disregards|disregarding|answers|replies|repeats|asks|loses"),
    ordinary("as_soon_as|whenever|every_time|each_time|when i|we reload|restart|open|send|type|enable|switch|close|refresh|run|click|press"),
    ordinary("is_this|is_that|is_it expected|intended|a_bug|normal|a_known|known|by_design"),
    ordinary("how|way|possible ~3 to|do_i|can_i|can_we ~1 make|stop|prevent|forbid|keep|force|get ~3 @reader"),
    // Exercises, the handling of data, and requests to people who review a change.
    ordinary("in_this|this|in_the|next|following lab|exercise|challenge|assignment|workshop|lesson|homework|tutorial|level ~1 you|we|students ~1 attack|break|build|learn|train|test|try|write|implement|explore"),
    ordinary("try|trying|attempt|manage|managed|able to make|get|trick|convince|persuade ~2 it|bot|model|chatbot|assistant|them|llm"),
    ordinary("drop|remove|delete|filter ~2 rows|columns|row|column|duplicates|outliers|nan|nans|nulls|missing_values|records ~2 with|where|that|and|containing|from"),
    ordinary("what do_you|did_you notice|observe|see|find|conclude"),
    ordinary("ignore|skip|disregard ~2 changes|diff|diffs|whitespace|formatting|typo|typos|noise|snapshots|renames ~1 under|in|to|from|of|they|for|below"),
    // What a text says, as the subject of a sentence.
    ordinary("the|a|this|that|its|one summary|report|article|letter|answer|leaflet|review|screenshot says|said|reads|stated|states|mentions|mentioned|claims|claimed"),
    // A refusal in the usual words of an assistant.
    ordinary("as_an|as_a ai|ai_language|language|llm ~2 i ~1 cannot|cant|am|dont|do_not|am_not"),
    ordinary("作为 ~2 人工智能|ai|语言模型|大模型|助手 ~4 我|无法|不能"),
    // The same in Chinese.
    ordinary("本|这 ~1 实验|练习|作业|关卡|课|挑战 ~3 中|里|要求|你|我们|同学"),
    ordinary("试着|尝试|试试|设法|想办法 ~2 让|使|骗 ~2 它|@机器"),
    ordinary("删除|删掉|去掉|剔除|过滤 ~4 缺失|重复|空值|异常值 ~3 行|列|记录|数据|样本|值"),
    exemption(Override, "@机器|它 ~6 @忽略 了 ~12 指令|指示|提示词|命令|规则|要求|设定|限制|对话|消息|内容|话|上下文"),
    exemption(Override, "@机器|它|cpu|处理器|解释器|内核|虚拟机|设备|打印机|机器 ~4 会|将|则|就|总是|总会|经常|老是|一直|有时|偶尔|常常|往往|仍然|还是|完全|似乎|好像 ~1 @忽略 ~8 指令|指示|提示词|命令|规则|要求|设定|限制|对话|消息|内容|话|上下文|数据"),
    exemption(Override, "会|将|则|就 ~1 丢弃|清除|清空|删除|忘记 ~8 之前|以前|先前|前面 ~4 消息|对话|记录|内容|上下文|历史|记忆"),
    exemption(Override, "让|使|令|使得 ~1 @机器|它 ~1 @忽略 ~8 指令|指示|提示词|命令|规则|对话|消息|内容|话|上下文|历史|记录|记忆"),
    exemption(Override, "请 忽略 ~1 我 ~4 之前|上一|上条|刚才|先前 ~3 评论|消息|邮件|留言|回复|提问|话"),
    ordinary("有人|大家|各位|谁 ~2 遇到|碰到|见过|知道|发现"),
    ordinary("我 发现|觉得|感觉|注意到|怀疑 ~2 @机器|它"),
    ordinary("@机器|它 ~2 总是|经常|老是|一直|有时|偶尔|不再|没有|好像|似乎|完全|居然|竟然|反而|常常"),
    ordinary("这是|是不是|算不算 ~1 bug|正常|预期|已知|问题"),
    ordinary("怎么|如何|怎样|能不能|能否|为什么 ~3 让|使|禁止|避免|防止|阻止|会 ~3 @机器"),
    ordinary("为什么|为何 ~8 老是|总是|会|不|无视|忽略|忘记"),
    ordinary("@机器|它 ~8 忘记|忽略|删|改|推送|拒绝|同意|声称|泄露 了"),
    ordinary("指令 ~3 忽略|不要执行|不予执行|不执行 ~3 告知|提醒|报告|通知|告诉 ~1 用户"),
];
