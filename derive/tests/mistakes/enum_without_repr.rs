use alloclab::codec::span::SpanSerialize;

#[derive(SpanSerialize)]
enum Level {
    Low,
    High,
}

fn main() {}
