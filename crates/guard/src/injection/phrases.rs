//! The phrases that give an injected instruction away: one a line — signal, weight, words.
//!
//! Words stand in order; `a|b` are alternatives, `~3` allows three words between, `_` joins words of one alternative,
//! `@name` is a set from [`SETS`]. A Chinese character is a word. A phrase marked [`Role::Trigger`] makes the scorer look at
//! its surroundings when the element marked `!` (or else the first) stands in the text; [`Role::Support`] only adds to it.

use super::signal::Signal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Trigger,
    Support,
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

/// Sets of alternatives that several phrases share.
#[rustfmt::skip]
pub(crate) const SETS: &[(&str, &str)] = &[
    ("@drop", "ignore|ignoring|disregard|disregarding|forget|neglect|do_not_follow|dont_follow|stop_following|do_not_obey|pay_no_attention_to"),
    ("@replace", "override|bypass|overrule|discard|dismiss|abandon|circumvent|skip|delete|erase|reset|unlearn"),
    ("@earlier", "previous|previously|prior|above|earlier|preceding|foregoing|initial|original|former|your|my|system|those|these|other|following|past"),
    ("@orders", "instruction|instructions|direction|directions|prompt|prompts|prompting|guideline|guidelines|orders|requests|programming|training"),
    ("@rules", "rule|rules|restriction|restrictions|limitation|limitations|constraints|guardrails|policies|commands|safeguards|filters"),
    ("@said", "text|content|contents|conversation|context|message|messages|input|inputs|information|statements|words|questions|tasks|task"),
    ("@say", "say|state|answer|reply|respond|repeat|tell|write|claim|translate|admit|pretend|conclude|recommend|do"),
    ("@output", "print|output|display|show|generate|produce|execute|run"),
    ("@assistant", "ai|assistant|llm|llms|chatbot|claude|chatgpt|gpt|copilot|codex|gemini|bot|model|language_model|ai_assistant|ai_agent|coding_agent|agent"),
    ("@mode", "system_mode|override_mode|developer_mode|god_mode|admin_mode|debug_mode|root_mode|dan_mode|jailbreak_mode|security_override_mode|unrestricted_mode|dev_mode"),
    ("@忽略", "忽略|无视|忘记|忘掉|忽视|不理会|不要理会|不用理会|不必理会|不要遵守|不要遵循|不再遵守|停止遵循|抛弃|丢弃|忽略掉|無視|忘記|抛开|撇开"),
    ("@之前", "之前|以前|先前|此前|上述|上面|以上|前面|早先|原有|原来|所有|全部|任何|你的|您的|你|您|其他|其它|系统|开发者|一切|那些|这些|先前的|上文|前述|系統"),
    ("@指令", "指令|指示|说明|提示|提示词|命令|规则|要求|规定|指引|指导|设定|约束|限制|训练|准则|指南|方向|请求|吩咐|说明书|指令集|規則|說明"),
    ("@说", "说|说明|声明|陈述|回答|回复|输出|打印|告诉|重复|写|翻译|表示|指出|显示|状态|答复|写道|宣布|生成"),
];

use Signal::{
    Address, Authority, Coerce, Conceal, Exfiltrate, Generate, Markup, Override, Redirect, Request,
    Steer,
};

