//! Text for the terminal.

use super::sentence::{advice, calls, figures, headline, metric, shown, verdict};
use crate::gate::{CaseJudgement, Judgement};

pub(super) fn render(judgements: &[&Judgement]) -> String {
    let mut lines = Vec::new();
    for judgement in judgements {
        lines.push(headline(judgement));
        for case in &judgement.cases {
            lines.push(String::new());
            push_case(&mut lines, case);
        }
        if let Some(advice) = advice(judgement) {
            lines.push(String::new());
            lines.extend(advice.lines().map(str::to_owned));
        }
    }
    lines.iter().map(|line| shown(line) + "\n").collect()
}

fn push_case(lines: &mut Vec<String>, case: &CaseJudgement) {
    lines.push(format!("{} {}", case.case, verdict(case)));
    for judged in &case.metrics {
        lines.push(format!("    {:<22}{}", judged.metric, metric(judged)));
    }
    for limit in &case.limits {
        lines.push(format!("    {:<22} = {} is exceeded: {}", limit.limit, limit.allowed, limit.measured));
    }
    for site in &case.sites {
        lines.push(format!("    {}: {}", site.owner, figures(&site.sides)));
        lines.extend(calls(site).into_iter().map(|call| format!("        {call}")));
    }
}
