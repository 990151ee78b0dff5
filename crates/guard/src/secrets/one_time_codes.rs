//! Finds one-time codes in messages: `verification code is 739912`, `验证码：739912`.

use super::Secret;
use super::cursor::Cursor;

const LENGTHS: std::ops::RangeInclusive<usize> = 4..=8;
const MAX_BLANKS: usize = 2;

const OPERATORS: &[&str] =
    &["是：", "是:", "为：", "为:", "：", ":", "是", "为", "為", "is:", "is"];

/// Returns the code after the name that ends at `end`.
pub(crate) fn code_after(text: &str, end: usize) -> Option<Secret> {
    let mut cursor = Cursor::new(text, end);
    let skip_blanks = |cursor: &mut Cursor<'_>| cursor.skip(MAX_BLANKS, |byte| byte == b' ');
    skip_blanks(&mut cursor);
    if !OPERATORS.iter().any(|operator| cursor.eat(operator)) {
        return None;
    }
    skip_blanks(&mut cursor);
    let start = cursor.at;
    let length = cursor.skip(LENGTHS.end() + 1, |byte| byte.is_ascii_digit());
    let code = text.get(start..cursor.at)?;
    let rest = text.get(cursor.at..)?;
    // `验证码为6位数字` states a length, and a date or a version continues after the digits.
    let is_continued = rest
        .starts_with(|next: char| next.is_ascii_alphanumeric() || "_-位".contains(next))
        || rest
            .strip_prefix('.')
            .is_some_and(|after| after.starts_with(|next: char| next.is_ascii_digit()));
    (LENGTHS.contains(&length) && !is_continued && !is_sequence(code))
        .then_some(Secret { kind: "one-time-code", span: start..cursor.at })
}

/// Recognises dummy codes, whose digits are equal or consecutive: `000000`, `1234`.
fn is_sequence(code: &str) -> bool {
    let has_step = |step: u8| code.as_bytes().windows(2).all(|pair| pair[1] == pair[0] + step);
    has_step(0) || has_step(1)
}
