//! The page's texts in English and Chinese.

use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    Chinese,
}

impl Language {
    /// Returns the value of the page's `lang` attribute.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-Hans",
        }
    }

    /// Selects English or Chinese, whichever the browser prefers. Selects English if it accepts neither.
    pub(crate) fn preferred(accept_language: &str) -> Self {
        let mut best = (0.0, Self::English);
        for range in accept_language.split(',') {
            let (tag, parameters) = range.split_once(';').unwrap_or((range, "q=1"));
            let weight = parameters.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
            let language = match tag.trim().split('-').next().unwrap_or_default() {
                tag if tag.eq_ignore_ascii_case("zh") => Self::Chinese,
                tag if tag.eq_ignore_ascii_case("en") => Self::English,
                _ => continue,
            };
            let weight = weight.unwrap_or(0.0);
            if weight > best.0 {
                best = (weight, language);
            }
        }
        best.1
    }

    /// Returns the texts as a JSON object for the page's script.
    pub(crate) fn texts(self) -> Value {
        let entry = |&(key, english, chinese): &(&str, &str, &str)| {
            let text = match self {
                Self::English => english,
                Self::Chinese => chinese,
            };
            (key.to_owned(), Value::from(text))
        };
        Value::Object(TEXTS.iter().map(entry).collect::<Map<_, _>>())
    }
}

