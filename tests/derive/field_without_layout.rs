use alloclab::codec::span::SpanSerialize;

#[derive(SpanSerialize)]
struct Message {
    id: i32,
    address: std::net::IpAddr,
}

fn main() {}
