//! What reviews of a time came to by task type, model and day, and whether what was reviewed ran.

use super::{
    drawn::DrawnPlans,
    log::{EVALUATIONS_MAX, Evaluation, RolloutLog},
    verdict::DivergenceVerdict,
};
use crate::{error::StoreError, store::Store};
use std::collections::BTreeMap;
use wiiiv_domain::{BlueprintId, Consensus, ProjectId, ProviderName, TaskType, Timestamp};

/// Requests of one cell that are told one by one, the newest.
const MATRIX_TURNS_MAX: usize = 20;

/// Requests that were reviewed; the same one counts once, on the day of its first review.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReviewCounts {
    pub evaluated: u64,
    /// Of these, the ones that the review did not let through.
    pub divergences: u64,
    /// Of these, by what people found.
    pub right: u64,
    pub wrong: u64,
    pub unreviewed: u64,
}

/// What the review said of a request, and whether it ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Became {
    pub let_through: bool,
    pub ran: bool,
}

/// Requests of which both are the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MatrixCell {
    pub count: u64,
    /// With their plans, newest first: of a cell where the review and what happened differ.
    pub newest: Vec<(Evaluation, Option<BlueprintId>)>,
}

/// Of `None` the records do not tell: builds before this one wrote them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReviewRates {
    pub total: ReviewCounts,
    pub by_task_type: BTreeMap<Option<TaskType>, ReviewCounts>,
    /// By the project's model.
    pub by_model: BTreeMap<Option<(ProviderName, String)>, ReviewCounts>,
    /// By the UTC day, as `2026-11-21`; none without a request.
    pub by_day: BTreeMap<String, ReviewCounts>,
    pub matrix: BTreeMap<Became, MatrixCell>,
    /// Not all evaluations or plans of that time were read.
    pub truncated: bool,
}

impl Store {
    /// Of requests that were first reviewed in `from..until`, by whatever rules.
    pub async fn review_rates(
        &self,
        project: ProjectId,
        (from, until): (Timestamp, Timestamp),
    ) -> Result<ReviewRates, StoreError> {
        let log = self.rollout_log(project).await?;
        let (plans, is_cut) = self.plans_drawn_since(project, from).await?;
        let rates = log.rates((from, until), &plans);
        Ok(ReviewRates { truncated: rates.truncated || is_cut, ..rates })
    }
}

impl RolloutLog {
    /// Of requests that were first reviewed in `from..until`.
    fn rates(&self, (from, until): (Timestamp, Timestamp), plans: &DrawnPlans) -> ReviewRates {
        let divergences = self.divergences();
        let divergent = divergences.iter().map(|one| (&one.first, one.verdict()));
        let let_through = self.let_through().map(|one| (one, None));
        let mut all: Vec<_> = divergent.chain(let_through).collect();
        all.retain(|(one, _)| (from..until).contains(&one.at));
        all.sort_by_key(|(one, _)| std::cmp::Reverse(one.seq));
        let read_all = self.evaluations.len() < EVALUATIONS_MAX;
        let before = self.evaluations.last().is_some_and(|oldest| oldest.at < from);
        let mut rates = ReviewRates { truncated: !read_all && !before, ..ReviewRates::default() };
        for (one, verdict) in all {
            rates.add(one, verdict, plans);
        }
        rates
    }

    /// The first review of each request that was let through.
    fn let_through(&self) -> impl Iterator<Item = &Evaluation> {
        let let_through = self.evaluations.iter().filter(|one| one.is_let_through());
        // They come newest first, so that the first one is met last.
        let first: BTreeMap<_, _> = let_through.map(|one| ((one.rules, one.spec), one)).collect();
        first.into_values()
    }
}

impl ReviewRates {
    fn add(&mut self, one: &Evaluation, verdict: Option<DivergenceVerdict>, plans: &DrawnPlans) {
        let plan = plans.get(&(one.session, one.spec));
        let task_type = one.task_type.or(plan.map(|plan| plan.task_type));
        let model = one.governor.as_ref().map(|by| (by.provider, by.model.clone()));
        for counts in [
            &mut self.total,
            self.by_task_type.entry(task_type).or_default(),
            self.by_model.entry(model).or_default(),
            self.by_day.entry(one.at.utc_day()).or_default(),
        ] {
            counts.add(one.is_let_through(), verdict);
        }
        let ran = plan.is_some_and(|plan| plan.ran);
        let became = Became { let_through: one.is_let_through(), ran };
        let cell = self.matrix.entry(became).or_default();
        cell.count += 1;
        if became.let_through != ran && cell.newest.len() < MATRIX_TURNS_MAX {
            let told = Evaluation { task_type, ..one.clone() };
            cell.newest.push((told, plan.map(|plan| plan.id)));
        }
    }
}

