//! Functions with their places in the source, in a line that fits.

use super::width::{shorten, width_of};

/// A few calls in a row, innermost first, behind a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Calls {
    pub(super) before: String,
    pub(super) calls: Vec<Call>,
}

/// A function, and where in it the next inner one is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(super) function: String,
    pub(super) location: Option<String>,
}

impl Calls {
    /// The line as it is.
    pub(super) fn whole(&self) -> String {
        self.line(|call| call.function.clone())
    }

    /// The line in so many columns: functions give way, first their paths, then their middles; places stay whole.
    pub(super) fn fit(&self, width: usize) -> String {
        let whole = self.whole();
        if width_of(&whole) <= width {
            return whole;
        }
        let named = self.line(|call| brief(&call.function));
        if width_of(&named) <= width {
            return named;
        }
        let fixed = width_of(&self.line(|_| String::new()));
        let room = width.saturating_sub(fixed) / self.calls.len().max(1);
        shorten(&self.line(|call| shorten(&brief(&call.function), room)), width)
    }

    fn line(&self, name: impl Fn(&Call) -> String) -> String {
        let calls: Vec<String> = self
            .calls
            .iter()
            .map(|call| match &call.location {
                Some(location) => format!("{}  {location}", name(call)),
                None => name(call),
            })
            .collect();
        format!("{}{}", self.before, calls.join(" ← "))
    }
}

/// A function's name without the modules in front: `<a::b::Type as Trait>::name` is `<Type as Trait>::name`; of a function
/// outside of types, its own module stays.
pub(super) fn brief(function: &str) -> String {
    let mut brief = String::with_capacity(function.len());
    let mut rest = function;
    while !rest.is_empty() {
        let end = rest.find(|letter: char| !is_of_path(letter)).unwrap_or(rest.len());
        brief += own_name(&rest[..end]);
        let next = rest[end..].find(is_of_path).map_or(rest.len(), |start| end + start);
        brief += &rest[end..next];
        rest = &rest[next..];
    }
    brief
}

fn is_of_path(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | ':' | '{' | '}' | '#')
}

/// The end of a path: from its last type on, or else its last two names.
fn own_name(path: &str) -> &str {
    let starts: Vec<usize> =
        std::iter::once(0).chain(path.match_indices("::").map(|(index, _)| index + 2)).collect();
    // What follows a closing bracket begins with `::` and has no modules in front.
    if path.starts_with(':') || starts.len() < 2 {
        return path;
    }
    let is_type = |start: &usize| path[*start..].starts_with(char::is_uppercase);
    let from = starts.iter().rev().find(|start| is_type(start)).copied();
    &path[from.unwrap_or(starts[starts.len() - 2])..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brief_name_has_no_modules_in_front() {
        for (function, expected) in [
            ("main", "main"),
            ("codec::binary::composite::write_members", "composite::write_members"),
            ("codec::binary::handler::Host::write", "Host::write"),
            (
                "<codec::binary::composite::BinaryComposite as Handler>::write",
                "<BinaryComposite as Handler>::write",
            ),
            ("codec::dotnet::collections::List<MemberInfo>::add", "List<MemberInfo>::add"),
            ("codec::span::cases::write::{closure#1}", "write::{closure#1}"),
            ("Päth::漢字::f", "Päth::漢字::f"),
        ] {
            assert_eq!(brief(function), expected);
        }
    }

    #[test]
    fn places_stay_whole_while_functions_give_way() {
        let call = |function: &str, location: &str| Call {
            function: function.into(),
            location: Some(location.into()),
        };
        let calls = Calls {
            before: "  ".into(),
            calls: vec![
                call("codec::dotnet::f", "boxed.rs:34"),
                call("codec::binary::g", "composite.rs:120"),
            ],
        };
        assert_eq!(calls.fit(100), "  codec::dotnet::f  boxed.rs:34 ← codec::binary::g  composite.rs:120");
        assert_eq!(calls.fit(60), "  dotnet::f  boxed.rs:34 ← binary::g  composite.rs:120");
        let narrow = calls.fit(45);
        assert!(narrow.contains("boxed.rs:34") && narrow.contains("composite.rs:120"), "{narrow}");
        assert!(width_of(&narrow) <= 45 && width_of(&calls.fit(12)) <= 12, "{narrow}");
    }
}
