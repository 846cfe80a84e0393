//! Figures of a case that stand in more than one table.

use crate::report::number::{bytes, duration, ratio};
use crate::results::{Case, Time};

/// What stands where there is no figure.
pub(super) const NONE: &str = "-";

pub(super) fn shown<T>(figure: Option<T>, show: impl Fn(T) -> String) -> String {
    figure.map_or_else(|| NONE.to_owned(), show)
}

pub(super) fn time(case: &Case, figure: impl Fn(&Time) -> f64) -> String {
    shown(case.time.as_ref(), |time| duration(figure(time)))
}

pub(super) fn time_ratio(case: &Case) -> String {
    shown(case.ratio, ratio)
}

pub(super) fn allocated(case: &Case) -> String {
    bytes(case.bytes_per_op)
}

pub(super) fn alloc_ratio(case: &Case) -> String {
    shown(case.alloc_ratio, ratio)
}
