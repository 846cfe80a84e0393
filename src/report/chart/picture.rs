//! A chart as shapes: laid out once, drawn as SVG and as PNG.

use plotters::style::{RGBColor, WHITE};

/// Shapes on a canvas; coordinates in pixels from the upper left corner.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) shapes: Vec<Shape>,
}

/// Something to draw.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A filled rectangle.
    Bar { x: f64, y: f64, width: f64, height: f64, color: RGBColor },
    /// A rectangle's outline.
    Frame { x: f64, y: f64, width: f64, height: f64, color: RGBColor },
    /// A straight line.
    Line { from: (f64, f64), to: (f64, f64), color: RGBColor },
    /// A line through several points.
    Path { points: Vec<(f64, f64)>, color: RGBColor },
    /// A mark.
    Dot { at: (f64, f64), color: RGBColor },
    /// A line of text.
    Text(Label),
}

/// A line of text.
#[derive(Clone, Debug)]
pub(super) struct Label {
    /// Its anchor, on its middle height.
    pub(super) at: (f64, f64),
    pub(super) text: String,
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) color: RGBColor,
    /// Whether it is read from below.
    pub(super) upward: bool,
}

/// Which point of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

impl Anchor {
    /// Where a text of a width begins.
    pub(super) fn left_of(self, x: f64, width: f64) -> f64 {
        match self {
            Self::Start => x,
            Self::Middle => x - width / 2.0,
            Self::End => x - width,
        }
    }
}

impl Picture {
    pub(super) fn new(width: f64) -> Self {
        Self { width, height: 0.0, shapes: Vec::new() }
    }

    pub(super) fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), color: RGBColor) {
        self.shapes.push(Shape::Bar { x, y, width, height, color });
    }

    pub(super) fn frame(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), color: RGBColor) {
        self.shapes.push(Shape::Frame { x, y, width, height, color });
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), color: RGBColor) {
        self.shapes.push(Shape::Line { from, to, color });
    }

    pub(super) fn path(&mut self, points: Vec<(f64, f64)>, color: RGBColor) {
        self.shapes.push(Shape::Path { points, color });
    }

    pub(super) fn dot(&mut self, at: (f64, f64), color: RGBColor) {
        self.shapes.push(Shape::Dot { at, color });
    }

    pub(super) fn text(
        &mut self,
        at: (f64, f64),
        text: impl Into<String>,
        size: f64,
        anchor: Anchor,
        color: RGBColor,
    ) {
        let text = printable(text.into());
        self.shapes.push(Shape::Text(Label { at, text, size, anchor, color, upward: false }));
    }

    /// A text that lines of a grid do not cross.
    pub(super) fn text_over_lines(
        &mut self,
        (x, y): (f64, f64),
        text: impl Into<String>,
        size: f64,
        anchor: Anchor,
        color: RGBColor,
    ) {
        let text = text.into();
        let width = super::font::width_of(&text, size);
        let left = anchor.left_of(x, width);
        self.bar((left - 2.0, y - size / 2.0), (width + 4.0, size), WHITE);
        self.text((x, y), text, size, anchor, color);
    }

    /// A text that is read from below; `at` is its middle.
    pub(super) fn upward_text(
        &mut self,
        at: (f64, f64),
        text: impl Into<String>,
        size: f64,
        color: RGBColor,
    ) {
        let text = printable(text.into());
        self.shapes.push(Shape::Text(Label { at, text, size, anchor: Anchor::Middle, color, upward: true }));
    }
}

/// XML has no place for control characters, nor for what is no character.
fn printable(text: String) -> String {
    text.replace(|letter: char| letter.is_control() || matches!(letter, '\u{FFFE}' | '\u{FFFF}'), " ")
}
