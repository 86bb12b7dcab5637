//! `policy override`: another policy for a while, by two people.

use crate::{
    args::{
        project::ProjectArg,
        words::{days, outside},
    },
    short_id::IdArg,
};
use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use std::path::PathBuf;
use wiiiv_domain::{OVERRIDE_SECONDS_MAX, OVERRIDE_SECONDS_MIN, TaskType};

const MINUTE_SECONDS: u32 = 60;
const HOUR_SECONDS: u32 = 60 * MINUTE_SECONDS;

#[derive(Debug, Subcommand)]
pub enum OverrideCommand {
    Propose(ProposeArgs),
    List {
        #[arg(long)]
        only_open: bool,
        #[command(flatten)]
        project: ProjectArg,
    },
    Show {
        #[arg(value_name = "OVERRIDE")]
        of_override: IdArg,
        #[arg(long, value_name = "DAYS", value_parser = days)]
        replay: Option<u32>,
        #[command(flatten)]
        project: ProjectArg,
    },
    Approve {
        #[arg(value_name = "OVERRIDE")]
        of_override: IdArg,
        #[command(flatten)]
        project: ProjectArg,
    },
    End {
        #[arg(value_name = "OVERRIDE")]
        of_override: IdArg,
        #[arg(long, value_name = "TEXT")]
        reason: String,
        #[command(flatten)]
        project: ProjectArg,
    },
}

#[derive(Debug, Args)]
pub struct ProposeArgs {
    pub file: PathBuf,
    #[arg(long = "scope", id = "override_scope", value_name = "SCOPE", value_parser = scopes())]
    pub scope: Scope,
    #[arg(long = "for", id = "override_for", value_name = "TIME", value_parser = seconds)]
    pub seconds: u32,
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    #[arg(long, value_name = "VERSION")]
    pub expected: Option<String>,
    #[command(flatten)]
    pub project: ProjectArg,
}

/// As the server calls it: the kind, and the task type of the kind `type`.
#[derive(Debug, Clone)]
pub struct Scope {
    pub kind: &'static str,
    pub task_type: Option<String>,
}

/// What is taken is told where something else is given.
fn scopes() -> impl TypedValueParser<Value = Scope> {
    let tasks = TaskType::ALL.map(TaskType::as_str);
    let words = ["request", "window"].into_iter().chain(tasks);
    PossibleValuesParser::new(words).try_map(|given| scope(&given))
}

fn scope(text: &str) -> Result<Scope, String> {
    match text {
        "request" => Ok(Scope { kind: "request", task_type: None }),
        "window" => Ok(Scope { kind: "window", task_type: None }),
        task if TaskType::ALL.iter().any(|known| known.as_str() == task) => {
            Ok(Scope { kind: "type", task_type: Some(task.to_owned()) })
        }
        _ => Err("`request`, `window` or a task type, as FILE_WRITE".to_owned()),
    }
}

/// `90m`, `2h`, or seconds.
fn seconds(text: &str) -> Result<u32, String> {
    let (number, unit) = match (text.strip_suffix('h'), text.strip_suffix('m')) {
        (Some(hours), _) => (hours, HOUR_SECONDS),
        (None, Some(minutes)) => (minutes, MINUTE_SECONDS),
        (None, None) => (text, 1),
    };
    let number: Option<u32> = number.parse().ok();
    let seconds = number.and_then(|number| number.checked_mul(unit));
    let fits = |seconds: &u32| (OVERRIDE_SECONDS_MIN..=OVERRIDE_SECONDS_MAX).contains(seconds);
    let least = OVERRIDE_SECONDS_MIN / MINUTE_SECONDS;
    let most = OVERRIDE_SECONDS_MAX / HOUR_SECONDS;
    seconds.filter(fits).ok_or_else(|| outside(text, &format!("{least}m..={most}h")))
}

#[cfg(test)]
mod tests {
    use super::{scope, seconds};

    #[test]
    fn a_time_is_in_minutes_or_hours_and_a_scope_may_be_a_task_type() {
        for (text, due) in [("90m", Some(5_400)), ("2h", Some(7_200)), ("60", Some(60))] {
            assert_eq!(seconds(text).ok(), due, "{text}");
        }
        for odd in ["", "h", "2d", "-1m", "59", "73h", "99999999h", "1.5h"] {
            assert!(seconds(odd).is_err(), "{odd}");
        }
        let read = |text| scope(text).map(|scope| (scope.kind, scope.task_type));
        assert_eq!(read("window"), Ok(("window", None)));
        assert_eq!(read("FILE_WRITE"), Ok(("type", Some("FILE_WRITE".to_owned()))));
        assert!(read("file_write").is_err() && read("type").is_err());
    }
}
