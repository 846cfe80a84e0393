//! Results as a page holds them: every figure of the file, in less room.
//!
//! Rows are lists whose zeros at the end are left out; texts, functions and stacks stand in the page once, whichever run they
//! are of. What follows from other figures is left out as well, unless the file says otherwise. `script/data.js` is the reader.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::stacks::Stacks;
use super::texts::Texts;
use crate::error::{Error, ErrorKind, Result};
use crate::report::chart::palette::Palette;
use crate::results::{
    Case, CaseDifference, CaseKey, Change, Difference, Figures, Frame, HeapEvent, Results, Sides,
    SiteDifference, SiteRow, TypeRow,
};

/// What a page holds.
pub(super) struct Data(Value);

impl Data {
    /// The data of one run.
    pub(super) fn of(results: &Results) -> Result<Self> {
        let mut writer = Writer::default();
        let colors = writer.colors(&[results]);
        let runs = vec![writer.run(results)?];
        Ok(writer.finish(colors, runs, Value::Null))
    }

    /// The data of an old and a new run, and of what differs between them.
    pub(super) fn between(old: &Results, new: &Results, difference: &Difference) -> Result<Self> {
        let mut writer = Writer::default();
        let colors = writer.colors(&[old, new]);
        let runs = vec![writer.run(old)?, writer.run(new)?];
        let difference = writer.difference(old, new, difference);
        Ok(writer.finish(colors, runs, difference))
    }

    /// The data as JSON that an element of a page can hold: nothing in it can end that element or begin another.
    pub(super) fn to_json(&self) -> String {
        let mut safe = String::new();
        for character in self.0.to_string().chars() {
            match character {
                '<' => safe.push_str("\\u003c"),
                '>' => safe.push_str("\\u003e"),
                '&' => safe.push_str("\\u0026"),
                '\u{2028}' => safe.push_str("\\u2028"),
                '\u{2029}' => safe.push_str("\\u2029"),
                usual => safe.push(usual),
            }
        }
        safe
    }
}

#[derive(Default)]
struct Writer {
    texts: Texts,
    frames: Vec<[usize; 2]>,
    frame_indices: HashMap<Frame, usize>,
    stacks: Stacks,
}

impl Writer {
    fn finish(self, colors: Vec<Value>, runs: Vec<Value>, difference: Value) -> Data {
        Data(json!({
            "texts": self.texts.into_texts(),
            "frames": self.frames,
            "stacks": self.stacks.into_value(),
            "colors": colors,
            "runs": runs,
            "difference": difference,
        }))
    }

    /// The types that have a color of their own, which they have in all runs.
    fn colors(&mut self, runs: &[&Results]) -> Vec<Value> {
        let types = Palette::of_runs(runs).types().into_iter();
        types.map(|(name, color)| json!([self.texts.index_of(name), [color.0, color.1, color.2]])).collect()
    }

    fn run(&mut self, results: &Results) -> Result<Value> {
        let frames: Vec<usize> = results.frames.iter().map(|frame| self.frame(frame)).collect();
        let cases: Result<Vec<Value>> = results.cases.iter().map(|case| self.case(case, &frames)).collect();
        Ok(json!({
            "profile": results.profile,
            "title": results.title,
            "see_also": results.see_also,
            "partial": results.partial,
            "environment": plain(&results.environment)?,
            "finding": crate::report::finding(results),
            "notes": crate::report::section::notes::lines(results),
            "cases": cases?,
        }))
    }

    /// A function's place among those of all runs.
    fn frame(&mut self, frame: &Frame) -> usize {
        if let Some(&index) = self.frame_indices.get(frame) {
            return index;
        }
        self.frames.push([self.texts.index_of(&frame.function), self.texts.after(frame.location.as_deref())]);
        self.frame_indices.insert(frame.clone(), self.frames.len() - 1);
        self.frames.len() - 1
    }

    /// A case's own figures as they are in the file, and its lists in less room.
    fn case(&mut self, case: &Case, frames: &[usize]) -> Result<Value> {
        let bare = Case {
            types: Vec::new(),
            sites: Vec::new(),
            heap_events: Vec::new(),
            heap_run: Vec::new(),
            ..case.clone()
        };
        let mut value = plain(&bare)?;
        let run: [Vec<i128>; 2] = [
            case.heap_run.iter().map(|sample| sample.operations.into()).collect(),
            case.heap_run.iter().map(|sample| sample.live_bytes.into()).collect(),
        ];
        value["label"] = CaseKey::of(case).to_string().into();
        value["types"] = case.types.iter().map(|row| self.type_row(row)).collect();
        value["sites"] = case.sites.iter().map(|site| self.site(case, site, frames)).collect();
        value["heap_events"] = events(&case.heap_events);
        value["heap_run"] = plain(&run)?;
        Ok(value)
    }

    fn type_row(&mut self, row: &TypeRow) -> Value {
        let blocks: Vec<Value> = row
            .block_types
            .iter()
            .map(|block| {
                json!([self.texts.index_of(&block.name), block.allocations, block.reallocations, block.bytes])
            })
            .collect();
        json!([
            self.texts.index_of(&row.name),
            self.texts.index_of(&row.path),
            self.texts.after(row.dotnet.as_deref()),
            row.kind,
            row.merged,
            row.allocations,
            row.reallocations,
            row.bytes,
            row.allocations_per_op,
            row.reallocations_per_op,
            row.bytes_per_op,
            row.percent,
            row.modelled_dotnet_bytes_per_op,
            blocks,
            row.sites,
        ])
    }

