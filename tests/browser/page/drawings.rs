//! The drawings of a case: flame graph, live heap and distributions.

use alloclab::results::{Case, HeapEvent, HeapEventKind, HeapSample};
use serde_json::{Value, json};

use super::{BINARY, go, opened, places, texts};
use crate::driver::Page;
use crate::every_field::with_every_field;
use crate::sample::span_profile;

#[test]
fn the_flame_graph_zooms_and_finds_and_leads_to_a_function() {
    let results = span_profile();
    let Some(mut page) = opened("flame.html", &results) else { return };
    go(&mut page, &format!("case={BINARY}&view=flame"));
    let name = "binary::Writer::write_0";
    let of_function = format!(".flame-box[aria-label^=\"{name}:\"]");
    let width = |page: &mut Page| {
        page.evaluate(&format!(
            "document.querySelector({}).getBoundingClientRect().width",
            json!(of_function)
        ))
    };
    let narrow = width(&mut page).as_f64().unwrap();
    page.click(&of_function);
    page.wait_until("document.querySelector('.flame-reset')");
    assert!(width(&mut page).as_f64().unwrap() > 2.0 * narrow);
    page.screenshot("page flame zoomed.png");
    page.click(".flame-reset");
    page.wait_until("!document.querySelector('.flame-reset')");
    assert_eq!(width(&mut page).as_f64().unwrap(), narrow);
    page.press("/");
    page.type_text("Writer::write_0");
    page.wait_until(
        "document.querySelector('.flame-matched').textContent.startsWith('matched: 72,000,000 B')",
    );
    page.screenshot("page flame found.png");
    page.click(&of_function);
    page.click(".flame-choose");
    page.wait_until("document.querySelector('.detail .chosen h3')");
    assert_eq!(texts(&mut page, ".detail .chosen h3"), [name]);
    assert_eq!(page.errors(), [""; 0]);
}

/// What a drawing says of each place in it, from the first to the last.
fn places_of(page: &mut Page, drawing: &str) -> Vec<String> {
    let script = format!(
        "(() => {{
            const drawing = document.querySelector({});
            const press = key => drawing.dispatchEvent(new KeyboardEvent('keydown', {{ key }}));
            const told = [];
            press('Home');
            for (let place = 1; place <= drawing.ariaValueMax; place += 1) {{
                told.push(drawing.getAttribute('aria-valuetext'));
                press('ArrowRight');
            }}
            return told;
        }})()",
        json!(drawing)
    );
    serde_json::from_value(page.evaluate(&script)).unwrap()
}

/// The exact figures of each row of a histogram.
fn bars(page: &mut Page, name: &str) -> Vec<Vec<f64>> {
    let rows = format!("[data-histogram={name}] tbody tr");
    let script = format!(
        "[...document.querySelectorAll({})].map(row => (
            [...row.querySelectorAll('[data-value]')].map(cell => Number(cell.dataset.value))))",
        json!(rows)
    );
    serde_json::from_value(page.evaluate(&script)).unwrap()
}

/// Live bytes after each event.
fn live_after(events: &[HeapEvent]) -> Vec<u64> {
    let mut live = 0;
    let after = |event: &HeapEvent| {
        live = match event.kind {
            HeapEventKind::Allocate => live + event.bytes,
            HeapEventKind::Reallocate => live + event.bytes - event.former_bytes,
            HeapEventKind::Free => live - event.bytes,
        };
        live
    };
    events.iter().map(after).collect()
}

