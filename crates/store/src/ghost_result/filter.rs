//! Which stored results are asked for.

use super::outcome::{GhostMode, GhostVerdict};
use crate::database::entity::ghost_result::{self, Column};
use sea_orm::{
    ColumnTrait as _, Condition, EntityTrait as _, ModelTrait as _, QueryFilter as _,
    QuerySelect as _, QueryTrait as _, sea_query::SelectStatement,
};
use wiiiv_domain::{GhostResultId, ProviderName};

/// What all results of one suite have in common.
const OF_SUITE: [Column; 7] = [
    Column::Mode,
    Column::Seed,
    Column::Build,
    Column::PolicyHash,
    Column::PromptHash,
    Column::Provider,
    Column::Model,
];

/// All that is given has to fit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GhostFilter {
    pub scenario: Option<String>,
    pub mode: Option<GhostMode>,
    pub verdict: Option<GhostVerdict>,
    pub build: Option<String>,
    pub provider: Option<ProviderName>,
    pub model: Option<String>,
    /// Of the suite that this result is of.
    pub suite: Option<GhostResultId>,
    /// Of each suite its newest result that fits.
    pub one_per_suite: bool,
}

impl GhostFilter {
    /// By what is said of a result itself.
    pub(super) fn fits(&self) -> Condition {
        Condition::all()
            .add_option(self.scenario.as_deref().map(|it| Column::Scenario.eq(it)))
            .add_option(self.mode.map(|it| Column::Mode.eq(it)))
            .add_option(self.verdict.map(|it| Column::Verdict.eq(it)))
            .add_option(self.build.as_deref().map(|it| Column::Build.eq(it)))
            .add_option(self.provider.map(|it| Column::Provider.eq(it.as_str())))
            .add_option(self.model.as_deref().map(|it| Column::Model.eq(it)))
    }

    /// Their ids: those of results rise with time.
    pub(super) fn newest_of_suites(&self) -> SelectStatement {
        let fitting = ghost_result::Entity::find().filter(self.fits());
        let newest = fitting.select_only().expr(Column::Id.max());
        OF_SUITE.into_iter().fold(newest, |rows, column| rows.group_by(column)).into_query()
    }
}

/// Of the suite that this result is of.
pub(super) fn same_suite(result: &ghost_result::Model) -> Condition {
    let alike = |all: Condition, column: Column| all.add(column.eq(result.get(column)));
    OF_SUITE.into_iter().fold(Condition::all(), alike)
}
