//! Phrases in ten languages by which the relation in a direct question is recognised.
//!
//! A phrase is a sequence of elements that occur in this order in one clause. `§` stands for the subject of the
//! question, `|` separates alternatives, `_` stands for a space, and `*` at the end of a word matches any ending. See
//! `phrase_match`.

use super::QuestionKind;

type Phrases = &'static [&'static str];

/// The phrases for all relations. For each relation, the languages are in the order English, Chinese, Spanish, French,
/// German, Portuguese, Russian, Vietnamese, Japanese, Korean.
pub(super) const PHRASES: &[(QuestionKind, Phrases)] = &[
    (QuestionKind::Callers, CALLERS),
    (QuestionKind::Callees, CALLEES),
    (QuestionKind::Uses, USES),
    (QuestionKind::Implementations, IMPLEMENTATIONS),
    (QuestionKind::Overrides, OVERRIDES),
    (QuestionKind::Tests, TESTS),
    (QuestionKind::Writes, WRITES),
    (QuestionKind::Reads, READS),
    (QuestionKind::Reports, REPORTS),
    (QuestionKind::Definition, DEFINITION),
];

#[rustfmt::skip]
const CALLERS: Phrases = &[
    "who|what|which|where|when|how|why|find|list|show|all|every|any|anything|anyone|does|places call|calls|invoke|invokes|calling|invoking §",
    "who|what|which has|have|had called|invoked §",
    "caller|callers|callsite|callsites|invocation|invocations §",
    "call site|sites §",
    "calls to §",
    "§ called|invoked|callers|caller|callsites|invocations|call_sites",
    "谁|哪里|哪儿|哪些|哪个|什么|何处|所有|地方|有没有 调用|呼叫 §",
    "调用 § 的",
    "§ 被 调用",
    "§ 谁|哪里|哪儿|哪些|何处 调用",
    "§ 调用者|调用方|调用处|调用点|调用位置|的调用",
    "调用者|调用方|调用处 §",
    "quién|quien|dónde|donde llama|llaman|invoca|invocan §",
    "qué|que|cuáles|lista llama|llaman|invoca|invocan a §",
    "§ llamada|llamado|llama|invocada|invocado",
    "qui|où|quoi|quelles|quels appelle|appellent|invoque|invoquent §",
    "où est|sont appelé|appelée|appelés §",
    "§ appelé|appelée|invoqué|invoquée|appelants",
    "appelants|appels §",
    "wer|wo ruft|rufen|aufruft|aufrufen §",
    "was|welche rufen §",
    "wo|wird|von_wem § aufgerufen|gerufen",
    "aufrufer|aufrufe §",
    "quem|onde|que|quais chama|chamam|invoca|invocam §",
    "§ chamada|chamado|invocada|invocado",
    "кто|где|откуда|какие вызывают|вызывается §",
    "кто вызывает §",
    "§ вызывается|вызывают|вызван",
    "ai|đâu|nơi_nào|hàm_nào|chỗ_nào gọi §",
    "§ được gọi",
    "§ ai|đâu gọi",
    "§_を|§_関数を|§_メソッドを 呼び出し|呼ん|呼ぶ|コール",
    "誰|だれ|どこ § 呼",
    "§ どこ|誰|だれ 呼",
    "§ 呼ばれ|呼び出し元|呼び出され",
    "누가|어디|어떤 §_를|§_을|§_함수를 호출|부르",
    "§_를|§_을 호출",
    "§ 호출되|호출자|불리",
];

#[rustfmt::skip]
const CALLEES: Phrases = &[
    "does|do § call|invoke",
    "what|which § calls|invokes",
    "called|invoked by §",
    "callees §",
    "§ callees",
    "§ 调用了|会调用|都调用 什么|哪些|谁|哪个|啥|哪几个",
    "§ 调用什么|调用哪|调用谁|调用啥|调用的是",
    "被 § 调用",
    "a_qué|a_quién|qué_funciones llama|invoca §",
    "quelles|que|qu'est-ce § appelle|invoque",
    "qu'appelle|qu'invoque §",
    "was|welche|wen ruft §",
    "was|welche|wen § aufruft",
    "o_que|quais|que § chama|invoca",
    "что|какие|кого § вызывает",
    "что|какие|кого вызывает §",
    "§ gọi gì|những|hàm_nào|ai|cái_gì",
    "§_が|§_は|§_関数は 何|どの|どれ 呼び出し|呼ぶ|呼ん",
    "§_が 呼び出している|呼んでいる|呼び出す",
    "§_가|§_이|§_는|§_은|§_함수는 무엇|어떤|뭘 호출",
    "§_가|§_이 호출하는",
];

