//! Which records may stand where.

use super::class::ValueType;
use super::graph::Content;
use super::record::RecordKind::{self, *};

/// A set of kinds of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordSet(u32);

impl RecordSet {
    const fn of(kinds: &[RecordKind]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < kinds.len() {
            bits |= 1 << kinds[index].code();
            index += 1;
        }
        Self(bits)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) const fn has(self, kind: RecordKind) -> bool {
        self.0 & (1 << kind.code()) != 0
    }

    /// Whether a reference may lead to such an object from where these records may stand.
    ///
    /// Arrays of a class are declared as that class. An array of the right form but another element type is let through:
    /// .NET takes `String[]` for `Object[]`.
    pub(super) const fn takes(self, content: &Content) -> bool {
        match content {
            Content::String(_) => self.has(RecordKind::BinaryObjectString),
            Content::Instance(_) => self.meets(INSTANCE),
            Content::Array(_) => self.meets(ARRAY.and(INSTANCE)),
        }
    }
}

/// The start of a stream.
pub(super) const START: RecordSet = RecordSet::of(&[SerializedStreamHeader]);

/// Null, or an object that is written elsewhere.
const ELSEWHERE: RecordSet = RecordSet::of(&[ObjectNull, MemberReference]);

const STRING: RecordSet = RecordSet::of(&[BinaryObjectString]);

const BOXED: RecordSet = RecordSet::of(&[MemberPrimitiveTyped]);

const LIBRARY: RecordSet = RecordSet::of(&[BinaryLibrary]);

const USER_CLASS: RecordSet = RecordSet::of(&[ClassWithId, ClassWithMembers, ClassWithMembersAndTypes]);

/// An instance of any class.
const INSTANCE: RecordSet =
    USER_CLASS.and(RecordSet::of(&[SystemClassWithMembers, SystemClassWithMembersAndTypes]));

const ARRAY: RecordSet =
    RecordSet::of(&[BinaryArray, ArraySinglePrimitive, ArraySingleObject, ArraySingleString]);

const ANY_OBJECT: RecordSet = INSTANCE.and(ARRAY).and(STRING).and(BOXED).and(ELSEWHERE);

/// Outside of every object.
pub(super) const TOP_LEVEL: RecordSet =
    ANY_OBJECT.and(LIBRARY).and(RecordSet::of(&[MessageEnd, MethodCall, MethodReturn]));

/// More than one null, as elements alone may be.
pub(super) const NULLS: RecordSet = RecordSet::of(&[ObjectNullMultiple256, ObjectNullMultiple]);

/// What a value of a declared type may be written as; primitives are written without a record.
///
/// Classes of the runtime's own library stand for the interfaces too that strings and boxed primitives have, and for
/// `Nullable` of any type.
pub(super) const fn records_of(value_type: &ValueType) -> RecordSet {
    match value_type {
        ValueType::Primitive(_) => RecordSet::of(&[]),
        ValueType::String => STRING.and(ELSEWHERE),
        ValueType::Object => ANY_OBJECT,
        ValueType::SystemClass(_) => INSTANCE.and(STRING).and(BOXED).and(ELSEWHERE).and(LIBRARY),
        ValueType::Class { .. } => USER_CLASS.and(ELSEWHERE).and(LIBRARY),
        ValueType::ObjectArray => RecordSet::of(&[ArraySingleObject]).and(ELSEWHERE),
        ValueType::StringArray => RecordSet::of(&[ArraySingleString]).and(ELSEWHERE),
        ValueType::PrimitiveArray(_) => RecordSet::of(&[ArraySinglePrimitive]).and(ELSEWHERE),
    }
}
