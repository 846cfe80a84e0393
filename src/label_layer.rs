//! Labels that follow the spans of `tracing`.

use std::fmt::{self, Write};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::{LookupSpan, SpanRef};

use crate::recorder::{Label, enter_for, leave_for, relabel_for};

/// A layer by which a thread has a [`Label`] while it is in a span: the name of the span.
///
/// A future that is instrumented with a span is in it whenever it is polled, and only then, on whatever thread: what it
/// allocates has the span's label, and what other tasks allocate meanwhile has not. When a thread leaves a span, in
/// whatever order, it has the label of the innermost span, or of the innermost [scope](Label::enter), that it still is in.
///
/// The layer allocates nothing when a span is entered or left. What the registry allocates for spans counts as what the
/// program does, under the label that the thread has then: the memory of a new span, a stack of spans for each thread.
/// So does what this layer keeps of a span with a field that was asked for [by name](Self::by_field): a block when the
/// span is made. Spans that a filter turns off give no label.
///
/// # Examples
/// ```
/// use alloclab::label_layer::LabelLayer;
/// use alloclab::recorder::Label;
/// use tracing::{info_span, subscriber};
/// use tracing_subscriber::layer::SubscriberExt;
///
/// let layer = LabelLayer::new().by_field("route");
/// subscriber::with_default(tracing_subscriber::registry().with(layer), || {
///     let _request = info_span!("request", route = "/users").entered();
///     assert_eq!(Label::current(), Some(Label::new("request{route=/users}")));
///     info_span!("render").in_scope(|| assert_eq!(Label::current(), Some(Label::new("render"))));
/// });
/// ```
#[derive(Clone, Debug, Default)]
pub struct LabelLayer {
    fields: Vec<String>,
}

impl LabelLayer {
    /// Labels spans by their names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Labels spans that have this field by its value too: `request{route=/users}`. Of several fields that were asked for, the
    /// first that a span has is taken.
    ///
    /// The value may be recorded later than the span is made; until then the label is the span's name. A label of more
    /// than 256 bytes is cut, and ends with `…}`. Every value is a label of its own, of which there is [room](Label::new)
    /// for some thousands: take a field whose values are few.
    ///
    /// # Examples
    /// ```
    /// use alloclab::label_layer::LabelLayer;
    /// use alloclab::recorder::Label;
    /// use tracing::{field, info_span, subscriber};
    /// use tracing_subscriber::layer::SubscriberExt;
    ///
    /// let layer = LabelLayer::new().by_field("status");
    /// subscriber::with_default(tracing_subscriber::registry().with(layer), || {
    ///     let span = info_span!("respond", status = field::Empty).entered();
    ///     assert_eq!(Label::current(), Some(Label::new("respond")));
    ///     span.record("status", 404);
    ///     assert_eq!(Label::current(), Some(Label::new("respond{status=404}")));
    /// });
    /// ```
    #[must_use]
    pub fn by_field(mut self, name: impl Into<String>) -> Self {
        self.fields.push(name.into());
        self
    }

    /// The field whose value is a part of the labels of such spans.
    fn field(&self, metadata: &Metadata<'_>) -> Option<Field> {
        self.fields.iter().find_map(|name| metadata.fields().field(name.as_str()))
    }
}

/// Kept with a span whose label is more than its name.
struct SpanLabel(Label);

impl<S> Layer<S> for LabelLayer
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(field) = self.field(span.metadata()) {
            let mut value = ValueOf::new(field, span.name());
            attributes.record(&mut value);
            value.keep(&span);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(field) = self.field(span.metadata()) {
            let mut value = ValueOf::new(field, span.name());
            values.record(&mut value);
            value.keep(&span);
        }
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let kept = self.field(span.metadata()).and_then(|_| Some(span.extensions().get::<SpanLabel>()?.0));
        enter_for(id.into_u64(), kept.unwrap_or_else(|| Label::new(span.name())));
    }

    fn on_exit(&self, id: &Id, _context: Context<'_, S>) {
        leave_for(id.into_u64());
    }
}

/// Makes a label of a span's name and the value of one of its fields.
struct ValueOf {
    field: Field,
    name: &'static str,
    label: Option<Label>,
}

impl ValueOf {
    fn new(field: Field, name: &'static str) -> Self {
        Self { field, name, label: None }
    }

    /// Keeps the label, if there was a value, with the span, and gives it to the thread if it is in the span.
    fn keep<'a, S: LookupSpan<'a>>(self, span: &SpanRef<'a, S>) {
        if let Some(label) = self.label {
            span.extensions_mut().replace(SpanLabel(label));
            relabel_for(span.id().into_u64(), label);
        }
    }

    fn see(&mut self, field: &Field, value: fmt::Arguments<'_>) {
        if *field == self.field {
            let mut text = Text::default();
            let is_cut = write!(text, "{}{{{field}={value}", self.name).is_err();
            self.label = Some(Label::new(text.finish(if is_cut { "…}" } else { "}" })));
        }
    }
}

impl Visit for ValueOf {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.see(field, format_args!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.see(field, format_args!("{value}"));
    }
}

/// Bytes of a label with a value before its end, at most.
const TEXT_BYTES: usize = 252;

/// Bytes that the end takes, at most.
const END_BYTES: usize = 4;

/// A text that takes no memory from the allocator, and is cut where its room ends.
struct Text {
    bytes: [u8; TEXT_BYTES + END_BYTES],
    length: usize,
}

impl Default for Text {
    fn default() -> Self {
        Self { bytes: [0; TEXT_BYTES + END_BYTES], length: 0 }
    }
}

impl Text {
    fn push(&mut self, text: &str) {
        self.bytes[self.length..][..text.len()].copy_from_slice(text.as_bytes());
        self.length += text.len();
    }

    /// The text, with an end of at most [`END_BYTES`].
    fn finish(&mut self, end: &str) -> &str {
        self.push(end);
        str::from_utf8(&self.bytes[..self.length]).expect("whole letters were written")
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let whole = text.floor_char_boundary(TEXT_BYTES - self.length);
        self.push(&text[..whole]);
        if whole == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}