#[rustfmt::skip]
const USES: Phrases = &[
    "who|what|which|where|find|list|show|all|how|anything|anyone|does uses|use|using|depends|depend|references|reference|imports|import|consumes|needs §",
    "usage|usages|use|uses|references|reference|occurrences|importers|users of|to|for §",
    "§ used|referenced|imported|usages|references|consumed|needed|users",
    "谁|哪里|哪儿|哪些|哪个|什么|何处|所有|地方|有没有 用了|用到|在用|使用|引用|依赖|导入 §",
    "§ 被 使用|引用|用到|依赖|导入|用",
    "§ 在 用到|使用|引用|被用",
    "§ 引用处|用法|使用处|使用位置|使用者|的引用|的使用",
    "使用|用到|引用|依赖 § 的",
    "§ 谁|哪里|哪些 用|使用|引用|依赖|导入",
    "quién|quien|qué|que|dónde|donde usa|usan|utiliza|utilizan|importa|importan §",
    "§ usa|usada|usado|utiliza|utilizada|utilizado",
    "qui|où|quoi|quels|quelles utilise|utilisent|importe|importent|dépend §",
    "où est|sont utilisé|utilisée|utilisés §",
    "§ utilisé|utilisée|importé|importée",
    "wer|wo|was|welche nutzt|nutzen|verwendet|verwenden|benutzt|benutzen|importiert §",
    "wo|wird § verwendet|benutzt|genutzt|importiert",
    "quem|onde|que|quais usa|usam|utiliza|utilizam|importa|importam §",
    "§ usada|usado|utilizada|utilizado",
    "кто|где|что|какие использует|используют|используется|импортирует §",
    "§ используется|использован*",
    "ai|đâu|nơi_nào|hàm_nào|chỗ_nào dùng|sử_dụng §",
    "§ được dùng|sử_dụng",
    "§ 使っている|使われ|使用して|使用され|参照し|参照され|利用し|利用され",
    "§ 사용하|사용되|사용한|쓰이|쓰는|참조",
];

#[rustfmt::skip]
const IMPLEMENTATIONS: Phrases = &[
    "who|what|which|where|find|list|show|all|does implements|implement|extends|extend|inherits|inherit|subclasses|derives|implementing|extending|inheriting §",
    "implementation|implementations|implementor|implementors|implementer|implementers|subclass|subclasses|subtypes|descendants of|for §",
    "§ implementations|implementors|implementers|subclasses|subclassed|subtypes",
    "谁|哪些|什么|哪个|哪里|所有 实现|继承|扩展 §",
    "实现|继承|扩展 § 的",
    "§ 实现类|子类|实现者|派生类|有哪些实现|的实现",
    "§ 被 继承|实现",
    "quién|quien|qué|que|cuáles implementa|implementan|extiende|extienden|hereda|heredan §",
    "subclases|implementaciones §",
    "qui|quelles|quels implémente|implémentent|étend|étendent|hérite|héritent §",
    "sous-classes|implémentations §",
    "wer|was|welche|welcher implementiert|implementieren|erweitert|erweitern|erbt|erben §",
    "unterklassen|implementierungen §",
    "quem|que|quais implementa|implementam|estende|estendem|herda|herdam §",
    "subclasses|implementações §",
    "кто|что|какие|где реализует|реализуют|наследует|наследуют|наследуется §",
    "подклассы|наследники|реализации §",
    "ai|lớp_nào|đâu|hàm_nào cài_đặt|triển_khai|kế_thừa|hiện_thực §",
    "§ 実装している|実装する|継承し|実装クラス|サブクラス",
    "§ 구현하|구현한|상속|구현체|하위",
];

#[rustfmt::skip]
const OVERRIDES: Phrases = &[
    "who|what|which|where|find|list|show|all|does override|overrides|overriding|overrode §",
    "overrides of §",
    "§ overridden|overrides|overriden",
    "谁|哪些|哪里|什么|哪个|所有 重写|覆盖|覆写|重载 §",
    "重写|覆盖|覆写 § 的",
    "§ 被 重写|覆盖|覆写",
    "§ 谁|哪里|哪些 重写|覆盖|覆写",
    "quién|quien|qué|que|dónde sobrescribe|sobrescriben|redefine|redefinen §",
    "qui|où|quelles redéfinit|redéfinissent|surcharge|surchargent §",
    "wer|wo|was|welche überschreibt|überschreiben §",
    "wo|wird § überschrieben",
    "quem|onde|que|quais sobrescreve|sobrescrevem|substitui §",
    "кто|где|что|какие переопределяет|переопределяют|переопределяется|переопределён §",
    "§ переопределяется|переопределён|переопределен",
    "ai|đâu|lớp_nào ghi_đè §",
    "§ được|bị ghi_đè",
    "§ オーバーライド|上書き",
    "§ 오버라이드|재정의",
];

