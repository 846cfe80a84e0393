//! JSON laid out so that differences between two files read themselves: one row, one line.

use std::fmt::Write;

use serde_json::Value;

/// How deep the figures of a case stand: below, a row of a list takes one line.
const ROW_DEPTH: usize = 4;

/// The text of a value, with a line break at its end.
pub(super) fn lay_out(value: &Value) -> String {
    let mut text = String::new();
    push_value(&mut text, value, 0, false);
    text.push('\n');
    text
}

fn push_value(text: &mut String, value: &Value, depth: usize, in_list: bool) {
    match value {
        _ if takes_one_line(value, depth, in_list) => push_line(text, value),
        Value::Array(items) => push_lines(text, depth, ['[', ']'], items.iter().map(|item| (None, item))),
        Value::Object(fields) => {
            push_lines(
                text,
                depth,
                ['{', '}'],
                fields.iter().map(|(name, field)| (Some(name.as_str()), field)),
            );
        }
        scalar => push_line(text, scalar),
    }
}

/// Rows below a case's lists do, and so do rows elsewhere that hold no further list.
fn takes_one_line(value: &Value, depth: usize, in_list: bool) -> bool {
    match value {
        Value::Array(items) => items.is_empty() || depth >= ROW_DEPTH,
        Value::Object(fields) => {
            fields.is_empty() || depth >= ROW_DEPTH || (in_list && fields.values().all(is_scalar))
        }
        _ => true,
    }
}

fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

fn push_lines<'a>(
    text: &mut String,
    depth: usize,
    [open, close]: [char; 2],
    items: impl Iterator<Item = (Option<&'a str>, &'a Value)>,
) {
    text.push(open);
    for (index, (name, item)) in items.enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        push_indent(text, depth + 1);
        if let Some(name) = name {
            push_name(text, name);
        }
        push_value(text, item, depth + 1, name.is_none());
    }
    text.push('\n');
    push_indent(text, depth);
    text.push(close);
}

fn push_line(text: &mut String, value: &Value) {
    match value {
        Value::Array(items) => {
            text.push('[');
            // Stacks are long lists of numbers: without spaces a file is a tenth smaller.
            let comma = if items.iter().all(Value::is_number) { "," } else { ", " };
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { comma });
                push_line(text, item);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            text.push_str("{ ");
            for (index, (name, field)) in fields.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { ", " });
                push_name(text, name);
                push_line(text, field);
            }
            text.push_str(" }");
        }
        scalar => write!(text, "{scalar}").expect("a String takes any text"),
    }
}

fn push_name(text: &mut String, name: &str) {
    write!(text, "{}: ", Value::from(name)).expect("a String takes any text");
}

fn push_indent(text: &mut String, depth: usize) {
    text.extend(std::iter::repeat_n(' ', depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_list_take_one_line_and_the_rest_a_line_each() {
        let value = serde_json::json!({
            "title": "a \"quoted\" title",
            "cases": [{ "time": { "mean_ns": 1.5 }, "types": [{ "sites": [1, 2] }, { "sites": [] }] }],
            "frames": [{ "function": "f", "location": null }]
        });
        let expected = r#"{
 "title": "a \"quoted\" title",
 "cases": [
  {
   "time": {
    "mean_ns": 1.5
   },
   "types": [
    { "sites": [1,2] },
    { "sites": [] }
   ]
  }
 ],
 "frames": [
  { "function": "f", "location": null }
 ]
}
"#;
        assert_eq!(lay_out(&value), expected);
        assert_eq!(serde_json::from_str::<Value>(&lay_out(&value)).unwrap(), value);
    }
}
