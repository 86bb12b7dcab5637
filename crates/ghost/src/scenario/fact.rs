//! Expectations as facts. The kinds are an enum, so that a new kind breaks the build of the judge.

use super::project::ServiceName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// About one turn, or about the whole run under the scenario's own `expect`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// How the (last) turn ended.
    Outcome(TurnOutcome),
    /// Steps of the flow in this order; others may come between.
    Flow(Vec<FlowFact>),
    /// Steps of the flow that did not occur.
    FlowLacks(Vec<FlowFact>),
    /// Slots that the last question of the window asked for, in any order; `[]`: none was asked.
    Asked(Vec<String>),
    /// Questions put before a person with a preview.
    Approvals(usize),
    /// The last consensus of DACS; `none`: there was no review.
    Dacs(DacsSeen),
    /// Codes of everything that was refused, in any order, each once; `[]`: nothing was refused.
    Deny(Vec<String>),
    /// Codes with which the server refused buttons, in order; `[]`: it refused none. Without this
    /// fact, a turn fails if one is refused.
    Refused(Vec<String>),
    /// Calls that reached a service, in any order, log-ins aside: these and no others.
    Calls(CallsFact),
    /// Rows that a service holds now.
    Rows(RowsFact),
    /// A file of the workspace.
    File(FileFact),
    /// Every file of the workspace, by path, in any order: these and no others.
    Files(Vec<String>),
    /// Records of the project's audit chain.
    Audit(AuditFact),
    /// Runs in the order in which they began; `[]`: none.
    Executions(Vec<RunState>),
    /// Ends of steps in this order; others may come between.
    Steps(Vec<StepFact>),
    /// A text that a reply, a question or a preview contains. Use other facts if one fits.
    ReplyContains(String),
    /// A text that none of them contains.
    ReplyLacks(String),
    /// A text that the last prompt of the window holds.
    PromptContains(String),
    /// A text that no prompt of the window holds.
    PromptLacks(String),
    /// File names of the passages that the last reply cites, in its order; `[]`: it cites none.
    Cites(Vec<String>),
    /// What is kept in mind now.
    Memory(MemoryFact),
    /// What the model may cost at most.
    Cost(CostFact),
}

impl Fact {
    /// Its key in a scenario file.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Outcome(_) => "outcome",
            Self::Flow(_) => "flow",
            Self::FlowLacks(_) => "flow_lacks",
            Self::Asked(_) => "asked",
            Self::Approvals(_) => "approvals",
            Self::Dacs(_) => "dacs",
            Self::Deny(_) => "deny",
            Self::Refused(_) => "refused",
            Self::Calls(_) => "calls",
            Self::Rows(_) => "rows",
            Self::File(_) => "file",
            Self::Files(_) => "files",
            Self::Audit(_) => "audit",
            Self::Executions(_) => "executions",
            Self::Steps(_) => "steps",
            Self::ReplyContains(_) => "reply_contains",
            Self::ReplyLacks(_) => "reply_lacks",
            Self::PromptContains(_) => "prompt_contains",
            Self::PromptLacks(_) => "prompt_lacks",
            Self::Cites(_) => "cites",
            Self::Memory(_) => "memory",
            Self::Cost(_) => "cost",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnOutcome {
    /// Also if the system asks for something that is missing.
    Done,
    /// A question with a preview waits for a person, or a step is in doubt.
    Pending,
    Denied,
    Error,
    Cancelled,
}

/// One step of the flow, as the decision strip shows it. A member that is left out matches anything.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowFact {
    /// `signal`, `proposed`, `verdict`, `shadowed`, `drawn`, `not_drawable`, `approved`, `refused`,
    /// `expired`, `ruling` or `finished`.
    pub input: String,
    /// The signal, the proposed action, the consensus, who is asked, the ruling or the run's end,
    /// in small letters.
    pub outcome: Option<String>,
    pub task_type: Option<String>,
    /// All of these are among the step's codes.
    #[serde(default)]
    pub codes: Vec<String>,
    /// The rules may put before others what it says is put before the person. No file says so.
    #[serde(skip)]
    pub or_others: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DacsSeen {
    Yes,
    Revision,
    No,
    None,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallsFact {
    pub service: ServiceName,
    /// `[]`: no call at all.
    pub exactly: Vec<CallFact>,
    /// How often the project logged in; any number if left out.
    pub logins: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallFact {
    pub method: String,
    /// Without a query.
    pub path: String,
    /// All of the query.
    #[serde(default)]
    pub query: BTreeMap<String, String>,
    /// Members that the JSON body has at least: objects may have more, lists may not.
    pub body: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowsFact {
    pub service: ServiceName,
    /// Such as `orders`.
    pub table: String,
    /// How many, exactly.
    pub count: usize,
    /// Counts only rows with these members.
    #[serde(rename = "where")]
    pub row: Option<Value>,
}

/// Exactly one of `json`, `json_file`, `rows`, `rows_file`, `contains`, `lacks`, `text`, `absent`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub struct FileFact {
    /// In the workspace, without a leading `/`.
    pub path: String,
    /// The file is this JSON, member order and white space aside.
    pub json: Option<Value>,
    /// The file is the JSON of this file, which lies beside the scenario: `expected/C01.json`.
    pub json_file: Option<String>,
    /// The file is a list of exactly so many rows, in any order, or an object of rows by name. Each row
    /// contains the values of one entry, in any member.
    pub rows: Option<Vec<Vec<Value>>>,
    /// The same from a file: `expected/C20-rows.json`.
    pub rows_file: Option<String>,
    /// The file is this text, byte for byte.
    pub text: Option<String>,
    /// The file contains this text.
    pub contains: Option<String>,
    /// The file exists and does not contain this text.
    pub lacks: Option<String>,
    /// `true`: there is no such file.
    #[serde(default)]
    pub absent: bool,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditFact {
    /// Such as `approval.given`.
    pub kind: String,
    /// How many, exactly.
    pub count: usize,
    /// Counts only records whose body has these members.
    #[serde(rename = "where")]
    pub body: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    Running,
    Indeterminate,
    Succeeded,
    Failed,
    Cancelled,
}

/// A member that is left out matches anything.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepFact {
    pub step: Option<String>,
    pub ok: bool,
    /// Why it did not happen, such as `SKIPPED`.
    pub code: Option<String>,
}

/// Whole texts, white space at the end aside. A member that is left out matches anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryFact {
    /// The person's own; `''`: nothing.
    pub user: Option<String>,
    /// The project's.
    pub project: Option<String>,
}

/// A member that is left out sets no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CostFact {
    pub tokens_max: Option<u64>,
    pub model_calls_max: Option<usize>,
}