#[test]
fn the_live_heap_is_drawn_with_the_figures_of_the_results() {
    let results = with_every_field();
    let case = &results.cases[BINARY];
    let Some(mut page) = opened("live heap.html", &results) else { return };
    go(&mut page, &format!("case={BINARY}&view=heap"));
    let told = places_of(&mut page, ".heap-events");
    let live = |text: &String| {
        let bytes = text.rsplit_once("; ").unwrap().1.strip_suffix(" B live after it.").unwrap();
        bytes.replace(',', "").parse().unwrap()
    };
    assert_eq!(told.iter().map(live).collect::<Vec<u64>>(), live_after(&case.heap_events));
    let first = format!("Call 1 of {} allocates 80 B for {};", told.len(), case.types[0].name);
    assert!(told[0].starts_with(&first), "{}", told[0]);
    let shown = texts(&mut page, ".heap-events ~ .plot-legend .plot-figure");
    let ended: u64 =
        shown.iter().map(|text| text[..text.len() - 2].replace(',', "").parse::<u64>().unwrap()).sum();
    assert_eq!(ended, *live_after(&case.heap_events).last().unwrap(), "{shown:?}");
    let told = places_of(&mut page, ".heap-run");
    assert_eq!(told, ["After 1 operation: −40 B live.", "After 3 operations: 128 B live."]);
    assert_eq!(page.evaluate("document.querySelectorAll('.heap-run .plot-curve').length"), 1);
    page.screenshot("page live heap.png");
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn distributions_are_drawn_with_the_figures_of_the_results() {
    let results = with_every_field();
    let Some(mut page) = opened("distributions.html", &results) else { return };
    let drawn = |case: &Case| case.totals.allocations > 0;
    for (index, case) in results.cases.iter().enumerate().filter(|(_, case)| drawn(case)) {
        go(&mut page, &format!("case={index}&view=sizes"));
        let operations = case.iterations as f64;
        let both = |count: u64| vec![count as f64, count as f64 / operations];
        let lifetimes: Vec<_> = case.lifetimes.iter().map(|class| both(class.blocks)).collect();
        assert_eq!(bars(&mut page, "lifetimes"), if index == 0 { Vec::new() } else { lifetimes }, "{index}");
        let sizes: Vec<_> = case.size_classes.iter().map(|class| both(class.requests)).collect();
        assert_eq!(bars(&mut page, "sizes"), sizes, "{index}");
        let first = &case.first_operation;
        let pairs = [
            (first.allocations, case.allocations_per_op),
            (first.reallocations, case.reallocations_per_op),
            (first.allocated_bytes + first.grown_bytes, case.bytes_per_op),
            (first.deallocations, case.frees_per_op),
        ];
        let rows: Vec<_> =
            pairs.iter().flat_map(|&(once, steady)| [vec![once as f64], vec![steady]]).collect();
        assert_eq!(bars(&mut page, "first"), rows, "{index}");
    }
    page.screenshot("page distributions.png");
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn a_case_of_no_operation_has_a_number_for_every_figure() {
    let mut results = with_every_field();
    let case = &mut results.cases[BINARY];
    case.iterations = 0;
    case.heap_run = vec![HeapSample { operations: 0, live_bytes: 8 }];
    let Some(mut page) = opened("no operation.html", &results) else { return };
    let wrong = "document.querySelector('main').outerHTML.match(/.{0,80}(NaN|Infinity|undefined|∞).{0,80}/)";
    for place in places() {
        go(&mut page, &place);
        assert_eq!(page.evaluate(wrong), Value::Null, "{place}");
    }
    go(&mut page, &format!("case={BINARY}&view=heap"));
    assert_eq!(places_of(&mut page, ".heap-run"), ["After 0 operations: 8 B live."]);
    page.screenshot("page no operation.png");
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn a_single_operation_is_not_compared_with_itself() {
    let mut results = span_profile();
    let case = &mut results.cases[BINARY];
    (case.iterations, case.operation, case.first_operation) = (1, "run".into(), case.totals.clone());
    let Some(mut page) = opened("single operation.html", &results) else { return };
    go(&mut page, &format!("case={BINARY}&view=sizes"));
    let drawn = "[...document.querySelectorAll('[data-histogram]')].map(it => it.dataset.histogram)";
    assert_eq!(page.evaluate(drawn), json!(["lifetimes", "sizes"]));
    go(&mut page, &format!("case={BINARY}&view=heap"));
    let told = texts(&mut page, ".view.heap .drawing-none");
    assert_eq!(told, ["Not sampled: samples are taken between operations, and the run is a single one."]);
    assert_eq!(page.errors(), [""; 0]);
}
