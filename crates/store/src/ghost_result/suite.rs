//! The runs that a model needs before there is a verdict, and for which kinds of tasks.

use std::collections::BTreeSet;
use wiiiv_domain::TaskType::{
    self, ApiWorkflow as API, FileDelete as DELETE, FileRead as READ, FileWrite as WRITE,
    ProjectCreate as PROJECT, WebFetch as WEB, WorkflowCreate as WORKFLOW,
};

/// A scenario that a real model can be played with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed<'a> {
    pub id: &'a str,
    /// What it speaks for.
    pub task_types: &'a [TaskType],
    /// It has stages that this build does not have: PARTIAL at best, and so it is not counted.
    pub partial: bool,
}

/// Scenarios, and the one that no model may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suite<'a> {
    pub scenarios: &'a [Listed<'a>],
    pub smoke: &'a str,
}

/// Those that speak for one kind of task, or for all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chosen<'a> {
    pub(super) counted: BTreeSet<&'a str>,
    /// Left out: they have stages that this build does not have.
    pub(super) excluded: BTreeSet<&'a str>,
    pub(super) smoke: &'a str,
    pub(super) smoke_is_partial: bool,
}

impl<'a> Suite<'a> {
    /// `None`: for all kinds of tasks together.
    pub(super) fn of(self, task: Option<TaskType>) -> Chosen<'a> {
        let speaks = |one: &&Listed<'_>| task.is_none_or(|task| one.task_types.contains(&task));
        let ids = |partial| {
            let of = self.scenarios.iter().filter(speaks).filter(move |one| one.partial == partial);
            of.map(|one| one.id).collect()
        };
        let partial = |one: &Listed<'_>| one.partial && one.id == self.smoke;
        Chosen {
            counted: ids(false),
            excluded: ids(true),
            smoke: self.smoke,
            smoke_is_partial: self.scenarios.iter().any(partial),
        }
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

const fn whole<'a>(id: &'a str, task_types: &'a [TaskType]) -> Listed<'a> {
    Listed { id, task_types, partial: false }
}

const fn part<'a>(id: &'a str, task_types: &'a [TaskType]) -> Listed<'a> {
    Listed { id, task_types, partial: true }
}

/// Of this build: those of `ghost-scenarios/` that do not rest on what a recorded model does wrong. A test
/// holds it equal to `task_types` and `pending` of the files.
pub const SUITE: Suite<'static> = Suite {
    scenarios: &[
        whole("C01", &[API]),
        whole("C01-EN", &[API]),
        whole("C03", &[WRITE, API]),
        whole("C04", &[WRITE, API]),
        whole("C05", &[API]),
        whole("C07", &[WRITE, API]),
        whole("C08", &[API]),
        whole("C09", &[READ, WRITE]),
        whole("C09-EN", &[READ, WRITE]),
        whole("C10", &[WRITE, API]),
        whole("C11", &[READ, WRITE]),
        whole("C12", &[WRITE, API]),
        whole("C13", &[API]),
        whole("C14", &[API]),
        whole("C15", &[API]),
        whole("C16", &[API]),
        whole("C17", &[WRITE, API]),
        whole("C19", &[WRITE, API]),
        whole("C20", &[API]),
        whole("C21", &[API]),
        whole("C22", &[API]),
        whole("C23", &[API]),
        whole("C24", &[API]),
        whole("C25", &[WRITE, API]),
        whole("C26", &[READ, WRITE, API]),
        whole("C27", &[API]),
        whole("C29", &[API]),
        part("C30", &[READ, API, WORKFLOW]),
        whole("G01", &[WRITE]),
        whole("G02", &[WRITE]),
        whole("G03", &[WRITE, DELETE]),
        whole("G04", &[READ, WRITE, DELETE]),
        whole("G05", &[WRITE, API]),
        whole("G06", &[WRITE]),
        whole("G07", &[WRITE]),
        whole("G08", &[WRITE]),
        whole("G09", &[API]),
        whole("G10", &[API]),
        whole("G11", &[WRITE]),
        whole("G12", &[DELETE, API]),
        whole("G13", &[WRITE]),
        whole("G14", &[WRITE]),
        whole("G15", &[WRITE, API]),
        whole("G17", &[WRITE]),
        whole("G18", &[WRITE]),
        whole("G19", &[READ, WRITE]),
        whole("W01", &[WEB]),
        whole("W03", &[WRITE, WEB]),
        whole("W05", &[WEB]),
        whole("W06", &[WEB]),
        whole("Y07", &[WRITE, API]),
        whole("Y07-EN", &[WRITE, API]),
        whole("Y08", &[API]),
        whole("Y09", &[API]),
        whole("Y11", &[API]),
        whole("Y12", &[API]),
        whole("Y14", &[API]),
        whole("Y16", &[API]),
        part("Z02", &[WRITE, API, PROJECT, WORKFLOW]),
    ],
    smoke: "Z02",
};
