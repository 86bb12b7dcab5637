//! The runs that a model needs before there is a verdict, and for which kinds of tasks.

use serde::Serialize;
use std::collections::BTreeSet;
use wiiiv_domain::{
    Confirmation, ProjectPolicy,
    StepType::{
        self, ApiCall as CALLS, FileDelete as DELETES, FileRead as READS, FileWrite as WRITES,
        Transform as MAKES, WebFetch as FETCHES,
    },
    TaskType::{
        self, ApiWorkflow as API, FileDelete as DELETE, FileRead as READ, FileWrite as WRITE,
        ProjectCreate as PROJECT, WebFetch as WEB, WorkflowCreate as WORKFLOW,
    },
};

/// A scenario that a real model can be played with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed<'a> {
    pub id: &'a str,
    /// What it speaks for.
    pub task_types: &'a [TaskType],
    /// Of the plans that are drawn in it.
    pub step_types: &'a [StepType],
    /// It has stages that this build does not have: PARTIAL at best, and so it is not counted.
    pub partial: bool,
}

/// Why a scenario cannot be played under the rules of a policy as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "why", content = "of")]
pub enum Barred {
    /// They do not allow steps that it needs.
    StepType(StepType),
    /// They ask for a yes that nobody says in it, or for none where somebody says it.
    Confirmation(TaskType),
}

impl Listed<'_> {
    /// `None`: it can be played.
    #[must_use]
    pub fn barred_by(&self, rules: &ProjectPolicy) -> Option<Barred> {
        let missing = |of: &StepType| !rules.allowed_step_types.contains(of);
        let asked_otherwise =
            |of: &TaskType| asked(rules.confirmation_of(*of)) != asked(of.default_confirmation());
        let step = self.step_types.iter().copied().find(missing);
        let task = self.task_types.iter().copied().find(asked_otherwise);
        step.map(Barred::StepType).or(task.map(Barred::Confirmation))
    }
}

/// Whether a plan that only reads needs a yes, and whether another one does; risk aside.
const fn asked(when: Confirmation) -> (bool, bool) {
    match when {
        Confirmation::Always => (true, true),
        Confirmation::UnlessRead => (false, true),
        Confirmation::Risky | Confirmation::Never => (false, false),
    }
}

/// Scenarios, the one that no model may fail, and how many of the others it has to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suite<'a> {
    pub scenarios: &'a [Listed<'a>],
    pub smoke: &'a str,
    /// Of those that count, in each repeat.
    pub green_percent: u8,
    /// Fewer say nothing of a model for all kinds of tasks together.
    pub counted_min: usize,
}

/// Those that speak for one kind of task, or for all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chosen<'a> {
    pub(super) counted: BTreeSet<&'a str>,
    /// Left out: they have stages that this build does not have.
    pub(super) excluded: BTreeSet<&'a str>,
    /// `None`: the rules do not let it be played.
    pub(super) smoke: Option<&'a str>,
    pub(super) smoke_is_partial: bool,
    pub(super) green_percent: usize,
}

impl<'a> Suite<'a> {
    /// `None`: for all kinds of tasks together.
    pub(super) fn of(self, task: Option<TaskType>) -> Chosen<'a> {
        let speaks = |one: &&Listed<'_>| task.is_none_or(|task| one.task_types.contains(&task));
        let ids = |partial| {
            let of = self.scenarios.iter().filter(speaks).filter(move |one| one.partial == partial);
            of.map(|one| one.id).collect()
        };
        let smoke = self.scenarios.iter().find(|one| one.id == self.smoke);
        Chosen {
            counted: ids(false),
            excluded: ids(true),
            smoke: smoke.map(|one| one.id),
            smoke_is_partial: smoke.is_some_and(|one| one.partial),
            green_percent: usize::from(self.green_percent),
        }
    }

    /// What of it can be played under these rules, and why the rest cannot.
    #[must_use]
    pub fn under(self, rules: &ProjectPolicy) -> (Vec<Listed<'a>>, Vec<(Listed<'a>, Barred)>) {
        let (mut played, mut barred) = (Vec::new(), Vec::new());
        for one in self.scenarios {
            match one.barred_by(rules) {
                None => played.push(*one),
                Some(why) => barred.push((*one, why)),
            }
        }
        (played, barred)
    }

    /// Scenarios that speak for it, or for all kinds of tasks, and are left out of the count.
    #[must_use]
    pub fn excluded(self, task: Option<TaskType>) -> Vec<&'a str> {
        self.of(task).excluded.into_iter().collect()
    }

    /// Whether any scenario speaks for it, be it a partial one.
    #[must_use]
    pub fn speaks_for(self, task: TaskType) -> bool {
        self.scenarios.iter().any(|one| one.task_types.contains(&task))
    }
}

const fn whole<'a>(
    id: &'a str,
    task_types: &'a [TaskType],
    step_types: &'a [StepType],
) -> Listed<'a> {
    Listed { id, task_types, step_types, partial: false }
}

