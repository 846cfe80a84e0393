//! Real names, broken names, and names that were broken at random.

use super::{Arena, Argument, ParseError, Path, PathId, Type, parse};

/// Names that compilers wrote, with each construct of the grammar.
const REAL: &[&str] = &[
    "_RNvC7mycrate3foo",
    "_RNvCs6p6QwmFfjYW_4itoa3enc",
    "_RINvCs6p6QwmFfjYW_4itoa9enc_16lsdKj17_EB2_",
    "_RNvMs3_NtCslNYArtu3iFV_5alloc7raw_vecINtB5_6RawVecINtNtB7_3vec3VechEE8grow_oneCsjrHSEGnQ3l9_3std",
    "_RNvXs0_NtCsgEmfK2I1SDS_4core3anyDNtB5_3AnyNtNtB7_6marker4SendEL_NtNtB7_3fmt5Debug3fmt",
    "_RNvXs0_NtNtNtCsgEmfK2I1SDS_4core4iter6traits8iteratorQDNtB5_8Iteratorp4ItemNtNtCslNYArtu3iFV_5alloc6string6StringEL_BR_4nextCsiC82uA1mdeC_7getopts",
    "_RINvMNtCsgEmfK2I1SDS_4core5sliceSNtNtNtB5_7unicode12unicode_data20ShortOffsetRunHeader16binary_search_byNCINvB2_20binary_search_by_keymNCINvBx_11skip_searchKj16_Kj139_E0E0EB5_",
    "_RINvNtNtNtCsgEmfK2I1SDS_4core5slice4sort6stable14driftsort_mainNtNtCs4X4t9plMPHF_9addr2line8function15FunctionAddressNCINvMNtCslNYArtu3iFV_5alloc5sliceSBZ_11sort_by_keyyNCNvMs0_B11_INtB11_9FunctionsINtNtNtCsduwmD7cSIQq_5gimli4read12endian_slice11EndianSliceNtNtB3h_9endianity12LittleEndianEE5parses_0E0INtNtB1Z_3vec3VecBZ_EECsjrHSEGnQ3l9_3std",
    "_RNvNtC7mycrateu8gdel_5qa3foo",
    // A reference to a reference.
    "_RINvYINtNtCslNYArtu3iFV_5alloc5boxed3BoxDNtNtNtNtCsgEmfK2I1SDS_4core4iter6traits8iterator8Iteratorp4ItemTReRNtNtCsf4xf9KqMpgD_9toml_edit5value5ValueEEL_EBD_4foldjNCNvYB3_B2r_5count0EB1M_",
    "_RINvC7mycrate3fooFG_UKCRL0_hEuE",
    "_RINvC7mycrate3fooTAhj4_bEKb1_Kc61_Kln2a_E",
    "_RINvC7mycrate3fooDG_INtC4core2FnTRL0_hEEp6OutputzEL_E.llvm.1234",
];

fn text_of_last(arena: &Arena, path: PathId) -> &str {
    match arena.path(path) {
        Path::Nested { name, .. } | Path::Crate(name) => arena.text(*name),
        Path::Generic { base, .. } => text_of_last(arena, *base),
        _ => "",
    }
}

#[test]
fn real_names_are_taken_apart() {
    let mut arena = Arena::default();
    for name in REAL {
        assert!(parse(name, &mut arena).is_ok(), "{name}: {:?}", parse(name, &mut arena));
    }
}

#[test]
fn every_name_of_this_program_is_taken_apart() {
    let data = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    let file = object::File::parse(&*data).unwrap();
    let symbols = object::Object::symbols(&file);
    let names = symbols.filter_map(|symbol| object::ObjectSymbol::name(&symbol).ok());
    let mut arena = Arena::default();
    let mut count = 0;
    for name in names.filter(|name| name.starts_with("_R")) {
        assert!(parse(name, &mut arena).is_ok(), "{name}: {:?}", parse(name, &mut arena));
        count += 1;
    }
    assert!(count > 100, "only {count} names: the test was built without `-C symbol-mangling-version=v0`");
}