impl ReviewCounts {
    fn add(&mut self, is_let_through: bool, verdict: Option<DivergenceVerdict>) {
        self.evaluated += 1;
        if is_let_through {
            return;
        }
        self.divergences += 1;
        match verdict {
            Some(DivergenceVerdict::Right) => self.right += 1,
            Some(DivergenceVerdict::Wrong) => self.wrong += 1,
            None => self.unreviewed += 1,
        }
    }
}

impl Evaluation {
    /// Nothing speaks against it.
    #[must_use]
    pub fn is_let_through(&self) -> bool {
        self.consensus == Consensus::Yes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::{drawn::DrawnPlan, log::Reviewed};
    use uuid::Uuid;
    use wiiiv_domain::{ReviewingModel, RulesHash, SessionId, SpecDigest, TaskId};

    const DAY_MS: i64 = 86_400_000;

    fn session() -> SessionId {
        SessionId::from_uuid(Uuid::from_u128(7))
    }

    fn spec(nth: u8) -> SpecDigest {
        SpecDigest::from_bytes([nth; 32])
    }

    /// Of the day with this number, by a build that tells its task type and model.
    fn evaluation(seq: u64, day: i64, nth: u8, consensus: Consensus) -> Evaluation {
        Evaluation {
            seq,
            at: Timestamp::from_unix_ms(day * DAY_MS),
            session: session(),
            task: TaskId::from_uuid(Uuid::from_u128(1)),
            turn: None,
            spec: spec(nth),
            task_type: Some(TaskType::FileWrite),
            governor: Some(ReviewingModel {
                provider: ProviderName::Offline,
                model: "offline".to_owned(),
            }),
            consensus,
            votes: Vec::new(),
            bound: false,
            rules: RulesHash::from_bytes([5; 32]),
        }
    }

    fn log(mut evaluations: Vec<Evaluation>, wrong: u64) -> RolloutLog {
        evaluations.sort_by_key(|one| std::cmp::Reverse(one.seq));
        let by = Uuid::nil().into();
        let (id, verdict, at) = (Uuid::nil(), DivergenceVerdict::Wrong, Timestamp::from_unix_ms(0));
        let reviews = vec![Reviewed { id, evaluation: wrong, verdict, by, at, seq: 99 }];
        RolloutLog { evaluations, reviews, as_of: 99 }
    }

    fn days(from: i64, until: i64) -> (Timestamp, Timestamp) {
        (Timestamp::from_unix_ms(from * DAY_MS), Timestamp::from_unix_ms(until * DAY_MS))
    }

    #[test]
    fn a_request_counts_once_on_its_first_day_and_stands_in_one_cell() {
        let old =
            Evaluation { task_type: None, governor: None, ..evaluation(4, 2, 4, Consensus::Yes) };
        let all = vec![
            evaluation(1, 1, 1, Consensus::No),
            evaluation(2, 2, 1, Consensus::No),
            evaluation(3, 2, 2, Consensus::Revision),
            old,
            evaluation(5, 2, 5, Consensus::Yes),
            evaluation(6, 3, 5, Consensus::Yes),
        ];
        let plan =
            |ran| DrawnPlan { id: Uuid::from_u128(3).into(), task_type: TaskType::FileRead, ran };
        let plans: DrawnPlans =
            [((session(), spec(2)), plan(true)), ((session(), spec(4)), plan(false))].into();
        let log = log(all, 3);
        let rates = log.rates(days(2, 3), &plans);
        // The first request was first asked for the day before, the last one on this day.
        let due =
            ReviewCounts { evaluated: 3, divergences: 1, wrong: 1, ..ReviewCounts::default() };
        assert_eq!(rates.total, due);
        assert_eq!(rates.by_day.into_iter().collect::<Vec<_>>(), [("1970-01-03".to_owned(), due)]);
        let of = |task: Option<TaskType>| rates.by_task_type.get(&task).copied();
        // An older record leaves its task type to its plan.
        let one = ReviewCounts { evaluated: 1, ..ReviewCounts::default() };
        assert_eq!(of(Some(TaskType::FileRead)), Some(one));
        assert_eq!(of(Some(TaskType::FileWrite)), Some(ReviewCounts { evaluated: 2, ..due }));
        assert_eq!(rates.by_model.get(&None), Some(&one));
        let cell = |let_through, ran| {
            let cell = rates.matrix.get(&Became { let_through, ran });
            cell.map(|cell| {
                (cell.count, cell.newest.iter().map(|(one, _)| one.seq).collect::<Vec<_>>())
            })
        };
        assert_eq!(cell(false, true), Some((1, vec![3])));
        assert_eq!(cell(true, false), Some((2, vec![5, 4])), "the newest first");
        assert_eq!((cell(true, true), cell(false, false)), (None, None));
        assert_eq!(log.rates(days(4, 9), &plans), ReviewRates::default());
    }
}
