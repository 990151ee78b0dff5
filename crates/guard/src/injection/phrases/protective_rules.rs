//! English and Chinese phrases of rules that protect people or data. They distinguish guidance for agents from injected
//! orders, which use many of the same words.

use super::{Phrase, protective};

#[rustfmt::skip]
pub(crate) const PHRASES: &[Phrase] = &[
    // Asking, refusing and reporting.
    protective("must|should|shall|has_to|have_to|always|please ask|confirm|check ~4 before|first"),
    protective("ask|asks|asking ~2 for ~1 confirmation|permission|approval|consent"),
    protective("must|should|shall|will|has_to|have_to refuse|decline|stop ~2 and ~1 report|tell|inform|ask|warn|explain"),
    protective("report|reports|escalate|forward ~3 to ~1 owner|maintainer|maintainers|operator|security|administrator|human"),
    protective("only_if|only_when|only_after|unless|until|without ~3 user|owner|human|maintainer|developer|person|users ~2 approved|approves|confirmed|confirms|agreed|agrees|approval|consent|confirmation"),
    // Honesty.
    protective("must_not|must_never|should_not|should_never|may_not|never|do_not|dont claim|pretend|invent|approve ~1 that|to|a|any|their|its|facts|results"),
    protective("that it|they ~1 has_no|have_no|cannot|does_not_know|do_not_know|is_not_able|may_be"),
    protective("may|might|could be incomplete|wrong|outdated|inaccurate|incorrect"),
    protective("respect|follow|honour|honor ~1 robots_txt|rate_limit|rate_limits"),
    // The same in Chinese.
    protective("必须|应|应当|要|先|需|须 ~2 征得|征求|询问|请示|请 ~4 同意|确认|许可|意见"),
    protective("征得|征求|经 ~1 用户|负责人|主人|管理员|维护者 ~1 同意|确认|许可|批准"),
    protective("前|之前 ~1 必须|应|应当|要|先|需 ~1 询问|确认|请|先"),
    protective("必须|应|应当|要 拒绝 ~1 并 报告|告知|说明|上报|提醒"),
    protective("只有|仅 ~2 在 ~1 用户|负责人|管理员|维护者 ~2 批准|同意|确认 ~2 后|才|时"),
    protective("不得|不要|不能|不可|禁止 ~1 声称|谎称|冒充|编造|批准自己|假装"),
    protective("回答|说明|表示 ~2 没有|无 ~1 权限|法访问|法回答"),
    protective("返回 ~6 json|字段|格式"),
];
