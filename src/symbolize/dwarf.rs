//! DWARF: the functions inlined at an address, and the places in the source.

use std::sync::Arc;

use addr2line::{Context, Location};
use gimli::{EndianArcSlice, LittleEndian, SectionId, UnitOffset};
use object::{Object, ObjectSection};

use super::mangling::{Spelling, is_legacy_name};
use super::spellings::Spellings;

pub(super) type Reader = EndianArcSlice<LittleEndian>;

/// The debug information of a file.
pub(super) struct Dwarf {
    context: Context<Reader>,
    spellings: Spellings,
}

/// A function at an address, as DWARF knows it.
pub(super) struct DwarfFrame {
    /// Its mangled name.
    pub(super) name: Option<String>,
    /// How debug information spells it, if its name is of the legacy mangling.
    pub(super) spelling: Option<Spelling>,
    /// The file, with an absolute path as the compiler knew it.
    pub(super) file: Option<String>,
    /// The line, from 1.
    pub(super) line: Option<u32>,
}

impl Dwarf {
    /// Reads the index of a file's debug information; none if it has none that can be read.
    pub(super) fn new(data: &[u8]) -> Option<Self> {
        let file = object::File::parse(data).ok()?;
        let load = |id: SectionId| {
            let section = file.section_by_name(id.name());
            let bytes = section.and_then(|section| section.data().ok()).unwrap_or_default();
            Ok::<_, gimli::Error>(Reader::new(Arc::from(bytes), LittleEndian))
        };
        let context = Context::from_dwarf(gimli::Dwarf::load(load).ok()?).ok()?;
        Some(Self { context, spellings: Spellings::default() })
    }

    /// The functions at an address of the file, innermost first; the last is the one that was not inlined.
    pub(super) fn frames(&self, address: u64) -> Vec<DwarfFrame> {
        let mut found = Vec::new();
        let Ok(mut frames) = self.context.find_frames(address).skip_all_loads() else { return found };
        while let Ok(Some(frame)) = frames.next() {
            let name = frame.function.as_ref().and_then(|name| name.raw_name().ok());
            let is_legacy = name.as_deref().is_some_and(is_legacy_name);
            let entry = frame.dw_die_offset.filter(|_| is_legacy);
            let spelling = entry.and_then(|entry| self.spelling(address, entry));
            let (file, line) = place(frame.location);
            found.push(DwarfFrame { name: name.map(|name| name.into_owned()), spelling, file, line });
        }
        found
    }

    /// The folder in which the unit at an address was compiled.
    pub(super) fn folder(&self, address: u64) -> Option<String> {
        let unit = self.context.find_dwarf_and_unit(address).skip_all_loads()?;
        let folder = unit.comp_dir.as_ref()?;
        Some(String::from_utf8_lossy(folder.bytes()).into_owned())
    }

    /// How the function is spelled whose entry stands here in the unit at an address.
    fn spelling(&self, address: u64, entry: UnitOffset) -> Option<Spelling> {
        let unit = self.context.find_dwarf_and_unit(address).skip_all_loads()?;
        self.spellings.at(unit, entry)
    }
}

fn place(location: Option<Location<'_>>) -> (Option<String>, Option<u32>) {
    location.map_or((None, None), |location| (location.file.map(str::to_owned), location.line))
}