#[test]
fn a_method_keeps_the_crate_of_its_impl_and_its_type() {
    let mut arena = Arena::default();
    let path = parse(REAL[3], &mut arena).unwrap();
    let Path::Nested { parent, name, .. } = *arena.path(path) else { panic!("a method") };
    assert_eq!(arena.text(name), "grow_one");
    let Path::Inherent { scope, subject } = *arena.path(parent) else { panic!("of a type") };
    assert_eq!(text_of_last(&arena, scope), "raw_vec");
    let expected = arena.word("u8");
    let byte = arena.add_type(Type::Primitive(expected));
    let vec = arena.nominal(&["alloc", "vec", "Vec"], &[Argument::Type(byte)]);
    assert_eq!(subject, arena.nominal(&["alloc", "raw_vec", "RawVec"], &[Argument::Type(vec)]));
}

#[test]
fn names_of_two_crate_versions_are_the_same_path() {
    let mut arena = Arena::default();
    let first = parse("_RNvCs1234_7mycrate3foo", &mut arena).unwrap();
    let second = parse("_RNvCs5678_7mycrate3foo", &mut arena).unwrap();
    assert_eq!(first, second);
}

#[test]
fn broken_names_are_refused_with_the_place() {
    let cases = [
        ("_ZN3foo3barE", ParseError::OtherMangling),
        ("_R", ParseError::Malformed { at: 2 }),
        ("_RNvC7mycrate", ParseError::Malformed { at: 13 }),
        ("_RNvC99mycrate3foo", ParseError::Malformed { at: 7 }),
        ("_RNvB_3foo", ParseError::Malformed { at: 6 }),
        ("_RNvC99999999999999999999999999a3foo", ParseError::Malformed { at: 25 }),
        ("_RNvC7mycrate3fooé", ParseError::Malformed { at: 2 }),
    ];
    for (name, error) in cases {
        assert_eq!(parse(name, &mut Arena::default()), Err(error), "{name}");
    }
}

#[test]
fn names_nested_too_deep_and_names_that_unfold_too_far_are_refused() {
    let deep = format!("_RINvC1a1f{}hE", "S".repeat(100_000));
    assert_eq!(parse(&deep, &mut Arena::default()), Err(ParseError::TooLarge));
    // Each pair holds the one before twice: short to write, endless to write out.
    let mut wide = "_RINvC1a1fThhE".to_owned();
    let mut before = 8;
    for _ in 0..40 {
        let here = wide.len() - 2;
        let back = base_62(before);
        wide.push_str(&format!("TB{back}B{back}E"));
        before = here;
    }
    wide.push('E');
    assert_eq!(parse(&wide, &mut Arena::default()), Err(ParseError::TooLarge));
}

fn base_62(value: usize) -> String {
    const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let Some(mut rest) = value.checked_sub(1) else { return "_".to_owned() };
    let mut digits = vec![char::from(DIGITS[rest % 62])];
    while rest >= 62 {
        rest /= 62;
        digits.push(char::from(DIGITS[rest % 62]));
    }
    digits.iter().rev().collect::<String>() + "_"
}

#[test]
fn names_broken_at_random_never_panic() {
    let alphabet = b"_019abcuspCMXYNIBTASRQPOFDWEKLGUvtn\xe9e.$Z";
    let mut random = Random(20_260_401);
    for round in 0..100_000 {
        let mut name = REAL[round % REAL.len()].as_bytes().to_vec();
        for _ in 0..=random.below(4) {
            let at = random.below(name.len());
            match random.below(4) {
                0 => name[at] = alphabet[random.below(alphabet.len())],
                1 => drop(name.remove(at)),
                2 => name.insert(at, alphabet[random.below(alphabet.len())]),
                _ => name.truncate(at.max(3)),
            }
        }
        // A fresh arena, so that what one name left behind does not hide what the next would do.
        let _ = parse(&String::from_utf8_lossy(&name), &mut Arena::default());
    }
}

/// A small generator of the xorshift family: the same names in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}