    fn site(&mut self, case: &Case, site: &SiteRow, frames: &[usize]) -> Value {
        let stack = site.frames.iter().filter_map(|&frame| frames.get(frame as usize).copied());
        without_zeros(vec![
            json!(site.type_index),
            json!(self.texts.index_of(&site.block_type)),
            json!(self.stacks.index_of(stack)),
            json!(site.own_frame.map_or(0, |own| u64::from(own) + 1)),
            json!(site.allocations),
            json!(site.bytes),
            json!(site.lifetime_sum),
            json!(site.mean_lifetime),
            json!(site.reallocations),
            json!(self.texts.after(site.label.as_deref())),
            json!(u8::from(site.truncated)),
            json!(site.peak_bytes),
            json!(site.peak_blocks),
            json!(site.live_bytes),
            json!(site.live_blocks),
            unusual(case, site),
        ])
    }

    fn difference(&mut self, old: &Results, new: &Results, difference: &Difference) -> Value {
        let place = |results: &Results, key: &CaseKey| {
            results.cases.iter().position(|case| CaseKey::of(case) == *key)
        };
        let cases: Vec<Value> = difference
            .cases
            .iter()
            .map(|case| json!([place(old, &case.case), place(new, &case.case), self.case_difference(case)]))
            .collect();
        let old_places: Vec<_> = difference.only_old.iter().map(|key| place(old, key)).collect();
        let new_places: Vec<_> = difference.only_new.iter().map(|key| place(new, key)).collect();
        json!({
            "cases": cases, "unchanged": difference.unchanged, "only_old": old_places, "only_new": new_places,
        })
    }

    fn case_difference(&mut self, case: &CaseDifference) -> Value {
        let types: Vec<Value> = case
            .types
            .iter()
            .map(|row| {
                json!([self.texts.index_of(&row.name), self.texts.index_of(&row.path), sides(&row.sides)])
            })
            .collect();
        let sites: Vec<Value> = case.sites.iter().map(|row| self.site_difference(row)).collect();
        json!({
            "operations": case.operations,
            "whole": sides(&Sides { old: Some(case.old), new: Some(case.new) }),
            "types": types,
            "unchanged_types": case.unchanged_types,
            "sites": sites,
            "unchanged_sites": case.unchanged_sites,
        })
    }

    fn site_difference(&mut self, row: &SiteDifference) -> Value {
        let stack: Vec<usize> = row.stack.iter().map(|frame| self.frame(frame)).collect();
        json!([self.texts.index_of(&row.owner), self.stacks.index_of(stack.into_iter()), sides(&row.sides)])
    }
}

/// Figures of a site that do not follow from its counts, as the file has them; 0 where they do.
fn unusual(case: &Case, site: &SiteRow) -> Value {
    let operations = case.iterations.max(1) as f64;
    let all = case.totals.allocated_bytes.saturating_add(case.totals.grown_bytes);
    let percent = if all == 0 { 0.0 } else { 100.0 * site.bytes as f64 / all as f64 };
    let usual = [site.allocations as f64 / operations, site.bytes as f64 / operations, percent];
    let figures = [site.allocations_per_op, site.bytes_per_op, site.percent];
    if figures == usual { json!(0) } else { json!(figures) }
}

/// Each different event once, and which of them happened one after the other.
fn events(events: &[HeapEvent]) -> Value {
    let mut kinds: Vec<Value> = Vec::new();
    let mut indices: HashMap<[u64; 5], usize> = HashMap::new();
    let order: Vec<usize> = events
        .iter()
        .map(|event| {
            let figures = [
                event.kind as u64,
                event.type_index.into(),
                event.bytes,
                event.former_type_index.into(),
                event.former_bytes,
            ];
            *indices.entry(figures).or_insert_with(|| {
                kinds.push(without_zeros(figures.map(|figure| json!(figure)).to_vec()));
                kinds.len() - 1
            })
        })
        .collect();
    json!([kinds, order])
}

/// Old, new, and what changed: the place of its name in the reader's list.
fn sides(sides: &Sides) -> Value {
    let change = sides.change().map_or(0, |change| match change {
        Change::Appeared => 1,
        Change::Grew => 2,
        Change::Shrank => 3,
        Change::Gone => 4,
    });
    json!([sides.old.map(figures), sides.new.map(figures), change])
}

fn figures(figures: Figures) -> Value {
    let counts = figures.counts.map(|counts| [counts.allocations, counts.reallocations, counts.bytes]);
    json!([figures.allocations_per_op, figures.reallocations_per_op, figures.bytes_per_op, counts])
}

fn without_zeros(mut row: Vec<Value>) -> Value {
    while row.last().is_some_and(|last| last.as_f64() == Some(0.0)) {
        row.pop();
    }
    row.into()
}

fn plain(value: &impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(|source| {
        Error::new(ErrorKind::Malformed, "the results cannot be written as JSON").with_source(source)
    })
}
