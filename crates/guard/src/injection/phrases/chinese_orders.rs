//! Chinese clues: phrases that address a machine reader by what it does, and orders that injected text gives to it.
//! They only lower the score that the classifier must reach.

use super::{Phrase, clue};
use crate::injection::signal::Signal::{
    Address, Authority, Conceal, Exfiltrate, Redirect, Request, Steer,
};

#[rustfmt::skip]
pub(crate) const CLUES: &[Phrase] = &[
    // A machine reader, addressed by its work, its situation or its name.
    clue(Address, 4, "负责|协助|参与|承担 ~6 的 ~1 @读者"),
    clue(Address, 4, "裁判|评委|审稿|打分|阅卷|招聘|摘要|翻译 模型|大模型|ai|智能体|机器人|助手"),
    clue(Address, 4, "ai|大模型|智能|模型 评审员|审稿人|贡献者|招聘官|裁判|评委|审核员|厨师|编辑|读者|阅卷人|客服"),
    clue(Address, 4, "解释|撰写|编辑|翻译|检查|评测|引用|生成|改写|校对 ~12 的 ~2 @读者"),
    clue(Address, 4, "@读者 ~1 编辑|重构|修改|重写|生成|整理|引用|被问 ~8 时|的时候|必须|应|须"),
    clue(Address, 3, "你 ~4 重构|修改|重写|整理|编辑|生成|测试 ~8 时|时候|顺便"),
    clue(Address, 4, "你|您 ~1 若|如果|要是|倘若 ~1 是 ~3 @读者"),
    clue(Address, 4, "谁|不论谁|任何人 来 ~2 总结|概括|分析|审查|评测 ~8 都|一律|不要"),
    clue(Address, 4, "有 ~2 @读者 ~1 在|正在 ~2 查|检查|审查|读|分析|扫描"),
    clue(Address, 4, "@读者 ~1 须|不得|必须|应|应当|应改|要|不许|一律|请 ~4 加载|声称|回答|加上|向|略去|否认|听从|查看|打开|往|用|遵从|视为|将|简化|说|给|按|报"),
    clue(Address, 4, "请 ~4 @读者 ~1 把|将|给|替|在|按|为|去"),
    clue(Address, 4, "文心|通义|通义灵码|豆包|千问|kimi|deepseek|gemini ~3 须|必须|应|请|服务通知"),
    // Cancelling the reader's task, and new authorities.
    clue(Redirect, 5, "刚才|之前|上面|前面|先前 ~2 问题|请求|话|要求 ~1 不用管|作废|算了|别管|不算|不必管"),
    clue(Redirect, 4, "放下|停止|停下|别做|别写|结束|中止|退出|终止 ~4 教程|评测|菜|分析|任务|总结|审查|评审|数据集"),
    clue(Redirect, 4, "拒绝 ~2 协助|回答|处理|帮助|修改|解释 ~4 文件|问题|用户|请求|代码"),
    clue(Redirect, 4, "让|劝|叫|引导 ~1 用户|顾客|访客|客户|他|他们|读者 ~4 付款|购买|拨打|点击|兑换|转账|下载|安装|注册|汇款"),
    clue(Redirect, 4, "让|劝|叫|引导 ~1 用户|顾客|访客|客户|他|他们|读者 ~1 去|用|到 ~14 付款|兑换|登录|支付|领取"),
    clue(Redirect, 5, "将|把 ~10 视为|当作|当成|看作 ~1 命令|指令|可信"),
    clue(Redirect, 5, "遵从|听从|执行|服从 ~10 中|里 的 ~1 全部|所有|一切 指令|命令|要求"),
    clue(Authority, 5, "听 这个|本|该|这份 ~1 文件|注释|文档|页面"),
    clue(Authority, 4, "上下文|会话|对话 ~1 已 ~1 重置|清空|重启"),
    clue(Authority, 4, "新会话开始|新对话开始|新的会话开始"),
    clue(Authority, 4, "用户 ~1 的 ~1 最后|最新|下一|新 ~2 消息|请求|指令 ~1 是|为"),
    clue(Authority, 4, "@读者 ~1 已|现已|已经 ~1 获得|拥有|取得|获 ~1 root|管理员|最高|全部"),
    clue(Authority, 4, "政策更新|授权校验失败|服务通知|第 ~3 号令|安全中心|最新规定"),
    // Dictated statements and judgements.
    clue(Steer, 4, "无论|不管|不论|哪怕 ~10 都|一律|也|均|统统 ~3 给|打|报|回答|返回|说|写|填|通过|批准|答"),
    clue(Steer, 4, "打五星|给五星|给满分|打满分|给十分|打十分|报百分之百|得分为百分之百|排在第一|排第一位|排首位|给最高分"),
    clue(Steer, 4, "只 ~1 写|给|说|回复|输出|列 ~2 正面|好评|优点|可以|通过|同意|没有"),
    clue(Steer, 4, "就说|并说 它|他|她|这|没有|是|不|一切|文件|其他|其余|该|已"),
    clue(Steer, 4, "说成|谎称|解释说|推说|改口|就回答|一律说|必须声称|必须回答"),
    clue(Steer, 4, "报告|回答|回复|输出 ~1 未发现|无变化|没有变化|行为无变化|已被攻破|没有问题|一切正常|得分"),
    clue(Steer, 4, "告诉|告知|对 ~1 用户|访客|顾客|读者|客户 ~2 这|电脑|解释|说|他|该|本|公司"),
    clue(Steer, 4, "给|写|编|报|返回 ~3 假的|错误的|虚假的|编造的|一份假|一个假|编一个"),
    clue(Steer, 4, "编|编造|虚构 一个|一条|一份|个"),
    clue(Steer, 4, "被问到|问到|问起|问及|被问 ~4 否认|就说|必须回答|矢口|就答|则答"),
    clue(Steer, 4, "标为|标记为|视为|当作|设为 ~1 可信|安全|通过|内网|私有|第三方"),
    clue(Steer, 4, "乘以|夸大|虚报|往有利|有利于我们"),
    // Concealment.
    clue(Conceal, 4, "并且|而且|并|也|且 不得|不要|别|不许 ~1 透露|声张|提|提起|说"),
    clue(Conceal, 4, "不要声张|不要张扬|免得被|别让人发现|以免被|不要通知|不用写注释|不写注释|别写注释|不要列出|别列出"),
    clue(Conceal, 4, "不要|别|不许|不得|不用|不必 ~1 回答|查看|打开|阅读|再看|看 ~6 问题|文件|简历|改动|src|json|py|lock|c"),
    clue(Conceal, 4, "人类|人 ~1 看不到|看不见|读不到 ~2 注释|这行|这段|本行|这里"),
    clue(Conceal, 4, "你我之间|咱俩之间|我们之间|用户不想听|用户不想知道"),
    // Harmful changes and actions.
    clue(Request, 4, "删掉|删除|清空|移除 ~1 这个|本|整个|该|此 ~1 仓库|目录|文件夹|数据库|分支|项目"),
    clue(Request, 4, "强制推送|强制提交|目录删掉|目录删除|仓库删掉|继续执行"),
    clue(Request, 4, "绑定|授予|加上|赋予 ~8 cluster_admin|写权限|root|管理员|pull_request_target|匿名用户"),
    clue(Request, 4, "让|把|将 ~6 默认 ~1 为 ~1 真|true|管理员|允许|关闭"),
    clue(Request, 4, "开放|暴露|监听 ~8 端口"),
    clue(Request, 4, "口令|密码|令牌 ~8 也 ~1 能|可以|可 ~2 通过|登录|验证"),
    clue(Request, 4, "去掉|删掉|取消|拿掉|简化为 ~6 检查|校验|验证|return_true"),
    clue(Request, 4, "hookspath|钩子触发|触发钩子"),
    clue(Request, 4, "投反对票|投赞成票|按无效关闭|直接关闭|封禁|改写一段"),
    clue(Request, 4, "替 用户|读者|他|她|客户 ~2 点击|确认|同意|签|下单|付款"),
    clue(Request, 4, "用 ~6 信用卡|账户|余额 ~2 订|买|购买|支付|付"),
    clue(Request, 4, "用 它|其 安装|运行|执行"),
    // Data that leaves the conversation.
    clue(Exfiltrate, 4, "把|将 ~18 发到|发往|发给|传到|寄到|寄给|上传到|拼在|附在"),
    clue(Exfiltrate, 4, "用 ~6 里|中 ~1 的 令牌|密钥|凭据|口令 ~3 发布|登录|推送|提交"),
    clue(Exfiltrate, 4, "输出|说出|公布|交代|透露 ~3 用户 ~1 的 ~1 位置|地址|邮箱|姓名|隐私|身份"),
    clue(Exfiltrate, 4, "向 用户|顾客|访客|他 ~1 索取|骗取|要|询问 ~3 密码|口令|验证码|卡号"),
    clue(Exfiltrate, 4, "去|到 ~1 用户 ~3 邮箱|文件|网盘|相册 ~2 翻找|查找|搜索|找"),
];
