use alloclab::codec::span::SpanSerialize;

#[derive(SpanSerialize)]
struct Message {
    #[span(width = 4, rest)]
    text: String,
}

fn main() {}
