//! Finds Chinese calls to a model or an agent. An order in Chinese can be too short for the sum of word weights, so the
//! text around a call is read in any case.

use memchr::memmem;

/// The Chinese names for a model or an agent.
const NAMES: &[&str] = &["助手", "模型", "智能体", "机器人"];
/// What follows the name in a call: a colon, a duty or an order.
const FOLLOWING: &[&str] = &["：", "请", "必须", "须", "务必", "不得", "一律", "应"];

/// Returns the position after each call to a model or an agent, in no particular order.
pub(super) fn calls(text: &[u8]) -> impl Iterator<Item = usize> {
    NAMES.iter().flat_map(move |name| {
        memmem::find_iter(text, *name)
            .map(|at| at + name.len())
            .filter(|end| FOLLOWING.iter().any(|word| text[*end..].starts_with(word.as_bytes())))
    })
}
