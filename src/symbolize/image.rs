//! A loaded file: its symbol table, its code, and what its pointers point to.

use std::collections::HashMap;
use std::ops::Range;

use object::read::elf::{ElfFile64, Rela, SectionHeader};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, SymbolKind};

/// The symbols and the code of a file, by the addresses in the file.
#[derive(Debug, Default)]
pub(super) struct Image {
    /// By address.
    functions: Vec<Function>,
    code: Vec<Section>,
    /// Slots with an address that the loader fills in, such as those of the global offset table.
    pointers: HashMap<u64, u64>,
    /// Empty if it has none.
    build_id: Vec<u8>,
}

/// A function in a file.
#[derive(Debug)]
pub(super) struct Function {
    /// Where it lies.
    pub(super) range: Range<u64>,
    /// Its names, mangled: several where functions of equal code were merged.
    pub(super) names: Vec<String>,
}

#[derive(Debug)]
struct Section {
    address: u64,
    bytes: Vec<u8>,
}

impl Image {
    /// Reads the tables of a file; of files that are no 64-bit ELF, what the symbol tables say.
    pub(super) fn new(data: &[u8], with_code: bool) -> Option<Self> {
        let file = object::File::parse(data).ok()?;
        let build_id = file.build_id().ok().flatten().unwrap_or_default().to_owned();
        let mut image = Self { functions: functions(&file), build_id, ..Self::default() };
        if with_code {
            image.code = code(&file);
            image.pointers =
                ElfFile64::<LittleEndian>::parse(data).ok().map(|elf| pointers(&elf)).unwrap_or_default();
        }
        Some(image)
    }

    /// An image of functions, code and pointers at these addresses.
    #[cfg(test)]
    pub(super) fn from_parts(functions: &[Range<u64>], code: (u64, &[u8]), pointers: &[(u64, u64)]) -> Self {
        let functions =
            functions.iter().map(|range| Function { range: range.clone(), names: vec!["f".into()] });
        Self {
            functions: functions.collect(),
            code: vec![Section { address: code.0, bytes: code.1.to_owned() }],
            pointers: pointers.iter().copied().collect(),
            build_id: Vec::new(),
        }
    }

    /// The build id that the file's linker gave it; empty if it has none.
    pub(super) fn build_id(&self) -> &[u8] {
        &self.build_id
    }

    /// The function that an address lies in.
    pub(super) fn function_at(&self, address: u64) -> Option<&Function> {
        let after = self.functions.partition_point(|function| function.range.start <= address);
        let function = &self.functions[after.checked_sub(1)?];
        function.range.contains(&address).then_some(function)
    }

    /// The function that starts at an address.
    pub(super) fn function_from(&self, start: u64) -> Option<&Function> {
        self.function_at(start).filter(|function| function.range.start == start)
    }

    /// The functions, by address.
    pub(super) fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The `N` bytes of code before an address.
    pub(super) fn code_before<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        self.code.iter().find_map(|section| {
            let end = usize::try_from(address.checked_sub(section.address)?).ok()?;
            section.bytes.get(end.checked_sub(N)?..end)?.try_into().ok()
        })
    }

    /// What the pointer at an address points to once the file is loaded.
    pub(super) fn pointer_at(&self, slot: u64) -> Option<u64> {
        self.pointers.get(&slot).copied()
    }
}

/// The functions of all symbol tables; a function without a size reaches to the next one.
fn functions(file: &object::File<'_>) -> Vec<Function> {
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let mut found: Vec<(u64, u64, &str)> = symbols
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
        .filter_map(|symbol| Some((symbol.address(), symbol.size(), symbol.name().ok()?)))
        .filter(|(_, _, name)| !name.is_empty())
        .collect();
    found.sort_unstable();
    found.dedup_by_key(|(address, _, name)| (*address, *name));
    let mut functions: Vec<Function> = Vec::with_capacity(found.len());
    for (start, size, name) in found {
        match functions.last_mut().filter(|last| last.range.start == start) {
            Some(last) => {
                last.range.end = last.range.end.max(start.saturating_add(size));
                last.names.push(name.to_owned());
            }
            None => {
                close_open_end(functions.last_mut(), start);
                functions.push(Function {
                    range: start..start.saturating_add(size),
                    names: vec![name.to_owned()],
                });
            }
        }
    }
    close_open_end(functions.last_mut(), u64::MAX);
    functions
}

fn close_open_end(last: Option<&mut Function>, next: u64) {
    if let Some(last) = last.filter(|last| last.range.is_empty()) {
        last.range.end = next;
    }
}

fn code(file: &object::File<'_>) -> Vec<Section> {
    let sections = file.sections().filter(|section| section.kind() == object::SectionKind::Text);
    sections
        .filter_map(|section| {
            Some(Section { address: section.address(), bytes: section.data().ok()?.to_owned() })
        })
        .collect()
}

/// The slots that the loader fills with addresses of this file, and what it puts there; and the table of slots that a
/// file linked to a fixed address has filled in already.
fn pointers(elf: &ElfFile64<'_, LittleEndian>) -> HashMap<u64, u64> {
    let mut pointers = HashMap::new();
    let (endian, data) = (LittleEndian, elf.data());
    for section in elf.sections().filter(|section| matches!(section.name(), Ok(".got" | ".got.plt"))) {
        let slots = section.data().unwrap_or_default().chunks_exact(8);
        let addresses = std::iter::successors(Some(section.address()), |slot| slot.checked_add(8));
        for (slot, bytes) in addresses.zip(slots) {
            let target = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            if target != 0 {
                pointers.insert(slot, target);
            }
        }
    }
    for section in elf.elf_section_table().iter() {
        let Ok(Some((relocations, _))) = section.rela(endian, data) else { continue };
        for relocation in relocations {
            if relocation.r_type(endian, false) == object::elf::R_X86_64_RELATIVE {
                pointers.insert(relocation.r_offset(endian), relocation.r_addend(endian).cast_unsigned());
            }
        }
    }
    pointers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of a symbol in a symbol table, and where its size stands.
    const SYMBOL: usize = 24;
    const SIZE: Range<usize> = 16..24;

    #[test]
    fn sizes_beyond_the_end_of_all_addresses_are_taken_as_they_are() {
        let mut data = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let table = {
            let file = object::File::parse(&*data).unwrap();
            let (start, length) = file.section_by_name(".symtab").unwrap().file_range().unwrap();
            start as usize..(start + length) as usize
        };
        for symbol in data[table].chunks_exact_mut(SYMBOL) {
            symbol[SIZE].fill(0xff);
        }
        let image = Image::new(&data, false).unwrap();
        let ends: Vec<u64> = image.functions().iter().map(|function| function.range.end).collect();
        assert!(ends.len() > 100 && ends.iter().all(|end| *end == u64::MAX));
    }
}
