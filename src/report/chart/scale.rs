//! From figures to places on an axis.

/// Figures beyond these stand at the ends of an axis: between them, what an axis is divided into is a number, too.
const EXTREMES: (f64, f64) = (1e-300, 1e300);

/// An axis from 0 to the largest figure.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scale {
    /// Equal steps.
    Linear {
        /// The end of the axis.
        end: f64,
        /// From one tick to the next.
        step: f64,
    },
    /// Equal factors, and 0 at the beginning all the same.
    Logarithmic {
        /// The end of the axis.
        end: f64,
    },
}

impl Scale {
    /// A linear axis that ends on a tick.
    pub(super) fn linear(largest: f64) -> Self {
        // An axis has a length, even where there is nothing to show on it.
        let largest = if largest > 0.0 { largest.clamp(EXTREMES.0, EXTREMES.1) } else { 1.0 };
        let step = step(largest);
        Self::Linear { end: (largest / step).ceil() * step, step }
    }

    /// A linear axis of whole figures: bytes and allocations have no parts.
    pub(super) fn whole(largest: f64) -> Self {
        Self::linear(largest.max(4.0))
    }

    /// A linear axis of whole figures that ends where the figures end.
    pub(super) fn whole_until(end: f64) -> Self {
        let end = end.clamp(2.0, EXTREMES.1);
        Self::Linear { end, step: step(end).max(1.0) }
    }

    /// The same steps as far as a smaller figure needs them.
    pub(super) fn up_to(self, largest: f64) -> Self {
        match self {
            Self::Linear { end, step } => {
                Self::Linear { end: ((largest / step).ceil() * step).clamp(step, end), step }
            }
            Self::Logarithmic { .. } => self,
        }
    }

    /// The figure at the end of the axis.
    pub(super) fn end(self) -> f64 {
        match self {
            Self::Linear { end, .. } | Self::Logarithmic { end } => end,
        }
    }

    /// A linear axis of whole figures, or a logarithmic one where a linear one would hide the smaller figures.
    pub(super) fn fitting(figures: &[f64]) -> Self {
        let largest = figures.iter().copied().fold(1.0, f64::max).min(EXTREMES.1);
        let smallest = figures.iter().copied().filter(|&figure| figure > 0.0).fold(largest, f64::min);
        if largest / smallest < 20.0 {
            return Self::whole(largest);
        }
        let power = 10f64.powf(largest.log10().floor());
        let end = [1.0, 2.0, 5.0].into_iter().map(|factor| factor * power).find(|end| *end >= largest);
        Self::Logarithmic { end: end.unwrap_or(10.0 * power) }
    }

    /// Where a figure stands: 0 at the beginning of the axis, 1 at its end.
    pub(super) fn place(self, figure: f64) -> f64 {
        match self {
            Self::Linear { end, .. } => (figure / end).min(1.0),
            Self::Logarithmic { end } => (figure.ln_1p() / end.ln_1p()).min(1.0),
        }
    }

    /// Figures to mark.
    pub(super) fn ticks(self) -> Vec<f64> {
        match self {
            Self::Linear { end, step } => {
                (0..).map(|tick| f64::from(tick) * step).take_while(|&tick| tick <= end * 1.000_001).collect()
            }
            Self::Logarithmic { end } => {
                let powers = (0..).map(|power| 10f64.powi(power)).take_while(|&tick| tick <= end * 1.000_001);
                std::iter::once(0.0).chain(powers).collect()
            }
        }
    }

    /// What kind of axis it is, for its label.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Linear { .. } => "",
            Self::Logarithmic { .. } => ", logarithmic",
        }
    }
}

/// The step of 1, 2 or 5 times a power of ten that gives four to ten ticks.
fn step(largest: f64) -> f64 {
    let power = 10f64.powf((largest / 4.0).log10().floor());
    [5.0, 2.0, 1.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| largest / step >= 4.0)
        .unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_scales_begin_with_zero_and_hold_the_largest_figure() {
        for scale in [
            Scale::linear(0.0),
            Scale::linear(0.5),
            Scale::whole_until(0.0),
            Scale::whole_until(-1.0),
            Scale::linear(42.0),
            Scale::linear(f64::from_bits(1)),
            Scale::linear(f64::INFINITY),
            Scale::fitting(&[0.0, 1e6]),
            Scale::fitting(&[]),
        ] {
            assert_eq!(scale.place(0.0), 0.0);
            assert_eq!(scale.ticks()[0], 0.0);
            assert!((3..=11).contains(&scale.ticks().len()), "{scale:?}: {:?}", scale.ticks());
        }
        assert!(Scale::linear(42.0).place(42.0) <= 1.0);
        assert!(Scale::fitting(&[3.0, 1e6]).place(1e6) <= 1.0);
    }

    #[test]
    fn an_axis_of_bytes_has_whole_figures() {
        for figures in [&[][..], &[0.0, 0.0], &[1.0, 2.5], &[7.0, 41.0]] {
            assert!(Scale::fitting(figures).ticks().iter().all(|tick| tick.fract() == 0.0), "{figures:?}");
        }
    }

    #[test]
    fn a_small_figure_beside_a_large_one_still_shows() {
        assert!(Scale::fitting(&[24.0, 1_000_000.0]).place(24.0) > 0.1);
    }
}
