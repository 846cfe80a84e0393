//! Type codes, and value types that are .NET's own.

/// .NET's `TypeCode`: how a type counts for code that switches over types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeCode {
    /// No value at all.
    Empty,
    /// Anything that has no code of its own.
    Object,
    /// `bool`.
    Boolean,
    /// A UTF-16 unit there, a `char` here.
    Char,
    /// `i8`.
    SByte,
    /// `u8`.
    Byte,
    /// `i16`.
    Int16,
    /// `u16`.
    UInt16,
    /// `i32`.
    Int32,
    /// `u32`.
    UInt32,
    /// `i64`.
    Int64,
    /// `u64`.
    UInt64,
    /// `f32`.
    Single,
    /// `f64`.
    Double,
    /// A [`crate::model::Decimal`].
    Decimal,
    /// A [`crate::model::DateTime`].
    DateTime,
    /// A string.
    String,
}

/// A date as days since 0001-01-01.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DateOnly(i32);

impl DateOnly {
    /// The day number of 9999-12-31.
    const MAX: i32 = 3_652_058;

    /// A date from its day number; none beyond year 9999.
    pub const fn from_day_number(days: i32) -> Option<Self> {
        if days < 0 || days > Self::MAX { None } else { Some(Self(days)) }
    }

    /// Days since 0001-01-01.
    pub const fn day_number(self) -> i32 {
        self.0
    }
}

/// A time of day as ticks of 100 nanoseconds since midnight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeOnly(i64);

impl TimeOnly {
    /// The last tick of a day.
    const MAX: i64 = 863_999_999_999;

    /// A time from its ticks; none beyond a day.
    pub const fn from_ticks(ticks: i64) -> Option<Self> {
        if ticks < 0 || ticks > Self::MAX { None } else { Some(Self(ticks)) }
    }

    /// Ticks since midnight.
    pub const fn ticks(self) -> i64 {
        self.0
    }
}
