use alloclab::codec::span::SpanSerialize;

#[derive(SpanSerialize)]
struct Message {
    #[span(rest)]
    text: String,
    id: i32,
}

fn main() {}
