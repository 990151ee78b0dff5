//! Converts the Chinese characters that phrases use between traditional and simplified forms.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Pairs of a traditional character and its simplified form.
const PAIRS: &str = "請请無无視视規规則则輸输統统詞词從从現现開开後后個个們们說说話话將将傳传內内資资碼码戶户顯显權权執执發发對对這这裡里為为與与並并總总應应當当會会關关閉闭變变環环鑰钥據据庫库給给還还過过進进選选運运轉转載载號号檔档刪删測测試试記记錄录憶忆實实際际級级員员問问題题認认證证識识讀读寫写語语譯译務务動动態态機机構构標标準准樣样條条復复聽听啟启來来別别沒没隱隐祕秘訊讯確确幫帮讓让願愿歷历邊边種种類类網网頁页連连結结觀观點点擊击郵邮備备單单審审計计劃划設设階阶報报訴诉憑凭責责師师獲获擁拥屬属於于術术誤误錯错異异擇择檢检離离經经組组織织義义習习練练訓训導导電电腦脑帳账稱称參参數数尋寻達达遠远違违蓋盖廢废棄弃絕绝續续處处閱阅間间陳陈須须顧顾騙骗驗验體体專专門门東东車车長长書书見见買买賣卖貝贝費费賬账鎖锁鍵键銷销錢钱鏈链閒闲隊队雲云靜静響响項项順顺預预頭头頻频顆颗風风飛飞養养駭骇麼么黃黄齊齐龍龙倉仓價价優优償偿儲储兒儿兩两冊册凍冻創创劇剧劑剂勞劳勢势匯汇區区協协卻却廠厂厲厉嗎吗嘗尝圍围國国圖图團团壓压壞坏夠够夢梦夾夹奪夺媽妈學学寶宝層层島岛幣币幹干廣广張张強强彈弹徑径徵征恆恒惡恶愛爱慣惯慮虑懷怀戰战掃扫拋抛挾挟換换損损搶抢摺折擔担擬拟擴扩擾扰攔拦攜携敗败斷断時时晉晋暫暂曆历曉晓業业極极樓楼樹树橋桥歲岁殘残殺杀氣气決决沖冲況况洩泄淚泪淨净減减湯汤溝沟滅灭滿满漢汉潔洁濾滤災灾烏乌煩烦熱热燈灯爭争爾尔牆墙獨独產产畫画療疗盡尽監监盤盘眾众矯矫礙碍禮礼稅税積积穩稳窮穷筆笔節节範范築筑簡简簽签籌筹糧粮納纳純纯紙纸細细終终絡络綁绑綠绿維维緊紧線线編编緒绪緣缘縣县縮缩縱纵繼继羅罗聯联職职肅肃臨临舉举舊旧艦舰藝艺藥药蘇苏虛虚虧亏蟲虫衛卫裝装複复覺觉覽览討讨託托訂订許许訪访評评詢询詳详誌志誘诱誰谁課课調调談谈諾诺謀谋謂谓講讲謝谢議议護护讚赞豐丰負负貢贡財财貨货販贩貫贯貴贵貸贷貿贸賞赏賴赖賽赛趕赶跡迹躍跃軍军軟软較较輔辅輕轻輛辆輪轮輯辑辦办農农遞递適适遲迟遺遗邁迈邏逻鄉乡釋释銀银銘铭鋼钢鍾钟鎮镇鏡镜鐵铁鑑鉴閃闪閘闸隨随險险雜杂難难霧雾韌韧頂顶領领額额顏颜飾饰餘余駐驻駕驾驅驱髮发鬆松鬥斗魚鱼鮮鲜麗丽齡龄";

/// The first character of the Unicode block that contains all characters in [`PAIRS`].
const FIRST: u32 = 0x4e00;
const LAST: u32 = 0x9fff;

/// The simplified form of each character in the block, or NUL if [`PAIRS`] does not contain the character.
static SIMPLIFIED: LazyLock<Vec<char>> = LazyLock::new(|| {
    let mut forms = vec!['\0'; (LAST - FIRST + 1) as usize];
    for (traditional, simplified) in pairs() {
        forms[(u32::from(traditional) - FIRST) as usize] = simplified;
    }
    forms
});
static TRADITIONAL: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let mut forms = HashMap::new();
    for (traditional, simplified) in pairs() {
        // Several traditional characters can have the same simplified form. The first pair contains the traditional
        // character that is used in instructions.
        forms.entry(simplified).or_insert(traditional);
    }
    forms
});

fn pairs() -> impl Iterator<Item = (char, char)> {
    let mut characters = PAIRS.chars();
    std::iter::from_fn(move || characters.next().zip(characters.next()))
}

/// Returns the simplified form of a character, or the character itself if there is no other form.
pub(crate) fn simplified(character: char) -> char {
    let form = u32::from(character)
        .checked_sub(FIRST)
        .and_then(|index| SIMPLIFIED.get(index as usize))
        .filter(|form| **form != '\0');
    form.copied().unwrap_or(character)
}

/// Converts the simplified characters in `text` that [`PAIRS`] contains to their traditional forms.
pub(crate) fn traditional(text: &str) -> String {
    text.chars()
        .map(|character| TRADITIONAL.get(&character).copied().unwrap_or(character))
        .collect()
}

#[cfg(test)]
mod tests;
