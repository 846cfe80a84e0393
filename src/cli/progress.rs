//! The progress bar: on a terminal only, and drawn only between windows.

use crate::harness::Observer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Draws at most so often, in hertz: cases are few, and each shall be seen.
const MAX_RATE: u8 = 200;

/// Shows which case is running. There is no thread behind it: it draws when the harness tells it something, and the
/// harness does so while no window is open.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// A bar on standard error; nothing at all where that is no terminal.
    pub(super) fn new() -> Self {
        let target = ProgressDrawTarget::stderr_with_hz(MAX_RATE);
        let style =
            ProgressStyle::with_template("{pos}/{len} {bar:30} {msg}").expect("the template is well-formed");
        let bar = ProgressBar::with_draw_target(None, target).with_style(style);
        bar.disable_steady_tick();
        Self(bar)
    }
}

impl Observer for Progress {
    fn case_started(&mut self, index: usize, total: usize, label: &str) {
        if index == 0 {
            self.0.set_length(total as u64);
        }
        self.0.set_message(label.to_owned());
    }

    fn case_finished(&mut self, index: usize, _total: usize) {
        self.0.set_position(index as u64 + 1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
