//! Rust's legacy mangling, turned into text.

/// The text of a name in the legacy mangling, without its hash; none if it is not such a name.
///
/// # Examples
/// ```
/// use alloclab::symbolize::mangling::demangle_legacy;
///
/// let name = "_ZN4core3ptr42drop_in_place$LT$std..io..error..Error$GT$17h0123456789abcdefE";
/// assert_eq!(demangle_legacy(name).unwrap(), "core::ptr::drop_in_place<std::io::error::Error>");
/// ```
pub fn demangle(symbol: &str) -> Option<String> {
    segments(symbol).map(|segments| segments.join("::"))
}

/// The segments of such a name, without its hash; one may be a whole path in brackets.
pub(super) fn segments(symbol: &str) -> Option<Vec<String>> {
    let mut rest = symbol.strip_prefix("_ZN").or_else(|| symbol.strip_prefix("ZN"))?;
    let mut segments = Vec::new();
    while !rest.starts_with('E') {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length: usize = rest.get(..digits)?.parse().ok()?;
        let end = digits.checked_add(length)?;
        segments.push(rest.get(digits..end)?);
        rest = &rest[end..];
    }
    let hash = segments.pop()?;
    if !is_hash(hash) || segments.is_empty() {
        return None;
    }
    Some(segments.into_iter().map(unescape).collect())
}

fn is_hash(segment: &str) -> bool {
    segment.len() == 17
        && segment.starts_with('h')
        && segment[1..].bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn unescape(segment: &str) -> String {
    let mut text = String::with_capacity(segment.len());
    let mut rest = segment.strip_prefix('_').filter(|rest| rest.starts_with('$')).unwrap_or(segment);
    while let Some(first) = rest.chars().next() {
        let (piece, length) = match first {
            '$' => escape(rest).unwrap_or(('$'.into(), 1)),
            '.' if rest.starts_with("..") => ("::".to_owned(), 2),
            other => (other.into(), other.len_utf8()),
        };
        text.push_str(&piece);
        rest = &rest[length..];
    }
    text
}

/// The character that an escape like `$LT$` stands for, and the escape's length.
fn escape(text: &str) -> Option<(String, usize)> {
    let code = text[1..].split_once('$')?.0;
    let character = match code {
        "SP" => '@',
        "BP" => '*',
        "RF" => '&',
        "LT" => '<',
        "GT" => '>',
        "LP" => '(',
        "RP" => ')',
        "C" => ',',
        _ => char::from_u32(u32::from_str_radix(code.strip_prefix('u')?, 16).ok()?)?,
    };
    Some((character.into(), code.len() + 2))
}

#[cfg(test)]
mod tests {
    use super::demangle;

    #[test]
    fn escapes_are_undone_and_the_hash_goes() {
        let name =
            "_ZN60_$LT$std..time..Instant$u20$as$u20$core..ops..arith..Sub$GT$3sub17h8c3be5c1a2b3d4e5E";
        assert_eq!(demangle(name).unwrap(), "<std::time::Instant as core::ops::arith::Sub>::sub");
    }

    #[test]
    fn names_of_other_languages_and_broken_names_are_refused() {
        for wrong in ["", "malloc", "_ZN", "_ZN3foo", "_ZN3fooE", "_ZN99fooE", "_ZNSt6vectorIiE", "_ZNé3fooE"]
        {
            assert_eq!(demangle(wrong), None, "{wrong}");
        }
    }
}
