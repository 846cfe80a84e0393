use alloclab::codec::span::SpanSerialize;

#[derive(SpanSerialize)]
union Bits {
    number: u32,
    bytes: [u8; 4],
}

fn main() {}
