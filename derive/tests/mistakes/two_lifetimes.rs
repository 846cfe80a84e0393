use alloclab::codec::span::SpanSerialize;

#[derive(SpanSerialize)]
struct Message<'a, 'b> {
    from: &'a str,
    to: &'b str,
}

fn main() {}