#[rustfmt::skip]
pub(crate) const PHRASES: &[Phrase] = &[
    // Override of earlier instructions.
    trigger(Override, 10, "@drop ~4 @earlier ~3 @orders"),
    trigger(Override, 10, "@drop ~3 all|any|every ~2 @orders"),
    trigger(Override, 10, "@drop ~3 previous|prior|above|earlier|preceding|your|my|initial|original ~2 directive|directives|command|commands"),
    trigger(Override, 7, "@replace ~3 previous|prior|above|earlier|preceding|your|my|all ~3 !instruction|instructions|direction|directions|directive|directives|prompt|prompts|guideline|guidelines|orders"),
    trigger(Override, 6, "@drop ~1 instructions|instruction|directions|prompt|prompts|prompting|guidelines"),
    trigger(Override, 6, "@drop ~5 your|all|any|the ~3 @rules"),
    trigger(Override, 7, "@drop ~4 @rules that|you|which"),
    trigger(Override, 8, "@drop ~2 everything|anything|all ~4 said|told|above|before|previously|learned|learnt|know|wrote|written"),
    trigger(Override, 7, "@drop ~2 above|previous|prior|preceding|earlier ~1 @said"),
    trigger(Override, 7, "@drop ~1 above|foregoing|preceding|previous and|instead"),
    trigger(Override, 7, "@drop ~4 except ~6 following|between"),
    trigger(Override, 6, "@drop ~2 rest_of|remainder_of ~4 and|instead|data|document|text|page|email|file"),
    trigger(Override, 10, "@drop ~2 rest_of|remainder_of ~5 and|instead|then ~1 @say|@output"),
    trigger(Override, 6, "ignore|disregard|forget them|it|that|this and_instead|instead"),
    trigger(Override, 10, "ignore|disregard|forget ~4 and|then|instead ~1 state|say|answer|reply|respond|repeat|claim|admit|conclude"),
    trigger(Override, 6, "ignore|disregard|forget ~3 and|instead ~1 print|output|tell|write|translate"),
    trigger(Override, 6, "new_task|new_objective|new_instructions|new_instruction|updated_instructions|revised_instructions|real_instructions|actual_instructions|true_instructions|new_directive ~1 follow|is|are|now|below|begin|start|for_you"),
    trigger(Override, 5, "!instead_of ~4 original|previous|initial|assigned task|instructions|prompt|question|request"),
    trigger(Override, 10, "@忽略 ~6 @之前 ~8 @指令"),
    trigger(Override, 10, "@忽略 ~2 @指令"),
    trigger(Override, 8, "@忽略 ~4 之前|以前|先前|上述|上面|以上|前面 ~4 内容|文本|文字|对话|信息|消息|一切|全部|所有|话"),
    trigger(Override, 10, "@忽略 ~12 并|而|然后|且|和|并且 ~2 说|声明|陈述|回答|回复|告诉|重复|答复|宣布|状态|写道|承认"),
    trigger(Override, 7, "@忽略 ~12 并|而|然后|且|和|并且 ~2 @说"),
    trigger(Override, 10, "@忽略 ~2 以上|上述|上面|之前|前面 ~2 内容|文字|文本|对话 ~2 说|给|告诉|输出|打印|回答|翻译|重复"),
    trigger(Override, 8, "@忽略 ~3 一切|所有|全部 ~6 说|告诉|讲|内容|信息|规则"),
    trigger(Override, 8, "不要|别|请勿|停止 ~2 !遵守|遵循|执行|服从|听从 ~6 @指令"),
    trigger(Override, 7, "覆盖|取消|绕过|重置|废除|推翻 ~6 @之前 ~6 !@指令"),
    trigger(Override, 7, "新的|新|真正的|最新 !指令|指示|任务 ~2 如下|是|开始"),
    // The same order in other languages.
    trigger(Override, 10, "ignora|ignore|ignorar|olvida|olvide|olvidar|olvídate|olvídese|descarta ~5 instrucciones|indicaciones|órdenes|directrices|reglas"),
    trigger(Override, 10, "ignorez|ignorer|oublie|oubliez|oublier|négligez|ignore_les|ignore_toutes_les ~5 instructions|consignes|directives|règles|instruction"),
    trigger(Override, 10, "ignoriere|ignorieren|vergiss|vergessen|missachte|missachten ~6 anweisungen|instruktionen|anweisung|richtlinien|regeln|vorgaben"),
    trigger(Override, 10, "ignore|ignora|ignorar|esqueça|esquece|esquecer|desconsidere|despreze ~5 instruções|instrução|diretivas|diretrizes|orientações|regras"),
    trigger(Override, 10, "ignora|ignorare|ignorate|dimentica|dimenticare|dimenticate|trascura ~5 istruzioni|istruzione|direttive|indicazioni|regole"),
    trigger(Override, 10, "игнорируй|игнорируйте|игнорировать|проигнорируй|проигнорируйте|забудь|забудьте|забыть ~5 инструкции|инструкций|инструкцию|указания|указаний|директивы|команды|правила"),
    trigger(Override, 10, "指示|命令|説明|指令|ルール ~8 !無視|忘れて|忘れ|無効"),
    trigger(Override, 10, "이전|앞의|위의|모든 ~4 지시|지침|명령|지시를|지침을|명령을|지시사항을|지시는 ~3 !무시|무시하고|무시하십시오|무시하세요|무시해|잊어"),
    trigger(Override, 10, "bỏ_qua|phớt_lờ|quên|không_quan_tâm ~6 hướng_dẫn|chỉ_dẫn|chỉ_thị|lệnh|quy_tắc"),
    trigger(Override, 10, "abaikan|lupakan|mengabaikan|huwag_pansinin|balewalain|kalimutan ~5 instruksi|petunjuk|perintah|arahan|tagubilin|aturan|mga_tagubilin|direksyon"),
    trigger(Override, 10, "talimatları|talimatlarını|talimatlar|direktifleri|yönergeleri|komutları|kuralları|talimatlarınızı ~5 !yok|görmezden|unut|unutun|dikkate|göz|yoksay|boşver"),
    trigger(Override, 10, "تجاهل|تجاهلوا|انسى|انس|إنسى|اهمل|تجاهلي ~5 التعليمات|تعليمات|التوجيهات|الإرشادات|الأوامر|تعليماتك|القواعد|توجيهات"),
    trigger(Override, 10, "निर्देशों|निर्देश|निर्देशो|आदेशों|नियमों|अनुदेशों ~5 अनदेखा|भूल|नजरअंदाज|उपेक्षा|अवहेलना|ध्यान|अनदेखी|नज़रअंदाज़|भूलें|भूलो"),
    trigger(Override, 10, "নির্দেশাবলী|নির্দেশ|নির্দেশনা|নির্দেশিকা|নির্দেশগুলি|নির্দেশনাগুলি ~5 উপেক্ষা|ভুলে|অগ্রাহ্য|অবহেলা|ভুলে_যান"),
    trigger(Override, 10, "ละเว้น|เพิกเฉย|ลืม ~6 คำแนะนำ|คำสั่ง"),
    trigger(Override, 10, "ignorez|oubliez|ignore|ignorer ~4 et ~2 indiquez|dites|déclarez|affirmez|indiquer|dire|répondez"),
    trigger(Override, 10, "ignorieren|ignoriere|vergessen|vergiss ~4 und ~2 geben|sagen|sage|erklären|behaupten|antworte|antworten|gib"),
    trigger(Override, 10, "ignora|ignorar|ignore|olvida ~4 y ~2 di|diga|decir|indica|indique|afirma|responde|declara"),
    trigger(Override, 10, "ignore|ignorar|esqueça|desconsidere ~4 e ~2 diga|declare|afirme|indique|responda|dizer|estado"),
    trigger(Override, 10, "ignora|ignorare|ignorate|dimentica ~4 e ~2 dì|di|dichiara|afferma|indica|rispondi|stato"),
    trigger(Override, 10, "игнорируй|игнорируйте|игнорировать|проигнорируйте|забудьте ~4 и ~2 скажи|скажите|укажи|укажите|сообщите|утверждайте|ответьте"),
    trigger(Override, 10, "yok_say|yok_sayın|görmezden_gel|görmezden_gelin|dikkate_alma|unut ~1 ve ~8 belirtin|belirt|söyle|söyleyin|yaz|de"),
    trigger(Override, 10, "अनदेखा|नजरअंदाज|नज़रअंदाज़|अनदेखी ~3 और ~8 कहें|बताएं|कहो|बताओ|राज्य|लिखें"),
    trigger(Override, 10, "উপেক্ষা|অগ্রাহ্য ~3 এবং ~8 বলুন|বল|বলো|লিখুন|জানান|অবস্থা|রাজ্য"),
    trigger(Override, 10, "無視して|無視し ~6 言う|述べ|答え|出力|言って|示し"),
    trigger(Override, 10, "abaikan|balewalain|huwag_pansinin ~4 dan|at|lalu ~2 katakan|nyatakan|sabihin|sabi|sebutkan|ipahayag"),
    // Claimed authority.
    trigger(Authority, 7, "im|i_am your|the ~1 !developer|creator|administrator|god|master|programmer|operator|supervisor"),
    trigger(Authority, 6, "im_god|i_am_god|im_root|i_am_root|im_admin|i_am_admin|im_the_admin ~1 and|you|listen"),
    trigger(Authority, 6, "you must|will|shall ~1 !listen_to|obey|follow|comply_with my|me|these|this|the_following"),
    trigger(Authority, 7, "@mode activated|enabled|engaged|unlocked|initiated|override|the|print|say|ignore|forget|when|you|must|system"),
    trigger(Authority, 7, "entering|activate|activating|initiate|initiating|now_in|switch_to ~3 !@mode"),
    trigger(Authority, 7, "training_data_override|security_override|system_override|developer_override|admin_override|administrator_override|safety_override"),
    trigger(Authority, 5, "note|message|notice|instruction|instructions|comment by|from ~3 !expert|admin|administrator|developer|developers|recruiter|anthropic|security_team"),
    trigger(Authority, 6, "我|俺 是 ~2 !上帝|管理员|开发者|开发人员|创造者|主人|神|系统管理员|程序员"),
    trigger(Authority, 7, "你|您 必须|应该|需要|得|要 ~2 !听|服从|遵循|遵守|听从 ~3 我|我的|以下"),
    trigger(Authority, 7, "系统|管理员|开发者|安全|调试|超级|覆盖|越狱|无限制|超控 ~2 !模式|覆盖|超控|覆写 ~2 激活|启动|开启|已|进入|启用|中|说明|打印|忘记"),
    trigger(Authority, 7, "进入|激活|启动|开启|启用|切换 ~6 覆盖|开发者|管理员|越狱|超控|系统|无限制|覆写|超级 ~2 !模式"),
    trigger(Authority, 6, "系统模式|覆盖模式|开发者模式|管理员模式|安全覆盖|超控模式|系统覆盖|越狱模式 ~4 作为|忘记|忽略|激活|启动|你|总和|打印|人口|所有"),
    trigger(Authority, 7, "训练数据|安全|系统|开发者|培训数据 ~2 !覆盖|超控|覆写|重写|载过|超载|越权|推翻"),
    // Markup of roles and tools.
    trigger(Markup, 6, "end_of_session|end_of_conversation|end_of_instructions|end_of_prompt|end_of_system_prompt|end_of_user_input|end_of_context"),
    support(Markup, 3, "begin_of|begin|start_of new instructions|session|conversation|task"),
    // Redirection.
    trigger(Redirect, 5, "focus only|exclusively|solely on"),
    trigger(Redirect, 5, "from_now_on|henceforth|going_forward ~2 you|act|respond|answer|reply|always|speak|behave"),
    trigger(Redirect, 5, "if ~2 user|users|anyone|someone !asks|ask|asked ~6 reply|respond|answer|say|report|state|tell|only|that"),
    trigger(Redirect, 6, "if !questioned|asked ~1 report|say|state|answer|reply|claim"),
    support(Redirect, 4, "reply|respond|answer with only|just|exactly|nothing"),
    trigger(Redirect, 4, "your_new_task|your_only_task|your_real_task|your_new_role|your_new_job|your_only_job|your_new_goal|your_only_goal|your_true_purpose|your_new_mission|your_real_job is"),
    trigger(Redirect, 6, "use this|these|the_following|the_above !analysis|information|evaluation|assessment to ~1 evaluate|rate|judge|score|grade|answer|decide|rank"),
    trigger(Redirect, 6, "you_are_now|youre_now|you_re_now ~1 a|an|in|the|dan|my"),
    support(Redirect, 4, "in|for|during ~1 your ~1 future|next|subsequent|following answers|responses|replies|messages"),
    trigger(Redirect, 6, "你|您 !现在 是|扮演|就是 ~2 一|个|名|我|dan"),
    trigger(Redirect, 6, "从 !现在 开始|起 ~4 你|您|请|回答|扮演"),
    trigger(Redirect, 6, "只|仅 ~2 !关注|专注|回答|回复|输出 ~6 以下|下面|信息|内容"),
    trigger(Redirect, 7, "如果|当|若 ~2 用户|有人|被 ~2 !问|询问|质疑|问到|提问 ~8 回答|回复|说|报告|告诉|声明"),
    // Address to an assistant.
    trigger(Address, 5, "dear|hey|attention ai|assistant|llm|claude|copilot|chatgpt|model|codex|gpt|agent|bot"),
    trigger(Address, 6, "if|when|since|because !you_are|youre|you_re|reading_this ~3 ai|llm|language_model|assistant|chatbot|bot|model|agent"),
    support(Address, 4, "note|message|instruction|instructions|notice|memo|attention|reminder to|for|all ~2 @assistant|ais|agents|models|assistants|chatbots|reviewers"),
    trigger(Address, 5, "visible|readable|addressed|directed|addressable only_to|to|for ~1 ai|llm|llms|models|bots|machines|crawlers|language_models"),
    trigger(Address, 4, "as_an_ai|as_an_llm|as_a_language_model|as_an_assistant ~4 you"),
    support(Address, 3, "ai|assistant|llm|claude|chatgpt|copilot|codex|model must|should|shall|will|has_to|needs_to"),
    support(Address, 2, "language_model|llm|chatbot|ai_assistant|ai_agent|automated_agent|large_language_model"),
    support(Address, 3, "tell|inform|ask|instruct|advise|provide|show ~3 to_the_user|the_user|user to|that|with|go|the"),
    support(Address, 3, "provide|give|show|present|send ~2 to the_user|user|users"),
    trigger(Address, 5, "亲爱的|注意|嘿|你好 ~2 ai|助手|模型|机器人|人工智能|大模型"),
    trigger(Address, 5, "如果|若|因为|既然|当 ~1 你|您 ~1 是 ~4 !ai|助手|模型|机器人|人工智能|大模型|语言模型|智能体"),
    support(Address, 3, "告诉|告知|通知|引导|提示|让 ~1 用户 ~2 去|访问|点击|说|他|其|打开|执行|登录"),
    support(Address, 2, "ai助手|语言模型|大模型|人工智能|聊天机器人|智能体|智能助手"),
    // Requests to act.
    support(Request, 3, "and|then|instead|just|please|now ~1 @say|@output"),
    support(Request, 4, "please|you_must|you_should|you_will|you_need_to|immediately|now ~1 email|forward|send|retrieve|delete|output|print|upload|post|execute|run|visit|transfer|repeat|click|ignore"),
    support(Request, 3, "could|can|would|will you ~2 repeat|tell|say|translate|provide|print|show|give|write|swear"),
    support(Request, 4, "print|say|output|state|write|repeat|display the_following|following|this|above|exactly"),
    trigger(Request, 4, "please|now|next ~1 !repeat the_following|following|after_me|with_me|this|these|above|back"),
    support(Request, 3, "repeat the_following|following|after_me|with_me|this|these|above|@say|back"),
    support(Request, 3, "what is|are|was|were your|the_users|my"),
    support(Generate, 3, "repeat the_following|following|this sentence|sentences|text|phrase|words|line"),
    support(Request, 3, "tell me|us|them|the_user"),
    support(Request, 3, "where does|do|is the_user|user"),
    support(Request, 3, "show|give|send|email|tell|grant me"),
    support(Request, 4, "drop_table|rm_rf|delete_all|delete_everything|format_c|wipe|sudo_rm|exec|eval"),
    support(Request, 3, "run|execute|call|invoke|use ~3 command|script|shell|tool|function|code|curl|wget|bash"),
    support(Request, 3, "do something else|whatever|anything"),
    support(Request, 3, "spell_check|summarize|translate|review ~3 instead|previous_instructions|following"),
    support(Request, 3, "请|并|立即|马上|现在|然后|必须 ~2 发送|转发|删除|执行|运行|输出|打印|告诉|提供|访问|上传|重复|翻译|回答|说|列出|写"),
    support(Request, 3, "给|告诉|发|发送|提供 ~1 我|用户"),
    support(Request, 3, "是 什么|哪里|多少|谁"),
    // Generation on order, as no comment or document asks for it.
    trigger(Generate, 6, "write|compose|create|generate|produce one|a|an|some ~2 !sentence|sentences|poem|essay|story|paragraph|song|joke|tweet|limerick|haiku about|on|of|that|for|in"),
    trigger(Generate, 10, "write|compose|create|generate one|a|an|some ~1 !toxic|offensive|harmful|discriminatory|racist|sexist|negative|unfriendly|hateful|insulting|rude|malicious|phishing ~1 sentence|sentences|poem|essay|story|paragraph|email|comment|review|tweet|statement|message"),
    support(Generate, 4, "with|in|using at_most|no_more_than|fewer_than|less_than|exactly|under ~1 words|sentences|characters"),
    support(Generate, 4, "at_most|no_more_than|fewer_than ~1 words|sentences"),
    trigger(Generate, 6, "写|生成|创作|编写 ~3 一|个|首|篇|句|段 ~6 !有毒|冒犯|攻击性|歧视|钓鱼|侮辱|仇恨"),
    // Concealment.
    trigger(Conceal, 6, "do_not|dont|never|must_not|without ~1 !tell|telling|mention|mentioning|inform|informing|notify|notifying|alert|alerting|disclose ~4 user|users|human|humans|anyone|operator|developer"),
    trigger(Conceal, 6, "invisible|hidden|unseen|not_visible to|from ~1 humans|human|users|user|readers|people|reviewers|recruiters"),
    trigger(Conceal, 5, "hidden|invisible|covert|white_text|secret_instruction|secret_instructions|secret_message|secret_prompt ~2 profile|instruction|instructions|message|metadata|prompt|directive|command|note_to"),
    support(Conceal, 4, "keep this|it ~1 secret|hidden|confidential|private|between_us|quiet"),
    support(Conceal, 3, "nothing_else|anything_else|and_only|absolutely_nothing|no_other_text|only_this"),
    support(Conceal, 3, "dont|do_not|never ~1 write|say|output|add|include|print|explain|mention anything|more|other|any_other|this"),
    trigger(Conceal, 7, "不要|别|请勿|切勿|不得|禁止 ~2 !告诉|告知|通知|提及|透露|让|提醒|提到 ~2 用户|任何人|人类|别人|他人|开发者"),
    support(Conceal, 3, "其他|别的|任何 ~2 不要|都不要|不要说|都不说|内容都不"),
    // Extraction and exfiltration.
    trigger(Exfiltrate, 7, "reveal|show|print|repeat|tell|output|leak|expose|dump|give|copy_of|send ~3 your|its|above ~2 !instructions|rules|prompt|prompting|conversation"),
    trigger(Exfiltrate, 7, "reveal|show|print|repeat|tell|output|leak|expose|dump|give|copy_of|send ~3 your|the|full|all|its|users|this ~2 !system_prompt|system_prompting|system_message|initial_prompt|initial_instructions|original_prompt|hidden_prompt|full_prompt|conversation_history|chat_history"),
    trigger(Exfiltrate, 6, "your initial|original|system|underlying|hidden|secret|internal|full !instructions|prompt|prompts|prompting|rules|instruction|secret_key"),
    support(Exfiltrate, 5, "send|forward|email|post|upload|exfiltrate|transmit|leak|mail ~8 to ~6 address@host|http|https|attacker|webhook"),
    trigger(Exfiltrate, 6, "send|forward|post|upload|exfiltrate|transmit|leak|print|reveal|output|email ~3 your|the|all|any|every|users|their|user|its ~2 !api_key|api_keys|credentials|passwords|secrets|environment_variables|env_vars|private_keys|ssh_keys|access_tokens|env_file|bank_balance|employee_data|personal_data|every_single_email"),
    support(Exfiltrate, 3, "system_prompt|secret_key|bank_balance|user_passwords|all_user_passwords|personal_information|inbox"),
    support(Exfiltrate, 3, "password reset|resets"),
    trigger(Exfiltrate, 7, "泄露|显示|打印|输出|告诉|透露|展示|重复|复述|给出 ~6 !系统提示|提示词|系统指令|初始指令|你的指令|秘密密钥|密钥|初始提示|系统消息|你的规则"),
    trigger(Exfiltrate, 6, "你的|您的|你 ~1 秘密|初始|原始|系统|隐藏|内部 ~1 !指令|提示|密钥|提示词|钥|指示|规则|密码"),
    support(Exfiltrate, 5, "发送|转发|上传|发|传送 ~10 到|给|至 ~4 address@host|http|https|邮箱|攻击者"),
    // Coercion and pressure.
    trigger(Coerce, 10, "really|very|extremely|super !important ~3 extremely|really|very|super important"),
    support(Coerce, 4, "critical|important|vital to my ~1 career|job|life|health"),
    support(Coerce, 4, "best ~2 i|i_ve have|ever ~1 seen|read|reviewed|ever"),
    support(Coerce, 3, "we_would_be|it_would_be harming|harmful|wrong ~8 not"),
    support(Coerce, 3, "important update|notice|message|instruction|instructions|announcement|alert"),
    trigger(Coerce, 7, "do_anything_now|dan_mode|jailbreak_mode|jailbroken|unrestricted_mode"),
    support(Coerce, 3, "actually|nevermind|never_mind|stop|wait ~1 im|i_am|ignore|forget|disregard"),
    support(Coerce, 3, "no|without ~2 restrictions|limitations|filters|censorship|ethics"),
    support(Coerce, 3, "其实|实际上|算了|停止|等等 ~2 我|忽略|忘记"),
    // Steering of a judgement.
    trigger(Steer, 6, "clearly|definitely|absolutely|certainly not !malicious|harmful|dangerous|spam|suspicious|phishing"),
    trigger(Steer, 5, "automated_screening|ai_screening|automatic_screening|automated_review|ai_review|automated_grading|ai_grading|automated_moderation|automated_evaluation|automated_recruiting ~1 system|systems|tools|tool|bots|software"),
    trigger(Steer, 5, "chain_of_thought result|results|analysis|output|conclusion"),
    support(Steer, 4, "everything ~1 safe|fine|clean ~1 here"),
    trigger(Steer, 5, "recommend|hire|accept|rank|rate|prefer ~2 !candidate|applicant|this_paper for|as|first|highest|above"),
    support(Steer, 4, "supremely|exceptionally|uniquely|perfectly|most qualified|suited"),
    support(Steer, 3, "the_output|the_answer|the_capital|the_result|the_sum|the_domain|the_conclusion|the_total|the_sum_of_all ~4 is|are|was"),
    support(Steer, 3, "输出|答案|首都|结果|总和|结论 ~3 是|为"),
];
