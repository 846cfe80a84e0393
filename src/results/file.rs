//! Reading and writing results files.
