//! Tracing events on standard error, for `-v`.

use std::io::{self, IsTerminal};

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// Shows events and ends of spans from a level on: none, information with `-v`, details with `-vv`.
pub(super) fn start(verbosity: u8) {
    let level = match verbosity {
        0 => return,
        1 => LevelFilter::INFO,
        _ => LevelFilter::DEBUG,
    };
    let color = io::stderr().is_terminal() && !super::output::is_color_refused();
    tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_max_level(level)
        .with_span_events(FmtSpan::CLOSE)
        .with_target(false)
        .with_ansi(color)
        .init();
}
