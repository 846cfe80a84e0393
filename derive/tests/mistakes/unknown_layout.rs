use alloclab::codec::span::SpanSerialize;

#[derive(SpanSerialize)]
struct Message {
    #[span(encoded)]
    id: i32,
}

fn main() {}
