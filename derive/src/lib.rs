//! `#[derive(SpanSerialize)]` of alloclab.
