use syn::visit::{self, Visit};
use syn::{Expr, ItemFn};

use super::Program;
use crate::input::sources;

pub(super) const PROGRAM: Program = Program {
    name: "syn",
    run,
    is_single_threaded: true,
    known_types: &[("Box<Expr>", None), ("Vec<Stmt>", None), ("Vec<(PathSegment, PathSep)>", None)],
};

/// Parses the project's own sources, and counts what is in them.
fn run() -> String {
    let mut counter = Counter::default();
    for text in sources() {
        let file = syn::parse_file(&text).expect("the project compiles");
        counter.visit_file(&file);
    }
    format!(
        "{} functions, {} expressions, longest {:?}",
        counter.functions, counter.expressions, counter.longest
    )
}

#[derive(Default)]
struct Counter {
    functions: usize,
    expressions: usize,
    longest: String,
}

impl<'ast> Visit<'ast> for Counter {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.functions += 1;
        let name = item.sig.ident.to_string();
        if name.len() > self.longest.len() {
            self.longest = name;
        }
        visit::visit_item_fn(self, item);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.expressions += 1;
        visit::visit_expr(self, expression);
    }
}
