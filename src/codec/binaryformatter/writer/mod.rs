//! Writing: each object of the original's writer a Rust object of its name.

mod binary_writer;
mod hashtable;
mod id_generator;
mod name_info;
mod object;
mod object_info;
mod object_manager;
mod object_map_info;
mod object_writer;
mod queue;
mod record;
mod record_writer;

pub(super) use object_writer::ObjectWriter;
