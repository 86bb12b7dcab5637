//! Plans that touch a system or a path, with their questions and runs.

use crate::{
    database::entity::{approval, blueprint, blueprint_text, execution},
    error::StoreError,
    run::blueprint::StoredBlueprint,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
    QueryTrait as _,
};
use uuid::Uuid;
use wiiiv_domain::{Arg, Blueprint, BlueprintId, ProjectId, StepParams, SystemName};

/// Plans of one project that are looked at, newest first.
const PLANS_MAX: usize = 2_000;
/// Of those, whose texts are in memory at the same time.
const PAGE_PLANS: u64 = 16;
/// Of all texts that one search reads; it ends with the page that passes it.
const READ_BYTES_MAX: usize = 32 * 1024 * 1024;

/// What a plan has to touch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touch {
    /// A system by its registered name or its host, in any case.
    pub system: Option<String>,
    /// Part of a workspace path, in any case.
    pub path: Option<String>,
}

impl Touch {
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.system.is_none() && self.path.is_none()
    }
}

impl Store {
    /// Of the project's newest plans: [`PLANS_MAX`], fewer where their texts are long.
    pub async fn plans_touching(
        &self,
        project: ProjectId,
        touch: &Touch,
    ) -> Result<Vec<BlueprintId>, StoreError> {
        let (mut found, mut before) = (Vec::new(), None);
        let (mut plans, mut bytes) = (0, 0);
        while plans < PLANS_MAX && bytes < READ_BYTES_MAX {
            let ids = self.newest_plans(project, before).await?;
            let Some(oldest) = ids.last().copied() else { break };
            (before, plans) = (Some(oldest), plans + ids.len());
            for text in self.plan_texts(ids).await? {
                bytes += text.canonical.len();
                let plan = StoredBlueprint::read(text)?.blueprint;
                if touches(&plan, touch) {
                    found.push(plan.id);
                }
            }
        }
        Ok(found)
    }

    async fn newest_plans(
        &self,
        project: ProjectId,
        before: Option<Uuid>,
    ) -> Result<Vec<Uuid>, StoreError> {
        use blueprint::Column;
        let plans = blueprint::Entity::find().select_only().column(Column::Id);
        let plans = plans.filter(Column::Project.eq(project.uuid()));
        let plans = plans.apply_if(before, |plans, before| plans.filter(Column::Id.lt(before)));
        let page = plans.order_by_desc(Column::Id).limit(PAGE_PLANS).into_tuple::<Uuid>();
        Ok(page.all(self.reader()).await?)
    }

    async fn plan_texts(&self, ids: Vec<Uuid>) -> Result<Vec<blueprint_text::Model>, StoreError> {
        let of_them = blueprint_text::Column::Blueprint.is_in(ids);
        Ok(blueprint_text::Entity::find().filter(of_them).all(self.reader()).await?)
    }

    /// These plans with their questions and runs: whatever a record of them is about.
    pub async fn ids_about(&self, plans: &[BlueprintId]) -> Result<Vec<Uuid>, StoreError> {
        let mut ids: Vec<Uuid> = plans.iter().map(|plan| plan.uuid()).collect();
        let runs = execution::Entity::find()
            .select_only()
            .column(execution::Column::Id)
            .filter(execution::Column::Blueprint.is_in(ids.clone()))
            .into_tuple::<Uuid>()
            .all(self.reader())
            .await?;
        let asked = approval::Entity::find()
            .select_only()
            .column(approval::Column::Id)
            .filter(approval::Column::Blueprint.is_in(ids.clone()))
            .into_tuple::<Uuid>()
            .all(self.reader())
            .await?;
        ids.extend(runs);
        ids.extend(asked);
        Ok(ids)
    }
}

fn touches(plan: &Blueprint, touch: &Touch) -> bool {
    let steps = || plan.nodes.iter().map(|node| &node.params);
    let calls = |system: &String| steps().any(|step| is_to(step, system));
    let lies = |part: &String| {
        let part = part.to_lowercase();
        steps().filter_map(path).any(|path| path.to_lowercase().contains(&part))
    };
    touch.system.as_ref().is_none_or(calls) && touch.path.as_ref().is_none_or(lies)
}

/// All of the name: `hr` is neither `hr2` nor `chronos`.
fn is_to(step: &StepParams, system: &str) -> bool {
    match step {
        StepParams::ApiCall { url, .. } | StepParams::WebFetch { url } => {
            let name = url.system.as_ref().map(SystemName::as_str);
            let mut told = name.into_iter().chain([url.host.as_str()]);
            told.any(|told| told.eq_ignore_ascii_case(system))
        }
        StepParams::FileRead { .. }
        | StepParams::FileWrite { .. }
        | StepParams::FileDelete { .. }
        | StepParams::Transform { .. } => false,
    }
}

fn path(step: &StepParams) -> Option<String> {
    match step {
        StepParams::FileRead { directory, name }
        | StepParams::FileWrite { directory, name, .. }
        | StepParams::FileDelete { directory, name } => {
            let Arg::Literal(name) = name else { return Some(directory.clone()) };
            Some(if directory.is_empty() { name.clone() } else { format!("{directory}/{name}") })
        }
        StepParams::ApiCall { .. } | StepParams::WebFetch { .. } | StepParams::Transform { .. } => {
            None
        }
    }
}
