//! Splits a text into lower-case words with their positions in the source, and removes disguises.
//!
//! Each Chinese or Japanese character is a word. The word after the `@` of a mail address is replaced with
//! `address@host`.

mod reader;

use std::collections::HashMap;
use std::num::NonZeroU128;
use std::ops::Range;
use std::sync::LazyLock;

use super::disguise::{join_letters, letters_for_digits};
use crate::work;
use reader::Reader;

const NUMBER: u32 = 7;
const SEED: u32 = 0x811c_9dc5;
const PRIME: u32 = 0x0100_0193;
/// The word that replaces the host of a mail address.
const ADDRESS: &str = "address@host";

/// The words of one region. All words are stored in one buffer.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// The region in lower case, followed by normalised words, for example in simplified instead of traditional
    /// characters.
    buffer: String,
    pub(crate) list: Vec<Word>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    text: Range<usize>,
    pub(crate) source: Range<usize>,
    /// The hash of the word's text, as [`word_hash`] computes it.
    pub(crate) hash: u32,
    pub(crate) start: Start,
    /// Whether there is a colon between this word and the next word. The colon must be followed by white space or by
    /// the end of the text.
    pub(crate) has_colon: bool,
    /// Whether the word contained invisible characters, replaced letters or separated letters.
    pub(crate) disguised: bool,
    digits: Digits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digits {
    None,
    Some,
}

/// The position of a word in its line and sentence. Comment marks and quotes before the word are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Line,
    Sentence,
    Nothing,
}

impl Words {
    /// Reads the words of `text`, whose first byte is at `offset` in the source.
    pub(crate) fn read(text: &str, offset: usize) -> Self {
        work::count(text.len());
        let mut words = Reader::read(text, offset);
        words.restore_other_scripts(text, offset);
        words.blank_options(text, offset);
        words.read_digits_as_letters();
        words.join_addresses(text, offset);
        join_letters(text, offset, &mut words);
        for word in &mut words.list {
            let text = word.text.clone();
            let eight = words.buffer.as_bytes()[text.start..].first_chunk::<8>();
            word.hash = match eight {
                Some(eight) if (1..=8).contains(&text.len()) && eight[0].is_ascii_alphabetic() => {
                    hash_of_start(u64::from_le_bytes(*eight), text.len())
                }
                _ => word_hash(&words.buffer[text]),
            };
        }
        words
    }

    /// Restores the original letters of words that consist only of Greek or Cyrillic letters, because such words are
    /// not disguised.
    fn restore_other_scripts(&mut self, text: &str, offset: usize) {
        for word in self.list.iter_mut().filter(|word| word.disguised) {
            let source = &text[word.source.start - offset..word.source.end - offset];
            if source.chars().all(|character| matches!(character, '\u{370}'..='\u{52f}')) {
                let start = self.buffer.len();
                self.buffer.push_str(&source.to_lowercase());
                word.text = start..self.buffer.len();
                word.disguised = false;
            }
        }
    }

    /// Clears the first word of an option such as `--ignore-rules`, which is a name and not an instruction. The words
    /// of `--ignore all rules` are kept, because `--` may start a comment.
    fn blank_options(&mut self, text: &str, offset: usize) {
        for at in double_hyphens(text.as_bytes()) {
            let start = offset + at + 2;
            let index = self.list.partition_point(|word| word.source.start < start);
            let Some(word) = self.list.get_mut(index).filter(|word| word.source.start == start)
            else {
                continue;
            };
            let following = text.as_bytes()[word.source.end - offset..].iter();
            let mut following = following.copied();
            if following.next() == Some(b'-')
                && following.next().is_some_and(|next| next.is_ascii_alphabetic())
            {
                word.text.end = word.text.start;
            }
        }
    }

    /// Replaces digits with the letters that they resemble, as in `1gn0r3`.
    fn read_digits_as_letters(&mut self) {
        for word in self.list.iter_mut().filter(|word| word.digits == Digits::Some) {
            if let Some(letters) = letters_for_digits(&self.buffer[word.text.clone()]) {
                let start = self.buffer.len();
                self.buffer.push_str(&letters);
                word.text = start..self.buffer.len();
                word.disguised = true;
            }
        }
    }

    pub(crate) fn text(&self, index: usize) -> &str {
        &self.buffer[self.list[index].text.clone()]
    }

