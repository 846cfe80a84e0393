//! What an instrument counted, beside what the recorder did.

/// An instrument's figures for one stretch of work, each beside the recorder's by the same definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// The instrument.
    pub(crate) instrument: &'static str,
    /// Every figure that it has.
    pub(crate) figures: Vec<Compared>,
}

/// One figure, counted twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Compared {
    /// What the instrument calls it.
    pub(crate) name: &'static str,
    /// What it is by the recorder's counts.
    pub(crate) recorder: i64,
    /// What the instrument says.
    pub(crate) instrument: i64,
}

impl Compared {
    pub(super) const fn new(name: &'static str, recorder: i64, instrument: i64) -> Self {
        Self { name, recorder, instrument }
    }
}

impl Comparison {
    /// The figures that are not equal.
    pub(crate) fn differences(&self) -> impl Iterator<Item = &Compared> {
        self.figures.iter().filter(|figure| figure.recorder != figure.instrument)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_figures_that_are_not_equal_are_differences() {
        let figures = vec![Compared::new("blocks", 3, 3), Compared::new("bytes", 12, 13)];
        let comparison = Comparison { instrument: "dhat", figures };
        let differences: Vec<_> = comparison.differences().collect();
        assert_eq!(differences, [&Compared::new("bytes", 12, 13)]);
    }
}
