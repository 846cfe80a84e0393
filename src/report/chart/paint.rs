//! Pictures become files.

use std::io;
use std::path::Path;

use plotters::backend::{BitMapBackend, SVGBackend};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, IntoTextStyle, RGBColor, ShapeStyle, WHITE};

use super::font;
use super::picture::{Anchor, Picture, Shape};

/// Pixels of a PNG for each of the picture's: screens show two.
pub(super) const PNG_SCALE: f64 = 2.0;

/// How far down text goes in a PNG, in its own size: the font's box, which is centered there, has more room above.
const PNG_DROP: f64 = 0.1;

/// Writes a picture as SVG.
pub(super) fn write_svg(picture: &Picture, path: &Path) -> io::Result<()> {
    let mut text = String::new();
    let mut backend = SVGBackend::with_string(&mut text, size(picture, 1.0));
    draw(&mut backend, picture, 1.0, 0.0)?;
    drop(backend);
    std::fs::write(path, text)
}

/// Writes a picture as PNG; the path has to end in `.png`.
pub(super) fn write_png(picture: &Picture, path: &Path) -> io::Result<()> {
    let mut backend = BitMapBackend::new(path, size(picture, PNG_SCALE));
    draw(&mut backend, picture, PNG_SCALE, PNG_DROP)
}

fn size(picture: &Picture, scale: f64) -> (u32, u32) {
    ((picture.width * scale) as u32, (picture.height * scale) as u32)
}

fn draw<B: DrawingBackend<ErrorType: 'static>>(
    backend: &mut B,
    picture: &Picture,
    scale: f64,
    drop: f64,
) -> io::Result<()> {
    let (width, height) = size(picture, scale);
    backend
        .draw_rect((0, 0), (width as i32, height as i32), &WHITE.filled(), true)
        .map_err(io::Error::other)?;
    for shape in &picture.shapes {
        draw_shape(backend, shape, scale, drop)?;
    }
    backend.present().map_err(io::Error::other)
}

fn draw_shape<B: DrawingBackend<ErrorType: 'static>>(
    backend: &mut B,
    shape: &Shape,
    scale: f64,
    drop: f64,
) -> io::Result<()> {
    let at = |x: f64, y: f64| ((x * scale).round() as i32, (y * scale).round() as i32);
    let drawn = match *shape {
        Shape::Bar { x, y, width, height, color } => {
            backend.draw_rect(at(x, y), at(x + width, y + height), &color.filled(), true)
        }
        Shape::Frame { x, y, width, height, color } => {
            backend.draw_rect(at(x, y), at(x + width, y + height), &stroke(color, scale), false)
        }
        Shape::Line { from, to, color } => {
            backend.draw_line(at(from.0, from.1), at(to.0, to.1), &stroke(color, scale))
        }
        Shape::Text { at: (x, y), ref text, size, anchor, color } => {
            let style =
                font::of_size(size * scale).into_text_style(&(1, 1)).color(&color).pos(position(anchor));
            backend.draw_text(text, &style, at(x, y + drop * size))
        }
        Shape::UpwardText { at: (x, y), ref text, size, color } => {
            let font = font::of_size(size * scale).transform(FontTransform::Rotate270);
            let style = font.into_text_style(&(1, 1)).color(&color).pos(position(Anchor::Middle));
            backend.draw_text(text, &style, at(x, y))
        }
    };
    drawn.map_err(io::Error::other)
}

fn stroke(color: RGBColor, scale: f64) -> ShapeStyle {
    color.stroke_width(scale.round() as u32)
}

fn position(anchor: Anchor) -> Pos {
    let horizontal = match anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    Pos::new(horizontal, VPos::Center)
}