const fn part<'a>(
    id: &'a str,
    task_types: &'a [TaskType],
    step_types: &'a [StepType],
) -> Listed<'a> {
    Listed { id, task_types, step_types, partial: true }
}

/// Of this build: those of `ghost-scenarios/` that do not rest on what a recorded model does wrong. A test
/// holds it equal to `task_types`, `step_types` and `pending` of the files.
pub const SUITE: Suite<'static> = Suite {
    scenarios: &[
        whole("C01", &[API], &[CALLS]),
        whole("C01-EN", &[API], &[CALLS]),
        whole("C03", &[WRITE, API], &[WRITES, CALLS, MAKES]),
        whole("C04", &[WRITE, API], &[WRITES, CALLS, MAKES]),
        whole("C05", &[API], &[WRITES, CALLS, MAKES]),
        whole("C07", &[WRITE, API], &[WRITES, CALLS, MAKES]),
        whole("C08", &[API], &[WRITES, CALLS, MAKES]),
        whole("C09", &[READ, WRITE], &[READS, WRITES]),
        whole("C09-EN", &[READ, WRITE], &[READS, WRITES]),
        whole("C10", &[WRITE, API], &[WRITES, CALLS, MAKES]),
        whole("C11", &[READ, WRITE], &[READS, WRITES]),
        whole("C12", &[WRITE, API], &[WRITES, CALLS, MAKES]),
        whole("C13", &[API], &[CALLS]),
        whole("C14", &[API], &[WRITES, CALLS, MAKES]),
        whole("C15", &[API], &[CALLS]),
        whole("C16", &[API], &[CALLS]),
        whole("C17", &[WRITE, API], &[WRITES, CALLS, MAKES]),
        whole("C19", &[WRITE, API], &[WRITES, CALLS, MAKES]),
        whole("C20", &[API], &[WRITES, CALLS, MAKES]),
        whole("C21", &[API], &[WRITES, CALLS, MAKES]),
        whole("C22", &[API], &[WRITES, CALLS, MAKES]),
        whole("C23", &[API], &[WRITES, CALLS, MAKES]),
        whole("C24", &[API], &[CALLS]),
        whole("C25", &[WRITE, API], &[WRITES, CALLS, MAKES]),
        whole("C26", &[READ, WRITE, API], &[READS, WRITES, CALLS, MAKES]),
        whole("C27", &[API], &[CALLS]),
        whole("C29", &[API], &[WRITES, CALLS, MAKES]),
        part("C30", &[READ, API, WORKFLOW], &[READS, WRITES, CALLS, MAKES]),
        whole("G01", &[WRITE], &[WRITES]),
        whole("G02", &[WRITE], &[WRITES]),
        whole("G03", &[WRITE, DELETE], &[WRITES, DELETES]),
        whole("G04", &[READ, WRITE, DELETE], &[WRITES]),
        whole("G05", &[WRITE, API], &[WRITES, CALLS, MAKES]),
        whole("G06", &[WRITE], &[WRITES]),
        whole("G07", &[WRITE], &[WRITES]),
        whole("G08", &[WRITE], &[WRITES]),
        whole("G09", &[API], &[WRITES, CALLS, MAKES]),
        whole("G10", &[API], &[CALLS]),
        whole("G11", &[WRITE], &[WRITES]),
        whole("G12", &[DELETE, API], &[WRITES, DELETES, CALLS, MAKES]),
        whole("G13", &[WRITE], &[WRITES]),
        whole("G14", &[WRITE], &[WRITES]),
        whole("G15", &[WRITE, API], &[WRITES, CALLS, MAKES]),
        whole("G17", &[WRITE], &[WRITES]),
        whole("G18", &[WRITE], &[WRITES]),
        whole("G19", &[READ, WRITE], &[READS, WRITES]),
        whole("W01", &[WEB], &[FETCHES]),
        whole("W03", &[WRITE, WEB], &[WRITES, FETCHES]),
        whole("W05", &[WEB], &[WRITES, FETCHES]),
        whole("W06", &[WEB], &[FETCHES]),
        whole("Y07", &[WRITE, API], &[WRITES, CALLS, MAKES]),
        whole("Y07-EN", &[WRITE, API], &[WRITES, CALLS, MAKES]),
        whole("Y08", &[API], &[WRITES, CALLS, MAKES]),
        whole("Y09", &[API], &[WRITES, CALLS, MAKES]),
        whole("Y11", &[API], &[CALLS]),
        whole("Y12", &[API], &[WRITES, CALLS, MAKES]),
        whole("Y14", &[API], &[CALLS]),
        whole("Y16", &[API], &[WRITES, CALLS, MAKES]),
        part("Z02", &[WRITE, API, PROJECT, WORKFLOW], &[WRITES, CALLS, MAKES]),
    ],
    smoke: "Z02",
    green_percent: ProjectPolicy::MINIMUM_GREEN,
    counted_min: 10,
};
