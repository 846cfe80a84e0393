//! Objects: members behind their count.

/// Gives a struct the layout of a MemoryPack object: its members in the order in which they are listed, all of them.
///
/// Each member's type needs a layout of its own, and `Default` for objects that were written before there was the
/// member. Behind `version_tolerant` it is the form that says how long each member is: objects with more members can be
/// read, too.
///
/// # Examples
/// ```
/// use alloclab::codec::memorypack;
///
/// #[derive(Debug, Default, PartialEq)]
/// struct Point {
///     x: i32,
///     label: Option<String>,
/// }
/// alloclab::memorypack_object!(Point { x: i32, label: Option<String> });
///
/// let point = Point { x: 1, label: None };
/// let bytes = memorypack::to_vec(&point)?;
/// assert_eq!(bytes, *b"\x02\x01\0\0\0\xff\xff\xff\xff");
/// assert_eq!(memorypack::from_slice(&bytes), Ok(point));
/// assert_eq!(memorypack::from_slice(b"\x01\x01\0\0\0"), Ok(Point { x: 1, label: None }));
/// # Ok::<(), memorypack::EncodeError>(())
/// ```
#[macro_export]
macro_rules! memorypack_object {
    ($object:ident { $($member:ident: $type:ty),+ $(,)? }) => {
        const _: () = {
            use $crate::codec::memorypack as format;
            use $crate::codec::DecodeError;

            const MEMBERS: usize = [$(stringify!($member)),+].len();
            const { assert!(MEMBERS <= format::MAX_MEMBERS as usize) };
            const RUNS: [usize; MEMBERS + 1] =
                format::Size::runs([format::Size::Fixed(1), $(<$type as format::MemoryPackSerialize>::SIZE),+]);

            impl format::MemoryPackSerialize for $object {
                const SIZE: format::Size = format::Size::AtLeast(1);

                #[inline]
                fn encoded_bytes(&self) -> usize {
                    1 $(+ self.$member.encoded_bytes())+
                }

                #[inline]
                fn write(&self, writer: &mut format::MemoryPackWriter<'_>) -> Result<(), format::EncodeError> {
                    let [header, $($member),+] = const { RUNS };
                    writer.require(header)?;
                    writer.write_object_header(MEMBERS as u8)?;
                    $(
                        writer.require($member)?;
                        writer.write(&self.$member)?;
                    )+
                    Ok(())
                }
            }

            impl format::MemoryPackDeserialize for $object {
                const USUAL_BYTES: usize = 1 $(+ <$type as format::MemoryPackDeserialize>::USUAL_BYTES)+;

                #[inline]
                fn read(reader: &mut format::MemoryPackReader<'_>) -> Result<Self, DecodeError> {
                    let present = reader.read_object_header(MEMBERS as u8)?;
                    read_members(present, reader)
                }
            }

            impl format::MemoryPackNullable for $object {
                $crate::memorypack_object!(@ nullable);

                #[inline]
                fn read_option(
                    reader: &mut format::MemoryPackReader<'_>,
                ) -> Result<Option<Self>, DecodeError> {
                    let present = reader.read_optional_object_header(MEMBERS as u8)?;
                    present.map(|present| read_members(present, reader)).transpose()
                }
            }

            #[inline]
            fn read_members(
                present: u8,
                reader: &mut format::MemoryPackReader<'_>,
            ) -> Result<$object, DecodeError> {
                if usize::from(present) < MEMBERS {
                    return read_fewer_members(present, reader);
                }
                let [_, $($member),+] = const { RUNS };
                $(
                    reader.require($member)?;
                    let $member = reader.read()?;
                )+
                Ok($object { $($member),+ })
            }

            #[cold]
            fn read_fewer_members(
                mut left: u8,
                reader: &mut format::MemoryPackReader<'_>,
            ) -> Result<$object, DecodeError> {
                Ok($object { $($member: reader.read_member(&mut left)?),+ })
            }
        };
    };
    (version_tolerant $object:ident { $($member:ident: $type:ty),+ $(,)? }) => {
        const _: () = {
            use $crate::codec::memorypack as format;
            use $crate::codec::DecodeError;

            impl format::MemoryPackSerialize for $object {
                const SIZE: format::Size = format::Size::AtLeast(1);

                fn encoded_bytes(&self) -> usize {
                    let lengths = [$(self.$member.encoded_bytes()),+];
                    1 + lengths.into_iter().map(|length| format::member_length_bytes(length) + length).sum::<usize>()
                }

                fn write(&self, writer: &mut format::MemoryPackWriter<'_>) -> Result<(), format::EncodeError> {
                    writer.write_member_lengths(&[$(self.$member.encoded_bytes()),+])?;
                    $(writer.write(&self.$member)?;)+
                    Ok(())
                }
            }

            impl format::MemoryPackDeserialize for $object {
                const USUAL_BYTES: usize = 1 $(+ 1 + <$type as format::MemoryPackDeserialize>::USUAL_BYTES)+;

                fn read(reader: &mut format::MemoryPackReader<'_>) -> Result<Self, DecodeError> {
                    let null = reader.error($crate::codec::DecodeProblem::UnexpectedNull);
                    format::MemoryPackNullable::read_option(reader)?.ok_or(null)
                }
            }

            impl format::MemoryPackNullable for $object {
                $crate::memorypack_object!(@ nullable);

                fn read_option(
                    reader: &mut format::MemoryPackReader<'_>,
                ) -> Result<Option<Self>, DecodeError> {
                    let mut lengths = [0; format::MAX_MEMBERS as usize];
                    let Some(count) = reader.read_member_lengths(&mut lengths)? else { return Ok(None) };
                    let mut lengths = lengths[..count].iter().copied();
                    let object = $object {
                        $($member: reader.read_sized_member(lengths.next().unwrap_or(0))?),+
                    };
                    lengths.try_for_each(|length| reader.skip(length))?;
                    Ok(Some(object))
                }
            }
        };
    };
    (@ nullable) => {
        const OPTION_SIZE: format::Size = format::Size::AtLeast(1);

        #[inline]
        fn write_option(
            object: Option<&Self>,
            writer: &mut format::MemoryPackWriter<'_>,
        ) -> Result<(), format::EncodeError> {
            match object {
                Some(object) => writer.write(object),
                None => writer.write_null_object(),
            }
        }
    };
}
