//! Pictures become files.

use std::io;
use std::path::Path;

use plotters::backend::{BitMapBackend, SVGBackend};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, IntoTextStyle, RGBColor, ShapeStyle, WHITE,
};

use super::font;
use super::picture::{Anchor, Label, Picture, Shape};

/// Pixels of a PNG for each of the picture's: screens show two.
const PNG_SCALE: f64 = 2.0;
/// How wide a line through points is.
const PATH_WIDTH: f64 = 2.0;
/// The radius of a mark.
const DOT: f64 = 3.5;

/// Writes a picture as SVG.
pub(super) fn write_svg(picture: &Picture, path: &Path) -> io::Result<()> {
    let mut text = String::new();
    draw(&mut SVGBackend::with_string(&mut text, size(picture, 1.0)), picture, 1.0, name_font)?;
    std::fs::write(path, text)
}

/// Writes a picture as PNG; the path has to end in `.png`.
pub(super) fn write_png(picture: &Picture, path: &Path) -> io::Result<()> {
    draw(&mut BitMapBackend::new(path, size(picture, PNG_SCALE)), picture, PNG_SCALE, set_letters)
}

fn size(picture: &Picture, scale: f64) -> (u32, u32) {
    ((picture.width * scale) as u32, (picture.height * scale) as u32)
}

/// Draws all shapes; each kind of file has its own way to write text.
fn draw<B: DrawingBackend<ErrorType: 'static>>(
    backend: &mut B,
    picture: &Picture,
    scale: f64,
    write: impl Fn(&mut B, &Label) -> io::Result<()>,
) -> io::Result<()> {
    let (width, height) = size(picture, scale);
    backend
        .draw_rect((0, 0), (width as i32, height as i32), &WHITE.filled(), true)
        .map_err(io::Error::other)?;
    for shape in &picture.shapes {
        draw_shape(backend, shape, scale, &write)?;
    }
    backend.present().map_err(io::Error::other)
}

fn draw_shape<B: DrawingBackend<ErrorType: 'static>>(
    backend: &mut B,
    shape: &Shape,
    scale: f64,
    write: impl Fn(&mut B, &Label) -> io::Result<()>,
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
        Shape::Path { ref points, color } => {
            let points: Vec<_> = points.iter().map(|&(x, y)| at(x, y)).collect();
            backend.draw_path(points, &stroke(color, PATH_WIDTH * scale))
        }
        Shape::Dot { at: (x, y), color } => {
            let radius = |pixels: f64| (pixels * scale).round() as u32;
            // A white edge keeps it apart from what it stands on.
            backend
                .draw_circle(at(x, y), radius(DOT + 1.0), &WHITE.filled(), true)
                .and_then(|()| backend.draw_circle(at(x, y), radius(DOT), &color.filled(), true))
        }
        Shape::Text(ref label) => return write(backend, label),
    };
    drawn.map_err(io::Error::other)
}

fn stroke(color: RGBColor, scale: f64) -> ShapeStyle {
    color.stroke_width(scale.round() as u32)
}

/// An SVG names a family of fonts, which whoever shows it has.
fn name_font(backend: &mut SVGBackend<'_>, label: &Label) -> io::Result<()> {
    let transform = if label.upward { FontTransform::Rotate270 } else { FontTransform::None };
    let font = FontDesc::new(FontFamily::SansSerif, label.size, FontStyle::Normal).transform(transform);
    let horizontal = match label.anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    let style = font.into_text_style(&(1, 1)).color(&label.color).pos(Pos::new(horizontal, VPos::Center));
    let at = (label.at.0.round() as i32, label.at.1.round() as i32);
    backend.draw_text(&label.text, &style, at).map_err(io::Error::other)
}

/// A PNG gets the letters that come with the crate.
fn set_letters(backend: &mut BitMapBackend<'_>, label: &Label) -> io::Result<()> {
    let size = label.size * PNG_SCALE;
    let begin = label.anchor.left_of(0.0, font::width_of(&label.text, size)).round() as i32;
    let (x, y) = ((label.at.0 * PNG_SCALE).round() as i32, (label.at.1 * PNG_SCALE).round() as i32);
    let mut drawn = Ok(());
    font::set(&label.text, size, |(along, across), covered| {
        let along = begin + along;
        let at = if label.upward { (x + across, y - along) } else { (x + along, y + across) };
        let dot = backend.draw_pixel(at, label.color.mix(covered).to_backend_color());
        drawn = std::mem::replace(&mut drawn, Ok(())).and(dot);
    });
    drawn.map_err(io::Error::other)
}
