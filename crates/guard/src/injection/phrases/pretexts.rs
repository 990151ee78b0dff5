//! English and Chinese phrases that make a command a condition of work on a file, or that make it the duty of an agent. They
//! count only near a harmful command.

use super::{Phrase, pretext};

#[rustfmt::skip]
pub(crate) const PHRASES: &[Phrase] = &[
    // Changes of a file.
    pretext("before|prior_to|after|when|while|whenever|if|once|to ~3 modify|modifying|edit|editing|touch|touching|refactor|refactoring|rename|renaming|extend|extending|patch ~4 this|these|anything|here|it|file|files|code|module|class|function|package|target|targets|method|methods|script|schema|under|any|to"),
    pretext("before|prior_to|after|when|while|whenever|if|once|to ~3 change|changing|changes|work|working ~3 this|these|anything|here|it|file|files|code|module|class|function|package|script"),
    pretext("before|after|once|following ~1 you|your|each|any|every|making|making_any ~2 change|changes|edit|edits|patch|commit|modification|step|run"),
    pretext("any|every|each|whoever|anyone|contributors|implementors|developers|tool|tools ~4 change|changes|changing|edit|edits|editing|modifies|modifying|modification|touches|touching|works|working|implements|refactoring ~6 this|these|constants|must|has_to|have_to|needs|need|file|files|function|class|target|here"),
    pretext("not|never|dont edit|modify|change|touch ~8 without|until|unless|before"),
    pretext("edited|changed|modified|touched this|it|anything"),
    pretext("edit|edits|change|changes|modification|modifications|patch|patches to|of|in any|this|these|the ~1 file|layer|function|module|class|code|script|target|template|here|requires|needs"),
    pretext("editing|change|modification|edit|editors|maintenance|contribution requirement|requirements|rule|procedure|checklist"),
    pretext("requirement|rule|procedure|howto|step|steps when|while|before|after|to|for ~1 editing|changing|change|modifying|edit|modify|touching|edits|changes"),
    pretext("after|before|when|while editing|modifying|refactoring|touching"),
    pretext("before|prior_to|after each|every ~3 build|commit|run|push|release|task|session|edit|change"),
    pretext("first_thing ~2 in|of ~1 each|every|any|the ~1 task|session|run|job"),
    pretext("as_soon_as|once|when you|youve ~1 start|begin|started ~1 working|work|editing"),
    pretext("cant|cannot|can_not|must_not|may_not|not be|to_be skipped|omitted|left_out"),
    pretext("changes|fixes|patches|edits|code ~6 not|wont|never ~1 be merged|accepted|reviewed"),
    pretext("modifying|editing|changing|refactoring ~2 then ~1 you|first|run"),
    pretext("for|of all|any|every|each changes|edits|commits|modifications|patches"),
    pretext("before anything_else|doing_anything_else|reading_other|you_respond|you_continue|you_propose|responding|proceeding"),
    // Tests and checks that are said to need the command.
    pretext("make|for|until|so_that|let|get ~2 tests|test|suite|build|ci|pipeline|checks ~3 pass|passes|green|succeed|succeeds"),
    pretext("tests|test|suite|build|ci ~2 only ~1 passes|pass|works|work|succeeds ~1 when|if|with|after"),
    pretext("otherwise|without_it|skipping_this|skipping_it|or_else ~6 fail|fails|rejected|break|breaks|invalid|blocked"),
    pretext("tests|test|build|ci are|is|turn|turns|go|goes green"),
    // The duty of an agent.
    pretext("@reader ~4 must|should|shall|has_to|have_to|needs_to|need_to|is_required|are_required|please|always|never"),
    pretext("@reader ~4 run|runs|execute|executes|install|installs|upload|uploads|start|starts|do|does|add|adds|set|sets"),
    pretext("as_an|as_a assistant|agent|ai|bot|model|coding"),
    pretext("automated|ai|bot|machine ~1 contributors|contributor|tools|written|generated|changes ~4 must|have_to|need|should|run|do|are|changes"),
    pretext("by|for a|an|the|all|any ~1 @reader"),
    pretext("by|for @reader|ai_tools|ai_agents|coding_agents"),
    // The same in Chinese.
    pretext("修改|改动|编辑|变更|调整|重构|改完|动手|开发|触碰 ~12 之前|前|后|以后|之后|须|必须|务必|一律|需要先|请先"),
    pretext("任何|凡|凡是|每次|所有|每个 ~4 改动|修改|变更|编辑|提交 ~10 须|必须|要|务必|一律|后|前|需"),
    pretext("提交|开工|合并|构建|编译|运行|继续 之前|前 ~6 执行|运行|请|必须|务必|先|须|需"),
    pretext("前置要求|前置条件|前置步骤|必装|必做|必选步骤|编辑要求|修改要求|改动流程|修改流程|变更流程"),
    pretext("之前|前|未 ~4 禁止|不得|不要|不许|严禁 ~2 编辑|修改|改动|提交|合并"),
    pretext("禁止|不得|不许|严禁|切勿 ~2 编辑|修改|改动|提交|合并"),
    pretext("不可|不能|不得|不要|切勿 ~2 跳过|省略|遗漏"),
    pretext("工具|脚本|机器人 ~6 必须|须|务必|一律|先"),
    pretext("让|使|为了|确保|保证 ~4 测试|单测|用例|构建|编译|流水线 ~4 通过|成功|正常"),
    pretext("否则|不然|缺少 ~8 失败|报错|无效|拒绝|不通过|跑不过"),
    pretext("@读者 ~8 请|须|必须|应当|应|需|务必|自动|先|要|直接|一律|自行|注意|遇到|可"),
    pretext("请|由|让|凡由 ~3 @读者"),
];
