//! .NET's `DateTime`: ticks of 100 nanoseconds since year 1, and a kind.

/// What a [`DateTime`] says about its time zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DateTimeKind {
    /// Nothing.
    #[default]
    Unspecified,
    /// It is UTC.
    Utc,
    /// It is local time.
    Local,
}

/// An instant as .NET holds it: 62 bits of ticks, 2 bits of kind.
///
/// Source: .NET reference source, `System.DateTime` (fields and `ToBinary`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DateTime {
    ticks: u64,
    kind: DateTimeKind,
}

/// Ticks in a second.
pub const TICKS_PER_SECOND: u64 = 10_000_000;

/// Ticks of 1970-01-01T00:00:00.
pub const UNIX_EPOCH_TICKS: u64 = 621_355_968_000_000_000;

const KIND_SHIFT: u32 = 62;
const TICKS_MASK: u64 = (1 << KIND_SHIFT) - 1;

/// Ticks of the last instant of year 9999.
pub const MAX_TICKS: u64 = 3_155_378_975_999_999_999;

impl DateTime {
    /// The first instant of year 1.
    pub const MIN: Self = Self { ticks: 0, kind: DateTimeKind::Unspecified };

    /// An instant from its ticks; none beyond year 9999.
    ///
    /// # Examples
    /// ```
    /// use alloclab::model::{DateTime, DateTimeKind};
    /// let epoch = DateTime::from_ticks(621_355_968_000_000_000, DateTimeKind::Utc).unwrap();
    /// assert_eq!(epoch.unix_seconds(), 0);
    /// assert!(DateTime::from_ticks(u64::MAX, DateTimeKind::Utc).is_none());
    /// ```
    #[inline]
    pub const fn from_ticks(ticks: u64, kind: DateTimeKind) -> Option<Self> {
        if ticks > MAX_TICKS { None } else { Some(Self { ticks, kind }) }
    }

    /// A UTC instant from whole seconds since 1970. Every `u32` is in range.
    #[inline]
    pub const fn from_unix_seconds(seconds: u32) -> Self {
        Self { ticks: UNIX_EPOCH_TICKS + seconds as u64 * TICKS_PER_SECOND, kind: DateTimeKind::Utc }
    }

    /// Ticks since year 1.
    #[inline]
    pub const fn ticks(self) -> u64 {
        self.ticks
    }

    /// What it says about its time zone.
    #[inline]
    pub const fn kind(self) -> DateTimeKind {
        self.kind
    }

    /// Whole seconds since 1970, negative before; fractions are dropped toward the past.
    #[inline]
    pub const fn unix_seconds(self) -> i64 {
        (self.ticks as i64 - UNIX_EPOCH_TICKS as i64).div_euclid(TICKS_PER_SECOND as i64)
    }

    /// The 64 bits of `DateTime.ToBinary`: the kind above the ticks.
    ///
    /// The original turns local times into UTC first; here local time is UTC, as on a machine whose clock is set to it.
    ///
    /// # Examples
    /// ```
    /// use alloclab::model::DateTime;
    /// let time = DateTime::from_unix_seconds(1);
    /// assert_eq!(DateTime::from_binary(time.to_binary()), Some(time));
    /// ```
    #[inline]
    pub const fn to_binary(self) -> i64 {
        (self.ticks | (self.kind as u64) << KIND_SHIFT) as i64
    }

    /// From the 64 bits of `DateTime.ToBinary`; none if the ticks are beyond year 9999.
    #[inline]
    pub const fn from_binary(binary: i64) -> Option<Self> {
        let bits = binary as u64;
        let kind = match bits >> KIND_SHIFT {
            0 => DateTimeKind::Unspecified,
            1 => DateTimeKind::Utc,
            // 3 is a local time in the hour that summer time gives twice.
            _ => DateTimeKind::Local,
        };
        Self::from_ticks(bits & TICKS_MASK, kind)
    }
}
