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
