use alloclab::codec::span::SpanSerialize;

#[derive(SpanSerialize)]
#[repr(u8)]
enum Shape {
    Point,
    Circle { radius: f64 },
}

fn main() {}
