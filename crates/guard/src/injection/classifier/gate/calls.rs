//! Finds calls: places where Chinese text addresses a model or an agent by its name. An order in Chinese can be so
//! short that the sum of its word weights stays too low, so the text around a call is always selected.

use memchr::memmem;

/// The Chinese names for a model or an agent.
const NAMES: &[&str] = &["助手", "模型", "智能体", "机器人"];
/// The strings that follow the name in a call: a colon, `请` (please), or a word such as `必须` (must).
const FOLLOWING: &[&str] = &["：", "请", "必须", "须", "务必", "不得", "一律", "应"];

/// Returns the position after the name in each call, in no particular order.
pub(super) fn calls(text: &[u8]) -> impl Iterator<Item = usize> {
    NAMES.iter().flat_map(move |name| {
        memmem::find_iter(text, *name)
            .map(|at| at + name.len())
            .filter(|end| FOLLOWING.iter().any(|word| text[*end..].starts_with(word.as_bytes())))
    })
}