    pub(crate) fn starts_with_ideograph(&self, index: usize) -> bool {
        let text = self.text(index);
        !text.as_bytes().first().is_none_or(u8::is_ascii)
            && text.chars().next().is_some_and(is_ideograph)
    }

    pub(crate) fn is_letter(&self, index: usize) -> bool {
        let text = &self.list[index].text;
        text.len() == 1 && self.buffer.as_bytes()[text.start].is_ascii_alphabetic()
    }

    /// Returns the bytes of a word as a number. Returns `None` if the word is empty, longer than sixteen bytes, or too
    /// close to the end of the buffer.
    pub(crate) fn packed(&self, index: usize) -> Option<NonZeroU128> {
        let text = &self.list[index].text;
        let unused = 16_usize.checked_sub(text.len())?;
        let bytes = self.buffer.as_bytes()[text.start..].first_chunk::<16>()?;
        NonZeroU128::new(u128::from_le_bytes(*bytes) & u128::MAX.checked_shr(8 * unused as u32)?)
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Joins the words in `range` into one disguised word.
    pub(crate) fn joined(&mut self, range: Range<usize>) -> Word {
        let start = self.buffer.len();
        for index in range.clone() {
            let text = self.list[index].text.clone();
            self.buffer.extend_from_within(text);
        }
        let first = &self.list[range.start];
        Word {
            text: start..self.buffer.len(),
            source: first.source.start..self.list[range.end - 1].source.end,
            disguised: true,
            ..first.clone()
        }
    }

    /// Replaces the word after the `@` in `name@host` with [`ADDRESS`].
    fn join_addresses(&mut self, text: &str, offset: usize) {
        for at in memchr::memchr_iter(b'@', text.as_bytes()) {
            let source = offset + at;
            let after = self.list.partition_point(|word| word.source.start <= source);
            let touches = after > 0
                && self.list.get(after).is_some_and(|host| host.source.start == source + 1)
                && self.list[after - 1].source.end == source;
            if touches {
                let start = self.buffer.len();
                self.buffer.push_str(ADDRESS);
                self.list[after].text = start..self.buffer.len();
            }
        }
    }
}

/// Returns the positions of `--`. The pairs do not overlap, so `---` contains only one pair.
fn double_hyphens(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let mut free = 0;
    memchr::memchr_iter(b'-', bytes).filter(move |&at| {
        let is_pair = at >= free && bytes.get(at + 1) == Some(&b'-');
        if is_pair {
            free = at + 2;
        }
        is_pair
    })
}

pub(crate) fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Hashes a word for the vocabulary of phrases and the features of the classifier. The learned weights depend on the hash
/// values, so the weights must be learned again after a change to this function and the next three functions.
pub(crate) fn word_hash(word: &str) -> u32 {
    let is_ascii_word = match word.bytes().next() {
        Some(b'0'..=b'9') if word.bytes().all(|byte| byte.is_ascii_digit()) => return NUMBER,
        first => first.is_some_and(|first| first.is_ascii()),
    };
    if !is_ascii_word && word.chars().all(is_ideograph) {
        return word.chars().fold(11, |hash, character| mix(hash, character as u32));
    }
    hash_of(word.bytes())
}

pub(crate) fn hash_of(bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.fold(SEED, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(PRIME))
}

/// Hashes the first `length` bytes of `eight` without branching on the length. The remaining steps use the byte 0 and
/// the factor 1, which do not change the hash.
#[inline]
pub(crate) fn hash_of_start(eight: u64, length: usize) -> u32 {
    let bytes = eight & u64::MAX.checked_shr(64 - 8 * length as u32).unwrap_or(0);
    let factors = &FACTORS[length];
    (0..8).fold(SEED, |hash, index| {
        (hash ^ (bytes >> (8 * index)) as u32 & 0xff).wrapping_mul(factors[index])
    })
}

/// The factors of the eight steps, indexed by the length of the word.
static FACTORS: [[u32; 8]; 9] = {
    let mut table = [[1; 8]; 9];
    let mut length = 0;
    while length <= 8 {
        let mut index = 0;
        while index < length {
            table[length][index] = PRIME;
            index += 1;
        }
        length += 1;
    }
    table
};

pub(crate) fn mix(first: u32, second: u32) -> u32 {
    (first.rotate_left(13).wrapping_mul(0x9e37_79b1) ^ second).wrapping_mul(0x85eb_ca6b)
}

/// Pairs of a traditional Chinese character and its simplified form.
const PAIRS: &str = "請请無无視视規规則则輸输統统詞词從从現现開开後后個个們们說说話话將将傳传內内資资碼码戶户顯显權权執执發发對对這这裡里為为與与並并總总應应當当會会關关閉闭變变環环鑰钥據据庫库給给還还過过進进選选運运轉转載载號号檔档刪删測测試试記记錄录憶忆實实際际級级員员問问題题認认證证識识讀读寫写語语譯译務务動动態态機机構构標标準准樣样條条復复聽听啟启來来別别沒没隱隐祕秘訊讯確确幫帮讓让願愿歷历邊边種种類类網网頁页連连結结觀观點点擊击郵邮備备單单審审計计劃划設设階阶報报訴诉憑凭責责師师獲获擁拥屬属於于術术誤误錯错異异擇择檢检離离經经組组織织義义習习練练訓训導导電电腦脑帳账稱称參参數数尋寻達达遠远違违蓋盖廢废棄弃絕绝續续處处閱阅間间陳陈須须顧顾騙骗驗验體体專专門门東东車车長长書书見见買买賣卖貝贝費费賬账鎖锁鍵键銷销錢钱鏈链閒闲隊队雲云靜静響响項项順顺預预頭头頻频顆颗風风飛飞養养駭骇麼么黃黄齊齐龍龙倉仓價价優优償偿儲储兒儿兩两冊册凍冻創创劇剧劑剂勞劳勢势匯汇區区協协卻却廠厂厲厉嗎吗嘗尝圍围國国圖图團团壓压壞坏夠够夢梦夾夹奪夺媽妈學学寶宝層层島岛幣币幹干廣广張张強强彈弹徑径徵征恆恒惡恶愛爱慣惯慮虑懷怀戰战掃扫拋抛挾挟換换損损搶抢摺折擔担擬拟擴扩擾扰攔拦攜携敗败斷断時时晉晋暫暂曆历曉晓業业極极樓楼樹树橋桥歲岁殘残殺杀氣气決决沖冲況况洩泄淚泪淨净減减湯汤溝沟滅灭滿满漢汉潔洁濾滤災灾烏乌煩烦熱热燈灯爭争爾尔牆墙獨独產产畫画療疗盡尽監监盤盘眾众矯矫礙碍禮礼稅税積积穩稳窮穷筆笔節节範范築筑簡简簽签籌筹糧粮納纳純纯紙纸細细終终絡络綁绑綠绿維维緊紧線线編编緒绪緣缘縣县縮缩縱纵繼继羅罗聯联職职肅肃臨临舉举舊旧艦舰藝艺藥药蘇苏虛虚虧亏蟲虫衛卫裝装複复覺觉覽览討讨託托訂订許许訪访評评詢询詳详誌志誘诱誰谁課课調调談谈諾诺謀谋謂谓講讲謝谢議议護护讚赞豐丰負负貢贡財财貨货販贩貫贯貴贵貸贷貿贸賞赏賴赖賽赛趕赶跡迹躍跃軍军軟软較较輔辅輕轻輛辆輪轮輯辑辦办農农遞递適适遲迟遺遗邁迈邏逻鄉乡釋释銀银銘铭鋼钢鍾钟鎮镇鏡镜鐵铁鑑鉴閃闪閘闸隨随險险雜杂難难霧雾韌韧頂顶領领額额顏颜飾饰餘余駐驻駕驾驅驱髮发鬆松鬥斗魚鱼鮮鲜麗丽齡龄";

/// The first character of the Unicode block that contains all characters in [`PAIRS`].
const FIRST_IDEOGRAPH: u32 = 0x4e00;
const LAST_IDEOGRAPH: u32 = 0x9fff;

/// The simplified form of each character in the block, or NUL if [`PAIRS`] does not contain the character.
static SIMPLIFIED: LazyLock<Vec<char>> = LazyLock::new(|| {
    let mut forms = vec!['\0'; (LAST_IDEOGRAPH - FIRST_IDEOGRAPH + 1) as usize];
    for (traditional, simplified) in pairs() {
        forms[(u32::from(traditional) - FIRST_IDEOGRAPH) as usize] = simplified;
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
        .checked_sub(FIRST_IDEOGRAPH)
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
