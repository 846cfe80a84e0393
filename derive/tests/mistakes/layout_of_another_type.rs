use alloclab::codec::span::SpanSerialize;

#[derive(SpanSerialize)]
struct Message {
    #[span(encode_int)]
    text: String,
}

fn main() {}