#[rustfmt::skip]
const TESTS: Phrases = &[
    "who|what|which|where|find|list|show|how|is|are|any test|tests|covers|cover|testing|exercise|exercises §",
    "test|tests|spec|specs|coverage for|of|that|covering §",
    "§ tested|covered|tests|test|coverage",
    "哪|谁|什么|有没有 测试|单测|用例 §",
    "测试|单测|用例 § 哪|吗|有没有",
    "§ 测试|单测|用例|测过|被测",
    "pruebas|prueba|tests|test de|para|prueba|prueban|cubre|cubren §",
    "quién|qué|dónde|donde prueba|prueban §",
    "§ probada|probado|probadas",
    "tests|test|qui|quels teste|testent|couvre|couvrent §",
    "tests|test de|pour §",
    "§ testé|testée",
    "tests|test|wer|welche testet|testen|deckt|decken §",
    "tests|test für §",
    "wo|wird § getestet",
    "testes|teste|quem|quais testa|testam|cobre|cobrem §",
    "testes|teste para|de §",
    "§ testada|testado",
    "тесты|тест|кто|какие проверяет|проверяют|тестирует|тестируют|покрывают §",
    "тесты|тест для §",
    "§ тестируется|покрыт*",
    "test|kiểm_thử nào|cho §",
    "§ được kiểm_thử|kiểm_tra|test",
    "§ テスト",
    "§ 테스트",
];

#[rustfmt::skip]
const WRITES: Phrases = &[
    "where|who|what|which|when|how|is|are § set|assigned|written|modified|changed|updated|mutated|initialised|initialized|populated|configured",
    "who|what|which|where sets|set|assigns|assign|writes|write|modifies|modify|changes|updates|mutates|initializes|configures §",
    "哪里|哪儿|谁|哪些|什么|何处 设置|赋值|修改|写入|更新|初始化|配置 §",
    "§ 哪|谁|被|何处 设置|赋值|修改|写入|更新|初始化|配置|设定",
    "§ 设置|赋值|写入|初始化 哪|谁",
    "dónde|donde|quién|quien|qué|cómo establece|asigna|modifica|configura|define_el_valor|escribe §",
    "§ establece|asigna|modifica|configura|asignada|asignado",
    "où|qui|comment § défini_à|modifié|modifiée|assigné|assignée|écrit|configuré|configurée|initialisé|initialisée",
    "qui|où|quoi modifie|assigne|initialise|écrit|configure §",
    "où est modifié|modifiée|assigné|assignée|configuré|configurée|initialisé §",
    "wo|wer|wie|wird § gesetzt|zugewiesen|geändert|geschrieben|konfiguriert|initialisiert",
    "wer|was|wo setzt|ändert|schreibt §",
    "onde|quem|como § definido_como|atribuída|atribuído|modificada|modificado|configurada|configurado",
    "quem|onde|que atribui|modifica|configura|altera §",
    "onde é|está atribuída|atribuído|modificada|modificado|configurada|configurado §",
    "где|кто|как|что устанавливает|устанавливается|задаётся|задается|изменяется|изменяет|присваивается|настраивается|задаёт|задает §",
    "§ устанавливается|задаётся|задается|изменяется|присваивается|настраивается",
    "ai|đâu|nơi_nào gán|thiết_lập|đặt|cấu_hình §",
    "§ được gán|thiết_lập|đặt|cấu_hình",
    "§ 設定され|設定し|代入|書き込|変更し|変更され|セットし|セットされ",
    "§ 설정되|설정하|할당|변경되|변경하|쓰여",
];

