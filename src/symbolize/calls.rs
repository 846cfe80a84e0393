//! Which function a call instruction calls: tail calls take frames away, but the instruction still names the function.

use super::image::Image;

/// The start of the function that the instruction before a return address calls, where the instruction says so.
///
/// Two forms of x86-64 do: `call rel32`, and `call [rip + rel32]` through a slot that the loader fills in. The bytes
/// before an address can be read in more than one way, so only starts of functions are believed.
pub(super) fn target(image: &Image, return_address: u64) -> Option<u64> {
    if cfg!(not(target_arch = "x86_64")) {
        return None;
    }
    let [opcode @ .., a, b, c, d] = image.code_before::<6>(return_address)?;
    let offset = i64::from(i32::from_le_bytes([a, b, c, d]));
    let place = return_address.wrapping_add_signed(offset);
    let direct = (opcode[1] == 0xe8).then_some(place);
    let indirect = || if opcode == [0xff, 0x15] { image.pointer_at(place) } else { None };
    let starts_function = |address: &u64| image.function_from(*address).is_some();
    direct.filter(starts_function).or_else(|| indirect().filter(starts_function))
}

#[cfg(test)]
mod tests {
    use super::{Image, target};

    /// A call at 0x1000, and functions at 0x2000 and 0x3000.
    fn image(code: &[u8]) -> Image {
        Image::from_parts(&[0x2000..0x2010, 0x3000..0x3010], (0x1000, code), &[(0x4000, 0x3000)])
    }

    #[test]
    fn a_direct_call_names_the_function() {
        let image = image(&[0x90, 0xe8, 0xfa, 0x0f, 0, 0]);
        assert_eq!(target(&image, 0x1006), Some(0x2000));
    }

    #[test]
    fn a_call_through_a_slot_names_the_function_that_the_slot_points_to() {
        let image = image(&[0xff, 0x15, 0xfa, 0x2f, 0, 0]);
        assert_eq!(target(&image, 0x1006), Some(0x3000));
    }

    #[test]
    fn calls_into_the_middle_of_a_function_and_calls_by_register_name_nothing() {
        for code in
            [[0x90, 0xe8, 0xfb, 0x0f, 0, 0], [0xff, 0x15, 0, 0, 0, 0], [0x90, 0x90, 0x90, 0x90, 0xff, 0xd0]]
        {
            assert_eq!(target(&image(&code), 0x1006), None);
        }
        assert_eq!(target(&image(&[0xe8]), 0x1001), None);
    }
}
