//! The names that debug information gives to functions, with all type arguments in effect.

use std::cell::OnceCell;

use gimli::{
    AttributeValue, DW_AT_abstract_origin, DW_AT_name, DW_AT_specification, DW_TAG_template_type_parameter,
    DebugInfoOffset, DebuggingInformationEntry, Unit, UnitHeader, UnitOffset, UnitRef,
};

use super::dwarf::Reader;
use super::mangling::Spelling;

/// Entries that a function's name is looked for in, one referring to the next.
const HOPS: usize = 4;

/// Finds the names; units are read when something refers into them first.
#[derive(Default)]
pub(super) struct Spellings {
    units: OnceCell<Vec<LazyUnit>>,
}

/// A unit, and where it starts in its section.
struct LazyUnit {
    start: usize,
    header: UnitHeader<Reader>,
    unit: OnceCell<Option<Unit<Reader>>>,
}

impl Spellings {
    /// How the function is spelled whose entry stands here in a unit: an entry refers to the one that has the name, in
    /// this unit or another.
    pub(super) fn at(&self, unit: UnitRef<'_, Reader>, entry: UnitOffset) -> Option<Spelling> {
        self.follow(unit, entry, HOPS)
    }

    fn follow(&self, unit: UnitRef<'_, Reader>, at: UnitOffset, hops: usize) -> Option<Spelling> {
        let entry = unit.entry(at).ok()?;
        if let Some(name) = entry.attr_value(DW_AT_name) {
            return spelling(unit, at, name);
        }
        let hops = hops.checked_sub(1)?;
        let target = [DW_AT_abstract_origin, DW_AT_specification];
        match target.into_iter().find_map(|attribute| entry.attr_value(attribute))? {
            AttributeValue::UnitRef(target) => self.follow(unit, target, hops),
            AttributeValue::DebugInfoRef(target) => {
                let other = self.unit_with(unit.dwarf, target)?;
                let inside = target.to_unit_offset(&other.header)?;
                self.follow(UnitRef::new(unit.dwarf, other), inside, hops)
            }
            _ => None,
        }
    }

    fn unit_with(&self, dwarf: &gimli::Dwarf<Reader>, target: DebugInfoOffset) -> Option<&Unit<Reader>> {
        let units = self.units.get_or_init(|| headers(dwarf));
        let after = units.partition_point(|unit| unit.start <= target.0);
        let found = &units[after.checked_sub(1)?];
        found.unit.get_or_init(|| dwarf.unit(found.header.clone()).ok()).as_ref()
    }
}

/// The units of a file, in their order.
fn headers(dwarf: &gimli::Dwarf<Reader>) -> Vec<LazyUnit> {
    let mut headers = dwarf.units();
    let next = std::iter::from_fn(|| headers.next().ok().flatten());
    let units = next.filter_map(|header| {
        let start = header.debug_info_offset()?.0;
        Some(LazyUnit { start, header, unit: OnceCell::new() })
    });
    units.collect()
}

fn spelling(unit: UnitRef<'_, Reader>, at: UnitOffset, name: AttributeValue<Reader>) -> Option<Spelling> {
    let name = text(unit, name)?;
    let parameters = if name.contains('<') { parameters(unit, at).unwrap_or_default() } else { Vec::new() };
    Some(Spelling { name, parameters })
}

/// The names of a function's parameters that are types: entries right inside of its own.
fn parameters(unit: UnitRef<'_, Reader>, at: UnitOffset) -> Option<Vec<String>> {
    let mut tree = unit.entries_tree(Some(at)).ok()?;
    let mut children = tree.root().ok()?.children();
    let mut names = Vec::new();
    while let Some(child) = children.next().ok()? {
        let entry: &DebuggingInformationEntry<Reader> = child.entry();
        if entry.tag() == DW_TAG_template_type_parameter {
            names.push(text(unit, entry.attr_value(DW_AT_name)?)?);
        }
    }
    Some(names)
}

fn text(unit: UnitRef<'_, Reader>, value: AttributeValue<Reader>) -> Option<String> {
    let text = unit.attr_string(value).ok()?;
    Some(String::from_utf8_lossy(text.bytes()).into_owned())
}
