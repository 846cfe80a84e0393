//! An operation that is ready to run.

use std::hint::black_box;

use super::InlineObject;

/// A case that is ready to run.
pub struct Prepared {
    /// Bytes that one operation writes or reads; for a parallel case, of one iteration.
    pub encoded_bytes: u64,
    /// The operation.
    pub workload: Workload,
    /// Objects of the original that need no block of their own here; see [`InlineObject`].
    pub inline_objects: Vec<InlineObject>,
}

/// An operation, in the form in which the harness runs it.
pub enum Workload {
    /// Runs the operation as many times as it is told, one after the other. It is called some hundred times in one window:
    /// what it allocates for itself at each call counts as the operation's.
    Serial(Box<dyn FnMut(u64) + Send>),
    /// Runs the operation once; called from many threads.
    Parallel(Box<dyn Fn() + Send + Sync>),
}

impl Workload {
    /// An operation that runs one after the other.
    ///
    /// # Examples
    /// ```
    /// use alloclab::plan::Workload;
    /// use std::hint::black_box;
    ///
    /// let workload = Workload::serial(|| drop(black_box(Box::new(7_u64))));
    /// assert!(matches!(workload, Workload::Serial(_)));
    /// ```
    pub fn serial(mut operation: impl FnMut() + Send + 'static) -> Self {
        Self::Serial(Box::new(move |operations| (0..operations).for_each(|_| operation())))
    }

    /// Writes a value into something new, which goes with the operation.
    ///
    /// # Examples
    /// ```
    /// use alloclab::plan::Workload;
    ///
    /// let workload = Workload::write(7_u32, |number| number.to_le_bytes().to_vec());
    /// # let Workload::Serial(mut run) = workload else { unreachable!() };
    /// # run(2);
    /// ```
    pub fn write<V: Send + 'static, W>(value: V, mut write: impl FnMut(&V) -> W + Send + 'static) -> Self {
        Self::serial(move || {
            black_box(&write(black_box(&value)));
        })
    }

    /// Writes a value into a buffer of so many bytes, which stands for one of the caller.
    ///
    /// # Examples
    /// ```
    /// use alloclab::plan::Workload;
    ///
    /// let workload = Workload::write_span(7_u32, 4, |number, buffer| buffer.copy_from_slice(&number.to_le_bytes()));
    /// # let Workload::Serial(mut run) = workload else { unreachable!() };
    /// # run(2);
    /// ```
    pub fn write_span<V: Send + 'static, W>(
        value: V,
        bytes: usize,
        mut write: impl FnMut(&V, &mut [u8]) -> W + Send + 'static,
    ) -> Self {
        let mut buffer = vec![0; bytes];
        Self::serial(move || {
            black_box(&write(black_box(&value), &mut buffer));
            black_box(&buffer);
        })
    }

    /// Reads a value, which goes with the operation.
    ///
    /// # Examples
    /// ```
    /// use alloclab::plan::Workload;
    ///
    /// let workload = Workload::read(b"seven".to_vec(), |bytes| String::from_utf8(bytes.to_vec()));
    /// # let Workload::Serial(mut run) = workload else { unreachable!() };
    /// # run(2);
    /// ```
    pub fn read<R>(bytes: Vec<u8>, mut read: impl FnMut(&[u8]) -> R + Send + 'static) -> Self {
        Self::serial(move || {
            black_box(&read(black_box(&bytes)));
        })
    }
}
