//! Identifiers outside of ASCII: punycode (RFC 3492), with `_` before the deltas.

/// Characters that an identifier may have.
const LONGEST: usize = 256;

/// Decodes an identifier; none if it is not well-formed.
pub(super) fn decode(encoded: &str) -> Option<String> {
    let (basic, deltas) = encoded.rsplit_once('_').unwrap_or(("", encoded));
    if deltas.is_empty() {
        return None;
    }
    let mut output: Vec<char> = basic.chars().collect();
    let mut code_point = 128_u32;
    let mut position = 0_u32;
    let mut bias = 72;
    let mut digits = deltas.bytes();
    while digits.len() > 0 {
        let delta = read_delta(&mut digits, bias)?;
        let length = u32::try_from(output.len() + 1).ok()?;
        bias = adapt(delta, length, position == 0 && code_point == 128);
        position = position.checked_add(delta)?;
        code_point = code_point.checked_add(position / length)?;
        position %= length;
        output.insert(position as usize, char::from_u32(code_point)?);
        position += 1;
        if output.len() > LONGEST {
            return None;
        }
    }
    Some(output.into_iter().collect())
}

fn read_delta(digits: &mut impl Iterator<Item = u8>, bias: u32) -> Option<u32> {
    let mut delta = 0_u32;
    let mut weight = 1_u32;
    for step in 1_u32.. {
        let digit = match digits.next()? {
            letter @ b'a'..=b'z' => letter - b'a',
            figure @ b'0'..=b'9' => figure - b'0' + 26,
            _ => return None,
        };
        delta = delta.checked_add(u32::from(digit).checked_mul(weight)?)?;
        let threshold = (step * 36).saturating_sub(bias).clamp(1, 26);
        if u32::from(digit) < threshold {
            break;
        }
        weight = weight.checked_mul(36 - threshold)?;
    }
    Some(delta)
}

fn adapt(delta: u32, length: u32, first: bool) -> u32 {
    let mut delta = if first { delta / 700 } else { delta / 2 };
    delta += delta / length;
    let mut bias = 0;
    while delta > 455 {
        delta /= 35;
        bias += 36;
    }
    bias + 36 * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn identifiers_come_back_with_their_letters() {
        assert_eq!(decode("gdel_5qa").as_deref(), Some("gödel"));
        assert_eq!(decode("fiq228c").as_deref(), Some("中文"));
    }

    #[test]
    fn what_is_no_punycode_is_refused() {
        for wrong in ["", "abc_", "A", "a_999999999"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
