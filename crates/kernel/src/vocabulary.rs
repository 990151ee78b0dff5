//! The English and Chinese words from which the subject and the intent of a prompt are derived.

use policy::TOOLS;

use crate::intent::Need;

/// A word of the vocabulary. An English word also matches its inflected forms. A Chinese word matches anywhere in the
/// prompt.
pub(crate) struct Word {
    pub(crate) text: &'static str,
    pub(crate) weight: f64,
}

const fn word(text: &'static str, weight: f64) -> Word {
    Word { text, weight }
}

/// Nouns that occur mostly in texts about software.
#[rustfmt::skip]
pub(crate) const THINGS: &[Word] = &[
    word("api", 0.7), word("assertion", 0.8), word("auth", 0.7), word("authentication", 0.7), word("authorization", 0.7), word("backend", 0.7),
    word("branch", 0.6), word("bug", 0.8), word("cache", 0.7), word("call chain", 0.9), word("call graph", 0.9), word("callback", 0.7), word("caller", 0.7), word("class", 0.6), word("cli", 0.7), word("code", 0.7),
    word("codebase", 0.9), word("column", 0.5), word("commit", 0.6), word("compiler", 0.8), word("complexity", 0.6), word("component", 0.6), word("config", 0.7),
    word("configuration", 0.6), word("conflict", 0.6), word("constructor", 0.8), word("controller", 0.6), word("crash", 0.8), word("css", 0.7),
    word("daemon", 0.7), word("database", 0.7), word("deadlock", 0.9), word("dependency", 0.7), word("deprecated", 0.6), word("endpoint", 0.8),
    word("enum", 0.8), word("error", 0.7), word("exception", 0.8), word("frontend", 0.7), word("function", 0.7), word("git", 0.7),
    word("handler", 0.7), word("header", 0.5), word("hook", 0.6), word("hotspot", 0.7), word("html", 0.7), word("impact", 0.45), word("http", 0.7), word("import", 0.6), word("index", 0.5),
    word("interface", 0.6), word("json", 0.7), word("kernel", 0.6), word("library", 0.5), word("lint", 0.7), word("log", 0.5), word("login", 0.6),
    word("logout", 0.6), word("loop", 0.5), word("macro", 0.7), word("memory leak", 0.9), word("method", 0.6), word("middleware", 0.8),
    word("migration", 0.6), word("mock", 0.6), word("module", 0.7), word("mutex", 0.9), word("namespace", 0.8), word("null", 0.7),
    word("package", 0.5), word("panic", 0.6), word("parameter", 0.6), word("parser", 0.8), word("patch", 0.6), word("pipeline", 0.6),
    word("plugin", 0.6), word("pointer", 0.7), word("process", 0.5), word("prop", 0.5), word("protocol", 0.6), word("pull request", 0.8), word("query", 0.6),
    word("queue", 0.6), word("race condition", 0.9), word("refactoring", 0.9), word("regex", 0.8), word("regression", 0.7), word("repo", 0.8),
    word("repository", 0.7), word("request", 0.5), word("retry", 0.6), word("route", 0.6), word("router", 0.7), word("runtime", 0.7),
    word("schema", 0.7), word("script", 0.6), word("sdk", 0.7), word("segfault", 0.9), word("serializer", 0.8), word("server", 0.6),
    word("session", 0.5), word("source", 0.5), word("sql", 0.7), word("stack trace", 0.9), word("stacktrace", 0.9), word("struct", 0.8),
    word("subprocess", 0.8), word("syntax", 0.6), word("test", 0.6), word("thread", 0.6), word("timeout", 0.7), word("token", 0.6),
    word("traceback", 0.9), word("trait", 0.7), word("type", 0.5), word("typo", 0.6), word("unit test", 0.9), word("utf-8", 0.7), word("validation", 0.5),
    word("variable", 0.7), word("webhook", 0.8), word("websocket", 0.8), word("workflow", 0.5), word("yaml", 0.7),
];

/// Verbs that are common in prompts about software. A prompt that contains such a verb, but no noun from [`THINGS`],
/// may be about something else.
#[rustfmt::skip]
pub(crate) const ACTIONS: &[Word] = &[
    word("add", 0.3), word("analyze", 0.4), word("analyse", 0.4), word("change", 0.4), word("check", 0.3), word("compile", 0.8), word("debug", 0.8),
    word("define", 0.5), word("enforce", 0.5), word("handle", 0.5), word("call", 0.45), word("configure", 0.5), word("validate", 0.5), word("compute", 0.45),
    word("initialize", 0.5), word("invoke", 0.5), word("render", 0.5), word("register", 0.45), word("instantiate", 0.6), word("override", 0.5),
    word("serialize", 0.6), word("import", 0.5), word("allocate", 0.5), word("authenticate", 0.6), word("log", 0.45), word("spawn", 0.5), word("delete", 0.4), word("deploy", 0.6), word("explain", 0.4), word("extract", 0.3), word("fail", 0.5), word("find", 0.3),
    word("fix", 0.4), word("implement", 0.6), word("locate", 0.4), word("merge", 0.4), word("optimize", 0.4), word("optimise", 0.4), word("parse", 0.6),
    word("refactor", 0.9), word("remove", 0.3), word("rename", 0.5), word("replace", 0.3), word("resolve", 0.4), word("return", 0.4), word("revert", 0.5),
    word("search", 0.4), word("throw", 0.4), word("trace", 0.5), word("update", 0.3), word("upgrade", 0.4), word("use", 0.2), word("write", 0.2),
];

