//! Keys by their names, with what the browser wants to know of each.

use serde_json::{Value, json};

/// Keys that type nothing or a control character: name, code of the key, number of it, what it types.
const NAMED: [(&str, &str, u32, &str); 14] = [
    ("Enter", "Enter", 13, "\r"),
    ("Tab", "Tab", 9, ""),
    ("Escape", "Escape", 27, ""),
    ("Backspace", "Backspace", 8, ""),
    ("Delete", "Delete", 46, ""),
    ("Home", "Home", 36, ""),
    ("End", "End", 35, ""),
    ("PageUp", "PageUp", 33, ""),
    ("PageDown", "PageDown", 34, ""),
    ("ArrowLeft", "ArrowLeft", 37, ""),
    ("ArrowUp", "ArrowUp", 38, ""),
    ("ArrowRight", "ArrowRight", 39, ""),
    ("ArrowDown", "ArrowDown", 40, ""),
    (" ", "Space", 32, " "),
];

/// What `Input.dispatchKeyEvent` wants of a key: a name of the web's, or the character that it types; `Shift+` and others
/// may stand before it.
#[track_caller]
pub(super) fn event(key: &str) -> Value {
    let (modifiers, key) = match key.rsplit_once('+') {
        Some((modifiers, key)) if !key.is_empty() => (modifiers.split('+').map(modifier).sum(), key),
        _ => (0, key),
    };
    let (code, number, text) = NAMED
        .iter()
        .find(|(name, ..)| *name == key)
        .map(|&(_, code, number, text)| (code.to_owned(), number, text))
        .unwrap_or_else(|| character(key));
    // With these held, a key is a command and types nothing.
    let text = if modifiers & (ALT | CONTROL) == 0 { text } else { "" };
    json!({ "key": key, "code": code, "windowsVirtualKeyCode": number, "text": text, "modifiers": modifiers })
}

const ALT: u32 = 1;
const CONTROL: u32 = 2;
const SHIFT: u32 = 8;

#[track_caller]
fn modifier(name: &str) -> u32 {
    match name {
        "Alt" => ALT,
        "Control" => CONTROL,
        "Shift" => SHIFT,
        other => panic!("expected Alt, Control or Shift before a key, not `{other}`"),
    }
}

#[track_caller]
fn character(key: &str) -> (String, u32, &str) {
    let mut characters = key.chars();
    let (Some(one), None) = (characters.next(), characters.next()) else {
        panic!("expected one character or a name of {:?}, not `{key}`", NAMED.map(|named| named.0));
    };
    let upper = one.to_ascii_uppercase();
    let code = match upper {
        'A'..='Z' => format!("Key{upper}"),
        '0'..='9' => format!("Digit{upper}"),
        _ => String::new(),
    };
    (code, if upper.is_ascii_alphanumeric() { upper.into() } else { 0 }, key)
}
