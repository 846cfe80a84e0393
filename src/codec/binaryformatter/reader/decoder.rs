//! `System.Text.UTF8Encoding.UTF8Decoder`: UTF-8 in pieces to UTF-16.

/// The most bytes of a character.
const MAX_CHAR_BYTES: usize = 4;

/// Decodes piece by piece: what a piece ends with of a character is kept for the next one.
#[derive(Default)]
pub(crate) struct UTF8Decoder {
    pending: [u8; MAX_CHAR_BYTES],
    pending_bytes: usize,
}

impl UTF8Decoder {
    /// Forgets what the last string has left behind.
    pub(super) fn reset(&mut self) {
        self.pending_bytes = 0;
    }

    /// Whether the bytes so far end inside of a character.
    pub(super) fn is_within_char(&self) -> bool {
        self.pending_bytes > 0
    }

    /// Decodes a piece; none if it is not UTF-8.
    ///
    /// # Panics
    /// If there is not one unit of room for each byte, and one more.
    pub(super) fn decode<'u>(&mut self, mut bytes: &[u8], units: &'u mut [u16]) -> Option<&'u [u16]> {
        let mut count = 0;
        while let (1.., Some((byte, rest))) = (self.pending_bytes, bytes.split_first()) {
            bytes = rest;
            count += self.complete(*byte, units)?;
        }
        let (text, tail) = split_at_whole_chars(bytes)?;
        self.keep(tail);
        count += encode(text, &mut units[count..]);
        Some(&units[..count])
    }

    /// Adds a byte to the character that has begun, and gives it out when it is whole.
    fn complete(&mut self, byte: u8, units: &mut [u16]) -> Option<usize> {
        *self.pending.get_mut(self.pending_bytes)? = byte;
        self.pending_bytes += 1;
        let (text, tail) = split_at_whole_chars(&self.pending[..self.pending_bytes])?;
        let count = encode(text, units);
        if tail.is_empty() {
            self.pending_bytes = 0;
        }
        Some(count)
    }

    fn keep(&mut self, tail: &[u8]) {
        if !tail.is_empty() {
            self.pending[..tail.len()].copy_from_slice(tail);
            self.pending_bytes = tail.len();
        }
    }
}

/// The characters that are whole, and the bytes of one that is not; none if there are others.
fn split_at_whole_chars(bytes: &[u8]) -> Option<(&str, &[u8])> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some((text, &[])),
        Err(error) if error.error_len().is_none() => {
            let (whole, tail) = bytes.split_at(error.valid_up_to());
            Some((std::str::from_utf8(whole).ok()?, tail))
        }
        Err(_) => None,
    }
}

/// Writes text as UTF-16, and says how many units it takes.
fn encode(text: &str, units: &mut [u16]) -> usize {
    let mut count = 0;
    for unit in text.encode_utf16() {
        units[count] = unit;
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_can_be_cut_anywhere() {
        let text = "aé你😀z";
        for at in 0..=text.len() {
            let mut decoder = UTF8Decoder::default();
            let mut units = Vec::new();
            let (first, second) = text.as_bytes().split_at(at);
            for piece in [first, second] {
                units.extend_from_slice(decoder.decode(piece, &mut [0; 32]).unwrap());
            }
            assert_eq!(String::from_utf16(&units).unwrap(), text, "cut at {at}");
            assert!(!decoder.is_within_char());
        }
    }

    #[test]
    fn a_character_without_its_end_is_none() {
        let mut decoder = UTF8Decoder::default();
        assert!(decoder.decode(&[b'a', 0xc3], &mut [0; 8]).is_some());
        assert!(decoder.is_within_char());
        assert!(decoder.decode(b"(", &mut [0; 8]).is_none());
    }
}
