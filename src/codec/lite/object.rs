//! Objects: members one after the other.

use super::Size;

/// Bytes of a reference, and of everything whose size the type does not tell, where members are put in order.
const REFERENCE_BYTES: usize = 8;

/// Gives a struct the layout of an object in LiteSerializer's format: all of its members, in the order in which they
/// are listed, or behind `automatic` the largest first.
///
/// Each member's type needs a layout of its own, and under automatic layout `Default`.
///
/// # Examples
/// ```
/// use alloclab::codec::lite;
///
/// #[derive(Debug, Default, PartialEq)]
/// struct Point {
///     flag: bool,
///     x: i64,
/// }
/// alloclab::lite_object!(automatic Point { flag: bool, x: i64 });
///
/// let mut buffer = [0; 9];
/// lite::to_slice(&Point { flag: true, x: 2 }, &mut buffer)?;
/// assert_eq!(buffer, [2, 0, 0, 0, 0, 0, 0, 0, 1]);
/// assert_eq!(lite::from_slice(&buffer), Ok(Point { flag: true, x: 2 }));
/// # Ok::<(), lite::EncodeError>(())
/// ```
#[macro_export]
macro_rules! lite_object {
    ($object:ident { $($member:ident: $type:ty),+ $(,)? }) => {
        const _: () = {
            use $crate::codec::DecodeError;
            use $crate::codec::lite as format;

            $crate::lite_object!(@ constants $($member: $type),+);
            const RUNS: [usize; MEMBERS] = format::Size::runs(SIZES);

            impl format::LiteSerialize for $object {
                $crate::lite_object!(@ size $($member),+);

                #[inline]
                fn write(&self, writer: &mut format::LiteWriter<'_>) -> Result<(), format::EncodeError> {
                    let [$($member),+] = const { RUNS };
                    $(
                        writer.require($member)?;
                        writer.write(&self.$member)?;
                    )+
                    Ok(())
                }
            }

            impl format::LiteDeserialize for $object {
                #[inline]
                fn read(reader: &mut format::LiteReader<'_>) -> Result<Self, DecodeError> {
                    let [$($member),+] = const { RUNS };
                    $(
                        reader.require($member)?;
                        let $member = reader.read()?;
                    )+
                    Ok(Self { $($member),+ })
                }
            }

            impl format::LiteNullable for $object {}
        };
    };
    (automatic $object:ident { $($member:ident: $type:ty),+ $(,)? }) => {
        const _: () = {
            use $crate::codec::DecodeError;
            use $crate::codec::lite as format;

            $crate::lite_object!(@ constants $($member: $type),+);
            const ORDER: [usize; MEMBERS] = format::automatic_order(SIZES);

            impl format::LiteSerialize for $object {
                $crate::lite_object!(@ size $($member),+);

                fn write(&self, writer: &mut format::LiteWriter<'_>) -> Result<(), format::EncodeError> {
                    for member in ORDER {
                        let mut index = 0..MEMBERS;
                        $(
                            if index.next() == Some(member) {
                                writer.write(&self.$member)?;
                            }
                        )+
                    }
                    Ok(())
                }
            }

            impl format::LiteDeserialize for $object {
                fn read(reader: &mut format::LiteReader<'_>) -> Result<Self, DecodeError> {
                    $(let mut $member = <$type>::default();)+
                    for member in ORDER {
                        let mut index = 0..MEMBERS;
                        $(
                            if index.next() == Some(member) {
                                $member = reader.read()?;
                            }
                        )+
                    }
                    Ok(Self { $($member),+ })
                }
            }

            impl format::LiteNullable for $object {}
        };
    };
    (@ constants $($member:ident: $type:ty),+) => {
        const MEMBERS: usize = [$(stringify!($member)),+].len();
        const SIZES: [format::Size; MEMBERS] = [$(<$type as format::LiteSerialize>::SIZE),+];
    };
    (@ size $($member:ident),+) => {
        const SIZE: format::Size = format::Size::sum(SIZES);

        #[inline]
        fn encoded_bytes(&self) -> usize {
            0 $(+ self.$member.encoded_bytes())+
        }
    };
}

/// The order of members under automatic layout, from their sizes in the order of their declaration: by size, the
/// largest first; of the same size, as declared. What has no size of its own counts as a reference of 8 bytes.
///
/// # Examples
/// ```
/// use alloclab::codec::lite::{Size, automatic_order};
///
/// let number_text_list = [Size::Fixed(4), Size::AtLeast(4), Size::AtLeast(4)];
/// assert_eq!(automatic_order(number_text_list), [1, 2, 0]);
/// ```
pub const fn automatic_order<const N: usize>(sizes: [Size; N]) -> [usize; N] {
    let mut order = [0; N];
    let mut member = 0;
    while member < N {
        let mut place = member;
        while place > 0 && bytes_of(sizes[order[place - 1]]) < bytes_of(sizes[member]) {
            order[place] = order[place - 1];
            place -= 1;
        }
        order[place] = member;
        member += 1;
    }
    order
}

const fn bytes_of(size: Size) -> usize {
    match size {
        Size::Fixed(bytes) => bytes,
        Size::AtLeast(_) => REFERENCE_BYTES,
    }
}