#[rustfmt::skip]
pub(crate) const CHINESE: &[Word] = &[
    word("代码", 0.8), word("函数", 0.9), word("方法", 0.5), word("接口", 0.7), word("报错", 0.9), word("错误", 0.6), word("异常", 0.6), word("崩溃", 0.8),
    word("修复", 0.6), word("缺陷", 0.7), word("重构", 0.9), word("实现", 0.5), word("编译", 0.9), word("测试", 0.6), word("单测", 0.9), word("用例", 0.6),
    word("调用", 0.8), word("文件", 0.5), word("模块", 0.7), word("配置", 0.6), word("数据库", 0.8), word("缓存", 0.8), word("登录", 0.6), word("权限", 0.6),
    word("认证", 0.6), word("鉴权", 0.8), word("部署", 0.6), word("日志", 0.6), word("线程", 0.9), word("进程", 0.8), word("超时", 0.6), word("内存", 0.6),
    word("泄漏", 0.6), word("死锁", 0.9), word("变量", 0.8), word("参数", 0.6), word("返回值", 0.8), word("类型", 0.5), word("组件", 0.6), word("路由", 0.8),
    word("请求", 0.5), word("响应", 0.5), word("依赖", 0.6), word("仓库", 0.5), word("分支", 0.6), word("提交", 0.4), word("合并", 0.5), word("冲突", 0.6),
    word("脚本", 0.7), word("服务", 0.4), word("前端", 0.7), word("后端", 0.7), word("源码", 0.9), word("堆栈", 0.9), word("断言", 0.8), word("解析", 0.6),
    word("序列化", 0.9), word("正则", 0.8), word("索引", 0.6), word("查询", 0.5), word("字段", 0.7), word("表单", 0.6), word("页面", 0.5), word("插件", 0.6),
    word("钩子", 0.8), word("优化", 0.5), word("性能", 0.6), word("调试", 0.9), word("中间件", 0.9), word("迁移", 0.5), word("校验", 0.6), word("导入", 0.5),
    word("导出", 0.4), word("继承", 0.7), word("注释", 0.7), word("逻辑", 0.5), word("定义", 0.5), word("影响", 0.5), word("热点", 0.5), word("复杂度", 0.8),
    word("漏洞", 0.7), word("并发", 0.8), word("异步", 0.8), word("回调", 0.8), word("协议", 0.5), word("构建", 0.5), word("打包", 0.6), word("升级", 0.4),
];

/// Phrases that occur in questions.
#[rustfmt::skip]
pub(crate) const QUESTIONS: &[&str] = &[
    "where is", "where are", "where do", "where does", "how is", "how are", "how does", "how do we", "why is", "why does", "when is", "who ", "which ", "what ",
    "哪里", "在哪", "怎么", "如何", "为什么", "什么", "谁",
];

/// Phrases that occur in prompts that refer to an earlier prompt.
#[rustfmt::skip]
pub(crate) const FOLLOW_UPS: &[&str] = &[
    "continue", "go on", "keep going", "proceed", "now fix it", "fix it", "do it", "try again", "next step", "same for", "as before",
    "what about", "how about", "and the ", "show me more", "more about",
    "继续", "接着", "下一步", "再试", "按上面", "照上面", "同样", "刚才", "上面的", "那测试呢", "还有呢", "再看看", "详细一点",
];

/// Pronouns that refer to the subject of an earlier prompt.
#[rustfmt::skip]
pub(crate) const PRONOUNS: &[&str] = &[
    "it", "its", "this", "that", "these", "those", "them", "they", "there", "它", "它们", "这个", "那个", "这里", "那里", "这些", "那些", "这段", "该",
];

/// Phrases that show what a prompt needs in addition to a search, and that belong to no question.
#[rustfmt::skip]
const GENERAL_NEEDS: &[(&str, Need)] = &[
    ("explain", Need::Structure), ("how does", Need::Structure), ("how do", Need::Structure), ("how is", Need::Structure),
    ("architecture", Need::Structure), ("refactor", Need::Structure), ("fix", Need::Structure), ("implement", Need::Structure),
    ("who uses", Need::Structure), ("depends on", Need::Structure), ("why", Need::Structure), ("flow", Need::Structure),
    ("conflict", Need::Structure), ("uses it", Need::Structure), ("used by", Need::Structure), ("解释", Need::Structure), ("怎么", Need::Structure),
    ("如何", Need::Structure), ("为什么", Need::Structure), ("架构", Need::Structure), ("流程", Need::Structure), ("重构", Need::Structure),
    ("修复", Need::Structure), ("实现", Need::Structure), ("依赖", Need::Structure), ("关系", Need::Structure), ("调用", Need::Structure),
    ("vulnerabilit", Need::Scan), ("cve", Need::Scan), ("dependency audit", Need::Scan), ("license audit", Need::Scan), ("漏洞", Need::Scan),
    ("依赖扫描", Need::Scan),
];

/// Returns the phrases that show what a prompt needs in addition to a search: the general ones, and those of the
/// questions.
pub(crate) fn needs() -> impl Iterator<Item = (&'static str, Need)> {
    let of_tool = |tool: &'static policy::Tool| {
        tool.phrases.iter().map(|phrase| (*phrase, Need::Question(tool.id)))
    };
    GENERAL_NEEDS.iter().copied().chain(TOOLS.iter().flat_map(of_tool))
}

/// Pairs of a word form and its base form in the vocabulary, for forms that the stemmer does not reduce. `caller` is
/// also a word of the vocabulary itself.
#[rustfmt::skip]
pub(crate) const FORMS: &[(&str, &str)] = &[
    ("added", "add"), ("adding", "add"), ("apis", "api"), ("caller", "call"), ("checker", "check"), ("debugger", "debug"), ("finder", "find"),
    ("implementer", "implement"), ("indexer", "index"), ("linter", "lint"), ("logger", "log"), ("renderer", "render"), ("used", "use"), ("using", "use"),
];
