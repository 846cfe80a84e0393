//! How many bytes a type takes, as far as its type tells.

/// The bytes that values of a type take while integers have their fixed width and times are in whole seconds.
///
/// Readers and writers check with it once for a run of fields that have a fixed size, in place of once for each; lists check
/// with it that the input can hold as many elements as it claims. It is never trusted with more than that: a size that is
/// too small costs time, or room for elements that turn out not to be there; one that is too large is an error near the end
/// of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The same for each value.
    Fixed(usize),
    /// Different from value to value, but never less than this.
    AtLeast(usize),
}

impl Size {
    /// The fewest bytes that a value takes.
    pub const fn min(self) -> usize {
        match self {
            Self::Fixed(bytes) | Self::AtLeast(bytes) => bytes,
        }
    }

    /// The size of fields that stand one after the other.
    ///
    /// # Examples
    /// ```
    /// use alloclab::codec::span::Size;
    ///
    /// assert_eq!(Size::sum([Size::Fixed(4), Size::Fixed(1)]), Size::Fixed(5));
    /// assert_eq!(Size::sum([Size::Fixed(4), Size::AtLeast(1)]), Size::AtLeast(5));
    /// ```
    pub const fn sum<const N: usize>(fields: [Self; N]) -> Self {
        let mut total = Self::Fixed(0);
        let mut index = 0;
        while index < N {
            total = match (total, fields[index]) {
                (Self::Fixed(left), Self::Fixed(right)) => Self::Fixed(left + right),
                (left, right) => Self::AtLeast(left.min() + right.min()),
            };
            index += 1;
        }
        total
    }

    /// For each field the bytes to check for in front of it: those of the run that starts with it, 0 inside of a run.
    ///
    /// A run is a stretch of fields of fixed size and the variable field that ends it.
    ///
    /// # Examples
    /// ```
    /// use alloclab::codec::span::Size;
    ///
    /// let fields = [Size::Fixed(4), Size::AtLeast(1), Size::Fixed(1), Size::Fixed(8)];
    /// assert_eq!(Size::runs(fields), [5, 0, 9, 0]);
    /// ```
    pub const fn runs<const N: usize>(fields: [Self; N]) -> [usize; N] {
        let mut runs = [0; N];
        let (mut start, mut index) = (0, 0);
        while index < N {
            runs[start] += fields[index].min();
            index += 1;
            if let Self::AtLeast(_) = fields[index - 1] {
                start = index;
            }
        }
        runs
    }
}
