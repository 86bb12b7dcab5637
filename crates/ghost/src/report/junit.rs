//! `JUnit` XML.

use super::Tally;
use crate::{player::RunReport, verdict::Verdict};
use std::fmt::Write as _;

/// One test suite with one test case a run.
#[must_use]
pub fn junit(reports: &[RunReport]) -> String {
    let tally = Tally::of(reports);
    let seconds = |ms: u64| format!("{}.{:03}", ms / 1_000, ms % 1_000);
    let total = reports.iter().map(|report| report.duration_ms).sum();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let head = format!(
        "<testsuite name=\"ghost\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\">",
        reports.len(),
        tally.fail,
        tally.error,
        tally.partial,
        seconds(total),
    );
    xml.push_str(&head);
    xml.push('\n');
    for report in reports {
        let name = escaped(&format!("{} #{}", report.name(), report.repeat));
        let time = seconds(report.duration_ms);
        let inner = match &report.verdict {
            Verdict::Pass => String::new(),
            Verdict::Fail { first } => tag("failure", &first.to_string()),
            Verdict::Error { why } => tag("error", why),
            Verdict::Partial { stages } => tag("skipped", &stages.join("; ")),
        };
        // Writing into a `String` does not fail.
        let _ = writeln!(
            xml,
            "  <testcase classname=\"ghost.{}\" name=\"{name}\" time=\"{time}\">{inner}</testcase>",
            report.mode,
        );
    }
    xml.push_str("</testsuite>\n");
    xml
}

fn tag(name: &str, message: &str) -> String {
    format!("<{name} message=\"{}\"/>", escaped(message))
}

/// Characters that XML 1.0 cannot hold are left out.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        coverage::Visited,
        player::Mode,
        report::{matrix, sort},
        verdict::Violated,
    };

    fn report(scenario: &str, repeat: u32, verdict: Verdict) -> RunReport {
        RunReport {
            scenario: scenario.to_owned(),
            mode: Mode::Replay,
            variant: String::new(),
            repeat,
            verdict,
            duration_ms: 1_234,
            seed: 1,
            build: "b".to_owned(),
            policy_hash: String::new(),
            prompt_hash: String::new(),
            provider: None,
            model: "m".to_owned(),
            revision: None,
            invariants: None,
            kills: Vec::new(),
            said: Vec::new(),
            answers: Vec::new(),
            visited: Visited::default(),
        }
    }

    fn reports() -> Vec<RunReport> {
        let first = Violated::new("files", "<a & \"b\">\u{1}", 1).in_turn(2);
        vec![
            report("C03", 1, Verdict::Fail { first }),
            report("C01", 2, Verdict::Error { why: "x".to_owned() }),
            report("C01", 1, Verdict::Pass),
            report("C30", 1, Verdict::Partial { stages: vec!["s".to_owned()] }),
        ]
    }

    #[test]
    fn the_xml_holds_every_run_and_no_raw_text() {
        let xml = junit(&reports());
        assert!(
            xml.contains("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"4.936\"")
        );
        assert!(xml.contains("&lt;a &amp; \\&quot;b\\&quot;&gt;"), "{xml}");
        assert_eq!(xml.matches("<testcase").count(), 4);
    }

    #[test]
    fn the_matrix_has_one_line_a_scenario() {
        let lines = matrix(&reports());
        assert_eq!(
            lines,
            ["C01  .E  1/2  1234 ms", "C03  F  0/1  1234 ms", "C30  ~  1/1  1234 ms",]
        );
    }

    #[test]
    fn a_suite_with_a_failure_is_not_good() {
        let mut reports = reports();
        let tally = Tally::of(&reports);
        assert_eq!((tally.pass, tally.partial, tally.fail, tally.error), (1, 1, 1, 1));
        assert!(!tally.is_good());
        sort(&mut reports);
        assert_eq!(reports[0].repeat, 1);
        reports.retain(|report| report.verdict.is_good());
        assert!(Tally::of(&reports).is_good());
        assert!(!Tally::of(&[]).is_good(), "nothing was played");
    }
}