/// Each row contains a key, the English text and the Chinese text. The page's script replaces the placeholders `{…}`.
const TEXTS: &[(&str, &str, &str)] = &[
    ("skip", "Skip to content", "跳到内容"),
    ("nav", "Pages", "页面"),
    ("work", "Work", "任务"),
    ("briefings", "Briefings", "简报"),
    ("report", "Report", "报告"),
    ("job", "Job", "作业"),
    ("task", "Task", "任务"),
    (
        "noTasks",
        "There are no tasks. `adjutant queue add` adds one, and `adjutant job start` starts a job.",
        "没有任务。用 `adjutant queue add` 添加任务，用 `adjutant job start` 启动作业。",
    ),
    ("noMatches", "No task matches.", "没有符合条件的任务。"),
    ("noBriefings", "No prompt has been briefed yet.", "还没有任何提示得到简报。"),
    (
        "benefit",
        "Last 7 days: {briefings} briefings in {sessions} sessions, {characters} characters added.",
        "最近 7 天：{sessions} 个会话中有 {briefings} 份简报，共添加 {characters} 个字符。",
    ),
    (
        "usedPlaces",
        "The agent then read or edited {used} of {places} cited places.",
        "之后代理读取或修改了所引用的 {places} 个位置中的 {used} 个。",
    ),
    ("queueProblem", "The queue cannot be read: {reason}", "无法读取队列：{reason}"),
    ("tasks", "{n} tasks", "{n} 个任务"),
    ("keys", "keys: n next failure, p previous, / search", "按键：n 下一个失败，p 上一个，/ 搜索"),
    ("search", "Search", "搜索"),
    ("state", "State", "状态"),
    ("every", "all", "全部"),
    ("period", "Period", "时间段"),
    ("period.hours12", "last 12 hours", "最近 12 小时"),
    ("period.day", "last 24 hours", "最近 24 小时"),
    ("period.week", "last 7 days", "最近 7 天"),
    ("period.all", "all times", "全部时间"),
    ("everyRepository", "all repositories", "全部仓库"),
    ("more", "Show {n} more of {all}", "再显示 {n} 个（剩余 {all} 个）"),
    ("copy", "Copy", "复制"),
    ("copied", "Copied: {command}", "已复制：{command}"),
    ("turn", "turn {n}", "第 {n} 轮"),
    ("changedFile", "+{added} −{removed} in {files} file", "{files} 个文件 +{added} −{removed}"),
    ("changedFiles", "+{added} −{removed} in {files} files", "{files} 个文件 +{added} −{removed}"),
    ("costOf", "cost {cost}", "费用 {cost}"),
    ("nAttempts", "{n} attempts", "{n} 次尝试"),
    ("loading", "Loading…", "加载中…"),
    ("connected", "Live", "实时"),
    ("reconnecting", "Connection lost. Reconnecting…", "连接已断开，正在重连…"),
    (
        "disconnected",
        "Connection lost. `adjutant ui --link` prints a new link; `adjutant ui` starts the server again.",
        "连接已断开。`adjutant ui --link` 打印新链接；`adjutant ui` 重新启动服务器。",
    ),
    ("changed", "{title}: {state}", "{title}：{state}"),
    ("state.running", "running", "运行中"),
    ("state.completed", "finished", "已完成"),
    ("state.failed", "failed", "失败"),
    ("state.stopped", "stopped", "已停止"),
    ("state.lost", "lost", "丢失"),
    ("state.queued", "queued", "排队中"),
    ("state.waiting", "waiting", "等待中"),
    ("state.needs-approval", "needs approval", "需要批准"),
    ("state.finished", "finished", "已完成"),
    ("state.budget", "over budget", "超出预算"),
    ("state.cancelled", "cancelled", "已取消"),
    ("id", "Id", "编号"),
    ("directory", "Directory", "目录"),
    ("repository", "Repository", "仓库"),
    ("started", "Started", "开始时间"),
    ("created", "Created", "创建时间"),
    ("updated", "Last event", "最近事件"),
    ("ended", "Ended", "结束时间"),
    ("result", "Result", "结果"),
    ("tokens", "tokens", "token"),
    ("tokensOf", "{in} in, {out} out", "输入 {in}，输出 {out}"),
    ("turns", "Turns", "轮数"),
    ("orders", "Limits", "权限"),
    (
        "ordersOf",
        "sandbox {sandbox}, approvals {approval}, network {network}",
        "沙箱 {sandbox}，批准 {approval}，网络 {network}",
    ),
    ("continues", "Continues", "继续自"),
    ("priority", "Priority", "优先级"),
    ("after", "After", "前置任务"),
    ("waitingUntil", "continues", "继续时间："),
    ("branch", "Branch", "分支"),
    ("worktree", "Worktree", "工作树"),
    ("patch", "Patch", "补丁"),
    ("agentSummary", "Summary", "总结"),
    ("attempts", "Attempts", "尝试"),
    ("attempt", "Attempt {n}", "第 {n} 次尝试"),
    ("log", "Log", "日志"),
    ("noLog", "The log is empty.", "日志为空。"),
    ("changes", "Changes", "改动"),
    ("reload", "Reload", "重新加载"),
    ("binary", "binary", "二进制"),
    ("technical", "Technical data", "技术数据"),
    ("wholeLog", "Whole log", "完整日志"),
    ("noChanges", "There are no changes.", "没有改动。"),
    ("changesIn", "{directory}, compared with {base}", "{directory}，与 {base} 比较"),
    ("untracked", "Files that git does not track: {files}", "git 未跟踪的文件：{files}"),
    ("cut", "Only the first part is shown.", "只显示开头部分。"),
    ("do.stop", "Stop", "停止"),
    (
        "stopAsk",
        "Stop the job “{title}” and all processes that it started?",
        "停止作业“{title}”以及它启动的所有进程？",
    ),
    ("do.continue", "Continue", "继续"),
    ("do.cancel", "Cancel", "取消"),
    (
        "cancelAsk",
        "Cancel the task “{title}”? A running task is stopped.",
        "取消任务“{title}”？运行中的任务会被停止。",
    ),
    ("do.retry", "Retry", "重试"),
    ("do.approve", "Approve", "批准"),
    ("working", "Working…", "处理中…"),
    ("done", "Done: {action}", "完成：{action}"),
    ("problem", "Not done: {reason}", "未完成：{reason}"),
    ("missing", "The record no longer exists.", "该记录已不存在。"),
    ("client", "Client", "客户端"),
    ("why", "Why", "原因"),
    ("probability", "probability {p}", "概率 {p}"),
    (
        "injected",
        "findings: {findings} · injected characters: {characters}",
        "发现：{findings} · 注入字符：{characters}",
    ),
    ("findings", "Findings", "发现"),
    ("tools", "Tools", "工具"),
    ("limits", "Limits", "限制"),
    ("amount.silent", "nothing", "无"),
    ("amount.pointers", "pointers", "指针"),
    ("amount.nothing", "nothing found", "未找到"),
    ("amount.briefing", "briefing", "简报"),
    ("amount.on", "briefing", "简报"),
    ("toolLine", "{status}, {ms} ms; {summary}", "{status}，{ms} 毫秒；{summary}"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_language_of_the_browser_is_used() {
        for (header, language) in [
            ("", Language::English),
            ("de", Language::English),
            ("zh-CN,zh;q=0.9,en;q=0.8", Language::Chinese),
            ("en-US,en;q=0.9,zh;q=0.8", Language::English),
            ("de, zh-TW;q=0.5, en;q=0.4", Language::Chinese),
            ("en;q=0, ZH;q=0.1", Language::Chinese),
            ("zh;q=x", Language::English),
        ] {
            assert_eq!(Language::preferred(header), language, "{header}");
        }
    }

    /// Checks that every key in the script exists, and that both texts have the same placeholders.
    #[test]
    fn both_languages_have_every_text_of_the_script() {
        let script = include_str!("../assets/page.js");
        let used = script.split("say(\"").skip(1).filter_map(|rest| rest.split('"').next());
        let has = |key: &str| TEXTS.iter().any(|(known, ..)| *known == key);
        let missing: Vec<_> = used.filter(|key| !key.ends_with('.') && !has(key)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        for state in queue::State::ALL.map(queue::State::word) {
            assert!(has(&format!("state.{state}")), "{state}");
        }
        for state in runs::Status::ALL.map(runs::Status::word) {
            assert!(has(&format!("state.{state}")), "{state}");
        }
        let html = include_str!("../assets/page.html");
        for operation in ["stop", "continue", "cancel", "retry", "approve"] {
            assert!(has(&format!("do.{operation}")), "{operation}");
        }
        for (key, english, chinese) in TEXTS {
            let is_composed = key.contains('.');
            let is_used =
                script.contains(&format!("\"{key}\"")) || html.contains(&format!("{{{{{key}}}}}"));
            assert!(is_composed || is_used, "{key}");
            let names = |text: &str| {
                let mut names: Vec<String> = text
                    .split('{')
                    .skip(1)
                    .filter_map(|rest| rest.split('}').next().map(str::to_owned))
                    .collect();
                names.sort();
                names
            };
            assert_eq!(names(english), names(chinese), "{key}");
        }
    }
}
