//! What the codecs allocate, object by object, as the systems do whose place they take.
#![cfg(feature = "lab")]

mod advice;
mod binaryformatter;
mod fake_users;
mod lite;
mod peers;
mod protobuf_net;
mod serde;
mod span;
mod span_lists;
mod span_variants;

use std::cell::{RefCell, RefMut};

use alloclab::attribute::{Attributor, Options};
use alloclab::recorder::{Recorder, measure};
use alloclab::symbolize::Symbols;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

thread_local! {
    /// Loaded once for a test, which has a thread of its own: reading debug information takes longer than most cases.
    static ATTRIBUTOR: &'static RefCell<Attributor> = {
        let modules = measure(|| ()).expect("no window is open on this thread").snapshot.modules;
        let symbols = Symbols::load(&modules).expect("a test can read its own file");
        Box::leak(Box::new(RefCell::new(Attributor::new(symbols, Options::default()))))
    };
}

/// The types of this program's sites.
fn attributor() -> RefMut<'static, Attributor> {
    ATTRIBUTOR.with(|attributor| attributor.borrow_mut())
}