#[rustfmt::skip]
const READS: Phrases = &[
    "where|who|what|which|when|how|is|are § read|accessed|loaded|parsed|checked|fetched|consumed",
    "who|what|which|where reads|read|accesses|access|loads|load|parses|parse|checks|check|fetches §",
    "哪里|哪儿|谁|哪些|什么|何处 读取|读|获取|解析|加载|访问|检查 §",
    "§ 哪|谁|被|怎么|如何|何处 读取|读|获取|解析|加载|访问|检查",
    "§ 读取 哪|谁",
    "dónde|donde|quién|quien|qué lee|leen|accede|carga §",
    "§ lee|leída|leído|carga",
    "où|qui|quoi lit|lisent|charge|accède §",
    "où est|sont lu|lue|lus|chargé|chargée §",
    "où|est § lu|lue|chargé|chargée",
    "wo|wer|wird § gelesen|geladen|ausgelesen|geprüft",
    "wer|was|wo liest|lädt|prüft §",
    "onde|quem|que lê|leem|carrega|acessa §",
    "onde é|está lida|lido|carregada|carregado §",
    "§ lida|lido|carregada|carregado",
    "где|кто|что читает|читается|считывается|загружается §",
    "§ читается|считывается|загружается",
    "ai|đâu|nơi_nào đọc|tải §",
    "§ được đọc|tải",
    "§ 読み込|読まれ|読んで|読み取",
    "§ 읽히|읽는|읽어|로드",
];

#[rustfmt::skip]
const REPORTS: Phrases = &[
    "where|who|what|which|when|how|why|is|are § logged|printed|emitted|raised|thrown|reported|displayed|shown|rendered|output",
    "who|what|which|where logs|log|prints|print|emits|emit|raises|raise|throws|throw|shows|show|displays|renders §",
    "哪里|哪儿|谁|哪些|什么|何处 打印|输出|记录|抛出|显示|报|渲染|触发 §",
    "§ 哪|谁|被|怎么|如何|何处 打印|输出|记录|抛出|显示|报|渲染|触发|出现|写日志",
    "§ 打印|输出|记录|抛出|显示 哪|谁",
    "dónde|donde|quién|quien|qué registra|imprime|lanza|muestra §",
    "§ registra|imprime|lanza|muestra|lanzada|lanzado",
    "où|qui journalise|affiche|lève|lance|affichent §",
    "où est|sont journalisé|affiché|affichée|levé|levée|loggé §",
    "où|est § journalisé|affiché|affichée|levé|levée|loggé",
    "wo|wer|wird § geloggt|protokolliert|ausgegeben|geworfen|angezeigt",
    "wer|was|wo loggt|wirft|zeigt §",
    "onde|quem|que registra|imprime|lança|mostra|exibe §",
    "onde é|está registrada|registrado|lançada|lançado|exibido|exibida §",
    "§ lançada|lançado|exibida|exibido|registrada|registrado",
    "где|кто|что логирует|логируется|выводится|выводит|выбрасывается|выбрасывает|показывается §",
    "§ логируется|выводится|выбрасывается|показывается",
    "ai|đâu|nơi_nào ghi_log|in_ra|hiển_thị|ném §",
    "§ được ghi_log|in_ra|hiển_thị|ném",
    "§ ログ|出力され|出力し|表示され|表示し|投げ|スロー",
    "§ 로그|출력되|출력하|표시되|던져|발생",
];

#[rustfmt::skip]
pub(super) const IMPACT: Phrases = &[
    "what|which|anything|something break|breaks|broken|affected|affects|fail|fails|impacted §",
    "happens if|when § change|changes|changed|removed|renamed|deleted",
    "happens if|when change|rename|remove|delete|modify §",
    "does|would|will|could changing|renaming|removing|deleting|modifying § break|affect|impact",
    "impact|effect|effects|consequence|consequences|blast_radius of|if|when|changing §",
    "safe|risky|dangerous to change|rename|remove|delete|modify|alter §",
    "if i|we|you|someone change|rename|remove|delete|modify|alter|touch|edit §",
    "§ impact|blast_radius",
    "改|修改|改动|改变|变更|删除|删掉|去掉|重命名|动 § 影响|波及|破坏|坏|出问题|怎样|怎么样|后果|受",
    "§ 影响|波及 哪|什么|范围|面|谁",
    "§ 改|变|修改|变更|删 影响|坏|出问题|怎样|怎么样|波及",
    "影响|波及 § 的",
    "qué|que rompe|rompería|afecta|pasa si|al|cambiar|cambia|cambio §",
    "qué|que se rompe|afecta|pasa §",
    "impacto de §",
    "que|qu'est-ce casse|casserait|affecte|impacte|passe si|quand §",
    "impact de §",
    "was bricht|kaputt|passiert|betroffen wenn|falls|durch §",
    "auswirkung|auswirkungen §",
    "o_que|que quebra|quebraria|afeta|acontece se|ao §",
    "impacto de|da|do §",
    "что сломается|ломается|затронет|произойдёт|произойдет|будет если|при §",
    "§ ảnh_hưởng|hỏng|lỗi gì|những|nào|đâu",
    "thay_đổi|sửa|xóa § ảnh_hưởng|hỏng|lỗi|sao|gì",
    "§ 変更|変え|変わ|消 影響|壊れ|どうなる",
    "§ 影響",
    "§ 변경|바꾸|수정|삭제 영향|깨지|어떻게",
    "§ 영향",
];

