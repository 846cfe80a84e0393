//! A codec of one's own in the lab, beside two others: `cargo run --release --example own_codec`.
//!
//! In a crate of its own this is `benches/alloc.rs` with `harness = false`, and `cargo bench --bench alloc`.

use std::process::ExitCode;

use alloclab::bench::Suite;
use alloclab::recorder::Recorder;
use serde_json::Value;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

#[derive(Clone)]
struct Order {
    id: u32,
    customer: String,
    amounts: Vec<u32>,
}

fn order() -> Order {
    Order { id: 7, customer: "Ada Lovelace".to_owned(), amounts: vec![3, 14, 159] }
}

/// The codec `lines`: a line for each member.
mod lines {
    use super::Order;

    pub(super) fn write(order: &Order) -> String {
        let amounts = order.amounts.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        format!("{}\n{}\n{amounts}\n", order.id, order.customer)
    }

    pub(super) fn read(text: &str) -> Option<Order> {
        let mut lines = text.lines();
        let id = lines.next()?.parse().ok()?;
        let customer = lines.next()?.to_owned();
        let amounts = lines.next()?.split(',').map(|amount| amount.parse().ok()).collect::<Option<_>>()?;
        Some(Order { id, customer, amounts })
    }
}

/// The codec `json`: through a document tree, as one does in a hurry.
mod json {
    use super::{Order, Value};

    pub(super) fn write(order: &Order) -> String {
        let Order { id, customer, amounts } = order;
        serde_json::json!({ "id": id, "customer": customer, "amounts": amounts }).to_string()
    }

    pub(super) fn read(text: &str) -> Option<Order> {
        let tree: Value = serde_json::from_str(text).ok()?;
        let amounts = tree["amounts"].as_array()?.iter().map(|amount| Some(amount.as_u64()? as u32));
        Some(Order {
            id: tree["id"].as_u64()? as u32,
            customer: tree["customer"].as_str()?.to_owned(),
            amounts: amounts.collect::<Option<_>>()?,
        })
    }
}

fn main() -> ExitCode {
    Suite::new("orders")
        .title("An order through a codec of one's own")
        .serialize("lines", "order", || {
            let order = order();
            move || lines::write(&order)
        })
        .serialize("json", "order", || {
            let order = order();
            move || json::write(&order)
        })
        .deserialize("lines", "order", || {
            let text = lines::write(&order());
            move || lines::read(&text)
        })
        .deserialize("json", "order", || {
            let text = json::write(&order());
            move || json::read(&text)
        })
        .run()
}
