//! GitHub's workflow commands: an error or a notice at a line of the source, or of the baseline.
//!
//! <https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions>

use super::sentence::{advice, calls, figures, headline, metric, verdict};
use crate::gate::{CaseJudgement, Judgement};

pub(super) fn render(judgements: &[&Judgement]) -> String {
    judgements.iter().map(|judgement| commands(judgement)).collect()
}

fn commands(judgement: &Judgement) -> String {
    let level = if judgement.passed { "notice" } else { "error" };
    let message = [Some(headline(judgement)), advice(judgement)].into_iter().flatten().collect::<Vec<_>>();
    let title = format!("alloclab check {}", judgement.profile);
    let mut commands = command(level, &judgement.baseline, 1, &title, &message.join("\n"));
    for case in &judgement.cases {
        let level = if case.fails { "error" } else { "notice" };
        let (file, line) = place(judgement, case);
        let title = format!("{} {}", case.case, verdict(case));
        commands += &command(level, file, line, &title, &told(case).join("\n"));
    }
    commands
}

/// Where the largest difference is made, else where the baseline has the case.
fn place<'a>(judgement: &'a Judgement, case: &'a CaseJudgement) -> (&'a str, usize) {
    let places = case.sites.iter().flat_map(|site| &site.places);
    let parsed = places.filter_map(|place| {
        let (file, line) = place.rsplit_once(':')?;
        // GitHub knows files from the root on.
        Some((file.strip_prefix("./").unwrap_or(file), line.parse().ok()?))
    });
    let mut parsed = parsed;
    parsed.next().unwrap_or((&judgement.baseline, case.line.unwrap_or(1)))
}

fn told(case: &CaseJudgement) -> Vec<String> {
    let metrics = case.metrics.iter().map(|judged| format!("{} {}", judged.metric, metric(judged)));
    let limits = case
        .limits
        .iter()
        .map(|limit| format!("{} = {} is exceeded: {}", limit.limit, limit.allowed, limit.measured));
    let sites = case.sites.iter().flat_map(|site| {
        let head = format!("{}: {}", site.owner, figures(&site.sides));
        std::iter::once(head).chain(calls(site).into_iter().map(|call| format!("  {call}")))
    });
    metrics.chain(limits).chain(sites).collect()
}

fn command(level: &str, file: &str, line: usize, title: &str, message: &str) -> String {
    format!("::{level} file={},line={line},title={}::{}\n", property(file), property(title), data(message))
}

/// A message: what would end it is written in another way.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property: what would end it, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
