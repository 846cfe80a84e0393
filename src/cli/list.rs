//! `alloclab list`: what there is to choose from.

use std::fmt::Write;

use alloclab::{codec, model::ModelKind, profile, report};

use super::outcome::Outcome;
use super::output::print;

pub(super) fn run() -> anyhow::Result<Outcome> {
    print(&listing()?)?;
    Ok(Outcome::Fine)
}

fn listing() -> anyhow::Result<String> {
    let profiles: Vec<_> = profile::list()?.into_iter().map(|entry| (entry.name, entry.title)).collect();
    let codecs = codec::all().map(|codec| (codec.name(), format!("stands for {}", codec.stands_for())));
    let models = ModelKind::ALL.map(|model| (model.name(), String::new()));
    let formats = report::all().map(|format| (format.name(), format.purpose().to_owned()));
    let mut text = String::new();
    push_section(&mut text, "Profiles", &profiles);
    push_section(&mut text, "Codecs", &codecs);
    push_section(&mut text, "Models", &models);
    push_section(&mut text, "Formats", &formats);
    Ok(text)
}

fn push_section(text: &mut String, heading: &str, entries: &[(&str, String)]) {
    let between = if text.is_empty() { "" } else { "\n" };
    let _ = writeln!(text, "{between}{heading}");
    let width = entries.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, meaning) in entries {
        let _ = writeln!(text, "{}", format!("  {name:width$}  {meaning}").trim_end());
    }
}
