//! `alloclab list`: what there is to choose from.

use super::catalog::Catalog;
use super::outcome::Outcome;
use super::output::print;

pub(super) fn run(catalog: &dyn Catalog) -> anyhow::Result<Outcome> {
    print(catalog.listing()?)?;
    Ok(Outcome::Fine)
}
