//! What a case is called: no longer than it takes to tell it from its neighbors.

use crate::results::Case;

/// Whether an operation takes one value on one thread.
pub(super) fn is_single(case: &Case) -> bool {
    case.batch <= 1 && case.threads <= 1 && !matches!(case.variant.as_str(), "batch" | "concurrent")
}

/// Codec, model and what else tells a case from the others of its operation.
pub(super) fn name(case: &Case, among: &[&Case]) -> String {
    format!("{} {}", case.codec, model_name(case, among)).trim_end().to_owned()
}

/// The model of a case and what else tells it from the others of its codec and operation.
pub(super) fn model_name(case: &Case, among: &[&Case]) -> String {
    format!("{}{}", case.model, suffix(case, among))
}

fn suffix(case: &Case, among: &[&Case]) -> String {
    match case.variant.as_str() {
        "batch" => format!(" × {}", super::number::count(case.batch.into())),
        "concurrent" => format!(" concurrent × {}", case.threads),
        variant if among.iter().any(|other| differs_by_variant(case, other)) => format!(" {variant}"),
        _ => String::new(),
    }
}

fn differs_by_variant(case: &Case, other: &Case) -> bool {
    let key = |case: &Case| {
        (case.operation.clone(), case.codec.clone(), case.model.clone(), case.batch, case.threads)
    };
    key(case) == key(other)
        && case.variant != other.variant
        && !matches!(other.variant.as_str(), "batch" | "concurrent")
}

/// Operations in the order of their first rows.
pub(super) fn operations<'a>(cases: &[&'a Case]) -> Vec<&'a str> {
    let mut operations = Vec::new();
    for case in cases {
        if !operations.contains(&case.operation.as_str()) {
            operations.push(case.operation.as_str());
        }
    }
    operations
}
