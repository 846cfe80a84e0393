//! The few forms of MessagePack that an envelope is made of, written.

/// Bytes of the longest header of an extension.
pub(super) const MAX_EXTENSION_HEADER_BYTES: usize = 6;

/// The header of an extension of so many bytes.
pub(super) fn extension(kind: i8, length: u32) -> Header {
    let mut header = Header::default();
    match length {
        1 => header.push(&[0xd4]),
        2 => header.push(&[0xd5]),
        4 => header.push(&[0xd6]),
        8 => header.push(&[0xd7]),
        16 => header.push(&[0xd8]),
        0..=0xff => header.push(&[0xc7, length as u8]),
        0x100..=0xffff => header.push_with(0xc8, &(length as u16).to_be_bytes()),
        _ => header.push_with(0xc9, &length.to_be_bytes()),
    }
    header.push(&[kind as u8]);
    header
}

/// The header of an array of so many elements.
pub(super) fn array(length: u32) -> Header {
    let mut header = Header::default();
    match length {
        0..=0xf => header.push(&[0x90 | length as u8]),
        0x10..=0xffff => header.push_with(0xdc, &(length as u16).to_be_bytes()),
        _ => header.push_with(0xdd, &length.to_be_bytes()),
    }
    header
}

/// An integer in its shortest form.
pub(super) fn integer(value: u32) -> Header {
    let mut header = Header::default();
    match value {
        0..=0x7f => header.push(&[value as u8]),
        0x80..=0xff => header.push(&[0xcc, value as u8]),
        0x100..=0xffff => header.push_with(0xcd, &(value as u16).to_be_bytes()),
        _ => header.push_with(0xce, &value.to_be_bytes()),
    }
    header
}

/// A signed integer of 32 bits, whatever its value.
pub(super) fn integer_of_32_bits(value: u32) -> Header {
    let mut header = Header::default();
    header.push_with(0xd2, &value.to_be_bytes());
    header
}

/// The header of so many bytes, with a length of 32 bits, however small it is.
pub(super) fn bytes_of_32_bits(length: u32) -> Header {
    let mut header = Header::default();
    header.push_with(0xc6, &length.to_be_bytes());
    header
}

/// Bytes of a header, on the stack.
#[derive(Default)]
pub(super) struct Header {
    bytes: [u8; MAX_EXTENSION_HEADER_BYTES],
    length: usize,
}

impl Header {
    /// The bytes.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    fn push_with(&mut self, marker: u8, number: &[u8]) {
        self.push(&[marker]);
        self.push(number);
    }
}
