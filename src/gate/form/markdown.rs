//! A summary for a pull request.

use super::sentence::{advice, calls, figures, headline, metric, verdict};
use crate::gate::{CaseJudgement, Judgement};
use crate::report::{Grid, Part, Row, to_markdown};

pub(super) fn render(judgements: &[&Judgement]) -> String {
    let parts: Vec<Part> = judgements.iter().flat_map(|judgement| parts(judgement)).collect();
    to_markdown(&parts)
}

fn parts(judgement: &Judgement) -> Vec<Part> {
    let mut parts = vec![Part::Title(headline(judgement))];
    for case in &judgement.cases {
        parts.push(Part::Text(format!("`{}` {}", case.case.replace('`', "'"), verdict(case))));
        parts.push(Part::Grid(metrics(case)));
        if !case.sites.is_empty() {
            parts.push(Part::Grid(sites(case)));
        }
    }
    parts.extend(advice(judgement).map(Part::Text));
    parts
}

fn metrics(case: &CaseJudgement) -> Grid {
    let mut grid = Grid::new(&["Per operation", "Baseline -> measured"]);
    for judged in &case.metrics {
        grid.rows.push(Row::Cells(vec![judged.metric.to_owned(), metric(judged)]));
    }
    for limit in &case.limits {
        let exceeded = format!("{} is exceeded: {}", limit.allowed, limit.measured);
        grid.rows.push(Row::Cells(vec![limit.limit.to_owned(), exceeded]));
    }
    grid
}

fn sites(case: &CaseJudgement) -> Grid {
    let mut grid = Grid::new(&["Type, and who allocates it", "Baseline -> measured"]);
    for site in &case.sites {
        grid.rows.push(Row::Cells(vec![site.owner.clone(), figures(&site.sides)]));
        grid.rows.extend(calls(site).into_iter().map(Row::Detail));
    }
    grid
}
