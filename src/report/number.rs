//! Numbers as people read them. Every rendering for eyes takes its figures from here.

/// A whole number with its thousands apart: `100,000`.
pub(crate) fn count(number: u64) -> String {
    separate(&number.to_string())
}

/// A sum of figures from a file, which may be any: what is more than a number can hold is the largest number.
pub(super) fn total(figures: impl Iterator<Item = u64>) -> u64 {
    figures.fold(0, u64::saturating_add)
}

/// A figure per operation: whole where it is whole, else with two decimals, or three digits when it is below one.
pub(super) fn figure(number: f64) -> String {
    if number == number.trunc() {
        // A sum of nothing is a negative zero; adding zero takes the sign away.
        return separate(&format!("{:.0}", number + 0.0));
    }
    let decimals = if number.abs() >= 1.0 { 2 } else { decimals_for(number, 3) };
    separate(&format!("{number:.decimals$}"))
}

/// Bytes with their unit; a kilobyte is 1,024 bytes, as in BenchmarkDotNet.
pub(super) fn bytes(number: f64) -> String {
    const KILO: f64 = 1024.0;
    match number.abs() {
        below if below < 1000.0 => format!("{} B", figure(number)),
        below if below < 10_000.0 => format!("{} B", trim_zeros(separate(&format!("{number:.1}")))),
        below if below < 10_000.0 * KILO => format!("{} KB", significant(number / KILO)),
        below if below < 10_000.0 * KILO * KILO => format!("{} MB", significant(number / KILO / KILO)),
        _ => format!("{} GB", significant(number / KILO / KILO / KILO)),
    }
}

/// Bytes in bytes, however many: where figures are compared by eye, all have one unit.
#[cfg(any(test, feature = "chart"))]
pub(super) fn plain_bytes(number: f64) -> String {
    let shown = if number.abs() < 1000.0 { number } else { number.round() };
    format!("{} B", figure(shown))
}

/// A time with its unit, in four digits.
pub(super) fn duration(nanos: f64) -> String {
    match nanos.abs() {
        below if below < 9_999.5 => format!("{} ns", significant(nanos)),
        below if below < 9_999.5e3 => format!("{} us", significant(nanos / 1e3)),
        below if below < 9_999.5e6 => format!("{} ms", significant(nanos / 1e6)),
        _ => format!("{} s", significant(nanos / 1e9)),
    }
}

/// How many times as much: two decimals, fewer for large ones; a small one is never shown as nothing.
pub(super) fn ratio(number: f64) -> String {
    match number {
        0.0 => "0.00".to_owned(),
        small if small < 0.001 => "<0.001".to_owned(),
        small if small < 0.01 => format!("{small:.3}"),
        usual if usual < 99.995 => format!("{usual:.2}"),
        large if large < 999.95 => format!("{large:.1}"),
        huge => separate(&format!("{huge:.0}")),
    }
}

/// A number in two digits, for sentences: `2.5`, `140`.
pub(super) fn rounded(number: f64) -> String {
    let digits = |number: f64| decimals_for(number, 2);
    // Rounding may add a digit in front: 9.96 becomes 10.
    let once: f64 = format!("{number:.*}", digits(number)).parse().unwrap_or(number);
    if once < 100.0 {
        return format!("{once:.*}", digits(once));
    }
    let unit = 10f64.powf(once.log10().floor() - 1.0);
    separate(&format!("{:.0}", (once / unit).round() * unit))
}

/// A share in percent, without its sign; a small one is never shown as nothing.
pub(super) fn percent(number: f64) -> String {
    if number > 0.0 && number < 0.005 { "<0.01".to_owned() } else { format!("{number:.2}") }
}

/// Operations in a second, for a mean time.
pub(super) fn operations_per_second(mean_ns: f64) -> Option<String> {
    (mean_ns > 0.0).then(|| separate(&format!("{:.0}", 1e9 / mean_ns)))
}

/// Four digits, or all digits before the point if there are more.
fn significant(number: f64) -> String {
    let mut decimals = decimals_for(number, 4).min(3);
    // Rounding may add a digit in front: 99.996 would become 100.00.
    let rounded: f64 = format!("{number:.decimals$}").parse().unwrap_or(number);
    decimals = decimals.min(decimals_for(rounded, 4));
    separate(&format!("{number:.decimals$}"))
}

/// Decimals that show a number in so many digits.
fn decimals_for(number: f64, digits: i32) -> usize {
    if number == 0.0 {
        return 0;
    }
    let magnitude = number.abs().log10().floor() as i32;
    usize::try_from(digits - 1 - magnitude).unwrap_or(0).min(9)
}

fn trim_zeros(text: String) -> String {
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// Puts a comma between the thousands of a formatted number.
fn separate(text: &str) -> String {
    let whole_end = text.find('.').unwrap_or(text.len());
    let mut separated = String::with_capacity(text.len() + text.len() / 3);
    for (index, character) in text.char_indices() {
        let left = whole_end.saturating_sub(index);
        if index > 0 && left > 0 && left % 3 == 0 && !separated.ends_with('-') {
            separated.push(',');
        }
        separated.push(character);
    }
    separated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_benchmarkdotnet_writes_them() {
        let cases = [
            (count(0), "0"),
            (count(999), "999"),
            (count(1_234_567), "1,234,567"),
            (figure(42.0), "42"),
            (figure(-0.0), "0"),
            (figure(-1234.5), "-1,234.50"),
            (figure(-123.0), "-123"),
            (figure(0.012_34), "0.0123"),
            (figure(9605.12), "9,605.12"),
            (bytes(0.0), "0 B"),
            (bytes(2016.0), "2,016 B"),
            (bytes(9605.12), "9,605.1 B"),
            (bytes(97_167.36), "94.89 KB"),
            (bytes(1_073_244.16), "1,048 KB"),
            (bytes(300e6), "286.1 MB"),
            (plain_bytes(18.5), "18.50 B"),
            (plain_bytes(2_752_512.4), "2,752,512 B"),
            (duration(0.0), "0 ns"),
            (duration(0.067), "0.067 ns"),
            (duration(59.03), "59.03 ns"),
            (duration(99.996), "100.0 ns"),
            (duration(999.96), "1,000 ns"),
            (duration(1747.46), "1,747 ns"),
            (duration(55_637.0), "55.64 us"),
            (duration(2_494e6), "2,494 ms"),
            (ratio(0.0), "0.00"),
            (ratio(0.0002), "<0.001"),
            (ratio(0.004), "0.004"),
            (ratio(13.567), "13.57"),
            (ratio(456.78), "456.8"),
            (ratio(12_345.6), "12,346"),
            (rounded(1.04), "1.0"),
            (rounded(9.96), "10"),
            (rounded(34.09), "34"),
            (rounded(99.7), "100"),
            (rounded(141.4), "140"),
            (rounded(12_345.6), "12,000"),
            (percent(0.001), "<0.01"),
            (percent(0.0), "0.00"),
            (percent(4.761), "4.76"),
        ];
        for (shown, expected) in cases {
            assert_eq!(shown, expected);
        }
        assert_eq!(operations_per_second(800.0).as_deref(), Some("1,250,000"));
        assert_eq!(operations_per_second(0.0), None);
    }
}
