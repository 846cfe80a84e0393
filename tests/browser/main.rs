//! What is made for a browser, opened in one: headless, with real clicks and keys.
//!
//! Where there is no Chromium, each test says in a line that it is skipped; `ALLOCLAB_BROWSER=required` lets it fail instead.
#![cfg(feature = "cli")]

mod dhat_viewer;
mod driver;
mod driving;
#[path = "../report/every_field.rs"]
mod every_field;
#[path = "../report/heap_sample.rs"]
mod heap_sample;
#[path = "../report/many_sites.rs"]
mod many_sites;
mod page;
#[path = "../report/sample.rs"]
mod sample;
mod speedscope;
