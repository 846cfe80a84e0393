use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::Program;
use crate::input::{digest, scatter};

pub(super) const PROGRAM: Program = Program {
    name: "serde_json_typed",
    run,
    is_single_threaded: true,
    // Every fourth of the 2000 orders replaces one; all are made and parsed.
    known_types: &[("Box<Order>", Some(1000)), ("Vec<Item>", Some(5000)), ("HashMap<String, u64>", None)],
};

#[derive(Serialize, Deserialize)]
struct Order<'a> {
    id: u64,
    customer: String,
    note: Cow<'a, str>,
    items: Vec<Item>,
    labels: BTreeMap<String, Option<String>>,
    replaces: Option<Box<Order<'a>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Item {
    Book { title: String, pages: u32 },
    Ticket { seats: Vec<u16> },
}

/// Prints and parses orders, and sums them up by customer.
fn run() -> String {
    let orders: Vec<Order> = (0..2000).map(|index| order(index, index.is_multiple_of(4))).collect();
    let text = serde_json::to_string(&orders).expect("it can be printed");
    let parsed: Vec<Order> = serde_json::from_str(&text).expect("it was printed");
    let mut pages = HashMap::<String, u64>::new();
    for order in &parsed {
        *pages.entry(order.customer.clone()).or_default() += order.items.iter().map(size).sum::<u64>();
    }
    let mut pages: Vec<_> = pages.into_iter().collect();
    pages.sort();
    let printed = serde_json::to_vec_pretty(&parsed).expect("it can be printed");
    format!("{} orders, {:x}, {:x}", parsed.len(), digest(&printed), digest(format!("{pages:?}").as_bytes()))
}

fn size(item: &Item) -> u64 {
    match item {
        Item::Book { title, pages } => u64::from(*pages) + title.len() as u64,
        Item::Ticket { seats } => seats.iter().map(|seat| u64::from(*seat)).sum(),
    }
}

fn order(index: u64, replaces: bool) -> Order<'static> {
    let number = scatter(index);
    let book = Item::Book { title: format!("Volume {number}"), pages: (number % 900) as u32 };
    let ticket = Item::Ticket { seats: (0..number % 9).map(|seat| seat as u16).collect() };
    Order {
        id: number,
        customer: format!("customer {}", number % 50),
        note: Cow::Borrowed("left at \"the door\""),
        items: vec![book, ticket],
        labels: (0..number % 4)
            .map(|label| (format!("label {label}"), (label > 1).then(|| "set".to_owned())))
            .collect(),
        replaces: replaces.then(|| Box::new(order(index + 10_000, false))),
    }
}