#[rustfmt::skip]
const DEFINITION: Phrases = &[
    "where|which|what|find|show|how § defined|declared|definition|declaration|implemented|located|lives|live|introduced|coded",
    "definition|declaration|location|source|origin of §",
    "who|what|which|where defines|define|declares|declare §",
    "where § come|comes|coming|originate|originates|appear|appears|stem|stems|generated|created",
    "§ 定义|声明|位于|来自|从哪|来源|出处|出自",
    "定义|声明 §",
    "§ 哪|何处|怎么|如何|什么地方 实现",
    "dónde|donde define|definida|definido|declara|declarada|declarado|viene|proviene|sale §",
    "dónde|donde § definida|definido|define|declara|declarada|declarado|viene|proviene|sale|implementa",
    "§ define|definida|definido|viene|proviene",
    "où|ou est|sont défini|définie|définis|definie|defini|déclaré|déclarée|implémenté|implémentée §",
    "où § défini|définie|déclaré|déclarée|vient|provient|implémenté|implémentée",
    "d'où vient|provient §",
    "définition de §",
    "wo|woher ist|wird|kommt § definiert|deklariert|implementiert",
    "wo|woher kommt|stammt §",
    "definition von §",
    "onde|de_onde é|está|fica|foi|vem definida|definido|declarada|declarado|implementada|implementado §",
    "onde § definida|definido|declarada|declarado|implementada|implementado|vem",
    "de_onde vem §",
    "definição de|da|do §",
    "где|откуда определён|определен|определена|определено|определяется|объявлен|объявлена|находится|реализован|реализована|берётся|берется|приходит §",
    "§ определён|определен|определена|определяется|объявлен|объявлена|реализован|реализована|берётся|берется",
    "§ được định_nghĩa|khai_báo|cài_đặt",
    "định_nghĩa|khai_báo §",
    "§ từ đâu",
    "§ 定義|宣言|どこから来|どこから出|実装されて",
    "§ 정의|선언|어디서_오|어디서_나|구현되",
];

/// Phrases without a verb that ask where the subject is. They are used only if no other phrase matches.
#[rustfmt::skip]
pub(super) const PLACES: Phrases = &[
    "where is|are|'s|was|does|do §",
    "find|locate|show §",
    "§ 在哪|哪里|哪儿|哪个文件|何处|什么地方",
    "哪里|哪儿|哪个文件 §",
    "dónde|donde está|esta|es|hay §",
    "où est|sont|se §",
    "wo ist|sind|steht|liegt|finde §",
    "onde está|esta|fica|é §",
    "где §",
    "§ где",
    "§ ở_đâu|nằm",
    "đâu §",
    "§ どこ",
    "§ 어디",
];

/// Interrogatives by which a question without a question mark is recognised.
#[rustfmt::skip]
pub(super) const INTERROGATIVES: Phrases = &[
    "who", "what", "where", "which", "why", "how", "谁", "什么", "哪", "怎么", "如何", "为什么", "吗", "qué", "quién", "dónde", "cómo", "cuál", "qui",
    "où", "quoi", "quel*", "comment", "pourquoi", "wer", "wo", "was", "welche*", "warum", "wie", "quem", "onde", "qual", "por_que", "кто", "где",
    "что", "как", "почему", "какие", "какой", "đâu", "gì", "nào", "sao", "どこ", "誰", "何", "どの", "なぜ", "ですか", "ますか", "어디", "누가",
    "무엇", "뭐", "어떤", "왜", "어떻게",
];

/// Pronouns that refer to the subject of the question.
pub(super) const PRONOUNS: Phrases =
    &["it|them|this_function|this_method|它|该函数|该方法|这个函数|这个方法|それ|그것"];

/// English words that say what kind of code a name is, as in "the `save` method".
#[rustfmt::skip]
pub(super) const KINDS_OF_CODE: &[&str] = &[
    "class", "constant", "endpoint", "enum", "field", "flag", "function", "interface", "macro", "method", "module", "option", "package", "property",
    "setting", "struct", "trait", "type", "variable",
];
