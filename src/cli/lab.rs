//! What the lab can measure: its profiles, with its codecs on its models.

use std::fmt::Write;

use crate::codec::{self, Operation, Variant};
use crate::error::Result;
use crate::model::ModelKind;
use crate::plan::{Overrides, Plan};
use crate::{profile, report};

use super::catalog::{Catalog, Folders, OnlyProfile};

/// The lab's own profiles, and those in files of the user.
pub(super) struct Lab;

impl Catalog for Lab {
    fn program(&self) -> String {
        "alloclab".to_owned()
    }

    fn folders(&self) -> Folders {
        Folders { results: "out", baselines: "fixtures/baseline" }
    }

    fn only_profile(&self) -> Option<OnlyProfile<'_>> {
        None
    }

    fn names(&self) -> [(&'static str, Vec<String>); 4] {
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        [
            ("codec", owned(codec::all().iter().map(|codec| codec.name()).collect())),
            ("model", owned(ModelKind::ALL.map(ModelKind::name).into())),
            ("operation", owned(Operation::ALL.map(Operation::name).into())),
            ("variant", owned(Variant::ALL.map(Variant::name).into())),
        ]
    }

    fn plan(&self, profile: Option<&str>, overrides: &Overrides) -> Result<Plan> {
        profile::load(profile.unwrap_or_default(), overrides)
    }

    fn listing(&self) -> Result<String> {
        listing()
    }
}

fn listing() -> Result<String> {
    let profiles: Vec<_> = profile::list()?.into_iter().map(|entry| (entry.name, entry.title)).collect();
    let codecs = codec::all().iter().map(|codec| {
        (codec.name(), format!("stands for {}; {}", codec.stands_for(), codec.implementation()))
    });
    let codecs: Vec<_> = codecs.collect();
    let models = ModelKind::ALL.map(|model| (model.name(), fields(model).to_owned()));
    let variants = Variant::ALL.map(|variant| (variant.name(), meaning(variant).to_owned()));
    let formats = report::all().into_iter().map(|format| (format.name(), format.purpose().to_owned()));
    let formats: Vec<_> = formats.collect();
    let mut text = String::new();
    push_section(&mut text, "Profiles", &profiles);
    push_section(&mut text, "Codecs", &codecs);
    push_section(&mut text, "Models", &models);
    push_section(&mut text, "Variants", &variants);
    text += "  A row is named by codec, model and variant: `span simple span` is the codec `span` on the model `simple`, into\n  \
             or from a span, the caller's buffer. The variant is left out where nothing has to be told apart.\n";
    push_section(&mut text, "Formats", &formats);
    Ok(text)
}

fn fields(model: ModelKind) -> &'static str {
    match model {
        ModelKind::Simple => "id (i32), name (String), is_active (bool), created_at (DateTime), score (f64)",
        ModelKind::Nested => "id (i32), title (String), inner (a `simple` or none), timestamp (i64)",
        ModelKind::Fast => "the fields of `simple`; encodes itself, without reflection",
        ModelKind::Contact => "email, first_name, last_name (String), id (i32), phone (String), kind (i32)",
        ModelKind::Payload16 => "id (i32), name (String), items (16 times i32)",
        ModelKind::Payload128 => "the same, with 128 items",
        ModelKind::Payload1024 => "the same, with 1,024 items",
        ModelKind::User => "60,000 times id, gender (i32), birth_date (DateTime) and seven strings",
        ModelKind::Demo => {
            "10,000 times p1 (i32), p2 (bool), p3 (String), p4 (f64), p5 (i64), and 4 times these"
        }
    }
}

fn meaning(variant: Variant) -> &'static str {
    match variant {
        Variant::Span => "into or from a buffer of the caller",
        Variant::Pooled => "into a buffer from a pool, given back at once",
        Variant::Stream => "through a stream that is reused",
        Variant::Array => "into a new array, or from one",
        Variant::Fields => "through a reused stream; the model has plain fields in place of auto-properties",
        Variant::V2 => "as version 2 of the original works",
        Variant::V3 => "as version 3 of the original works",
        Variant::Ready => "through a file; the values were made before",
        Variant::Lazy => "through a file; the values are made within the operation",
        Variant::Borrowed => {
            "from a buffer of the caller; strings point into it, and lists where the codec can leave them there"
        }
        Variant::Unboxed => "like `span`, with members that are handed over without boxes",
        Variant::Cached => "like `span`, with a constructor that is looked up once",
        Variant::Reused => "like `stream`, with a serializer that is reused as its stream is",
        Variant::Batch => "many values through one writer or reader",
        Variant::Concurrent => "one value in each iteration of a parallel loop",
    }
}

fn push_section(text: &mut String, heading: &str, entries: &[(&str, String)]) {
    let between = if text.is_empty() { "" } else { "\n" };
    let _ = writeln!(text, "{between}{heading}");
    let width = entries.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, meaning) in entries {
        let _ = writeln!(text, "{}", format!("  {name:width$}  {meaning}").trim_end());
    }
}
