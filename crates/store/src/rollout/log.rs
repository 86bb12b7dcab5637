//! What a project's chain tells of reviews of requests, and of people's verdicts on them. Nothing is kept
//! beside the audit for it, so that a turn pays nothing.

use super::verdict::DivergenceVerdict;
use crate::{
    audit::{AuditRow, Chain},
    database::{
        entity::audit_record,
        number::{from_db, to_db},
        statement::query,
    },
    error::StoreError,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;
use wiiiv_domain::{
    Consensus, Persona, ProjectId, ReviewingModel, RulesHash, SessionId, SpecDigest, TaskId,
    TaskType, Timestamp, TurnId, UserId, Vote,
};
use wiiiv_gate::rollout::RolloutFigures;

pub(crate) const EVALUATED: &str = "dacs.evaluated";
pub(crate) const REVIEWED: &str = "divergence.reviewed";
/// Read at once.
const ROWS: u64 = 1_000;
/// The newest of them: of a project with more, older ones are neither counted nor listed.
pub const EVALUATIONS_MAX: usize = 50_000;

/// One persona's vote, as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RecordedVote {
    pub persona: Persona,
    pub vote: Vote,
    pub concerns: Vec<String>,
}

/// One review of a request that is not risky: the stage alone decides whether it binds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// Its record in the project's chain.
    pub seq: u64,
    pub at: Timestamp,
    pub session: SessionId,
    pub task: TaskId,
    /// The turn that it was made in. `None`, like the two below: builds before this one did not tell it.
    pub turn: Option<TurnId>,
    pub spec: SpecDigest,
    pub task_type: Option<TaskType>,
    /// The project's model at the time.
    pub governor: Option<ReviewingModel>,
    pub consensus: Consensus,
    pub votes: Vec<RecordedVote>,
    /// It was binding: the project was in `enforce`.
    pub bound: bool,
    /// The rules that it was made by.
    pub rules: RulesHash,
}

/// A person's verdict, as it was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reviewed {
    pub id: Uuid,
    /// The record of the evaluation.
    pub evaluation: u64,
    pub verdict: DivergenceVerdict,
    pub by: UserId,
    pub at: Timestamp,
    pub seq: u64,
}

/// Both newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RolloutLog {
    pub evaluations: Vec<Evaluation>,
    pub reviews: Vec<Reviewed>,
    /// The newest record of the chain that this was read to.
    pub as_of: u64,
}

/// Requests that enforcement decides otherwise, or did: the same spec with the same answer is one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The first evaluation.
    pub first: Evaluation,
    /// How often the same was asked.
    pub times: u64,
    /// The newest first.
    pub reviews: Vec<Reviewed>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EvaluatedBody {
    session: SessionId,
    task: TaskId,
    #[serde(default)]
    turn: Option<TurnId>,
    spec: SpecDigest,
    #[serde(default)]
    task_type: Option<TaskType>,
    #[serde(default)]
    governor: Option<ReviewingModel>,
    rules: RulesHash,
    risky: bool,
    binds: bool,
    opinions: Vec<RecordedVote>,
    #[serde(default)]
    model: Option<ModelBody>,
    consensus: Consensus,
}

#[derive(Deserialize)]
struct ModelBody {
    opinions: Vec<RecordedVote>,
}

#[derive(Deserialize)]
struct ReviewedBody {
    by: UserId,
    evaluation: u64,
    review: Uuid,
    verdict: DivergenceVerdict,
}

impl Store {
    pub async fn rollout_log(&self, project: ProjectId) -> Result<RolloutLog, StoreError> {
        use audit_record::Column;
        let chain = Chain::Project(project).to_string();
        let size = "SELECT size FROM audit_head WHERE chain = $1";
        let size = query(self.reader(), size, vec![chain.clone().into()]).await?;
        let as_of = size.map(|row| row.get::<i64>(0)).transpose()?.map_or(0, from_db);
        let (mut log, mut before) = (RolloutLog { as_of, ..RolloutLog::default() }, as_of + 1);
        loop {
            let rows = audit_record::Entity::find()
                .filter(Column::Chain.eq(chain.as_str()))
                .filter(Column::Seq.lt(to_db(before)?))
                .filter(Column::Kind.is_in([EVALUATED, REVIEWED]))
                .order_by_desc(Column::Seq)
                .limit(ROWS)
                .all(self.reader())
                .await?;
            let last = (rows.len() as u64) < ROWS;
            for row in rows {
                before = from_db(row.seq);
                log.add(AuditRow::sealed(row, Some(self.direct().record_seals()))?)?;
            }
            if last || log.evaluations.len() >= EVALUATIONS_MAX {
                return Ok(log);
            }
        }
    }

    /// The divergence that this record is an evaluation of.
    pub async fn is_divergence(&self, project: ProjectId, seq: u64) -> Result<bool, StoreError> {
        let Ok(seq) = to_db(seq) else { return Ok(false) };
        let place = (Chain::Project(project).to_string(), seq);
        let row = audit_record::Entity::find_by_id(place).one(self.reader()).await?;
        let Some(row) = row.filter(|row| row.kind == EVALUATED) else { return Ok(false) };
        let row = AuditRow::sealed(row, Some(self.direct().record_seals()))?;
        Ok(evaluation(row)?.is_some_and(|one| one.consensus != Consensus::Yes))
    }
}

impl RolloutLog {
    fn add(&mut self, row: AuditRow) -> Result<(), StoreError> {
        if row.kind == EVALUATED {
            self.evaluations.extend(evaluation(row)?);
            return Ok(());
        }
        let (seq, at) = (row.seq, row.at);
        let told: ReviewedBody = read(row)?;
        let ReviewedBody { by, evaluation, review: id, verdict } = told;
        self.reviews.push(Reviewed { id, evaluation, verdict, by, at, seq });
        Ok(())
    }

    /// Newest first.
    #[must_use]
    pub fn divergences(&self) -> Vec<Divergence> {
        let mut reviews: BTreeMap<u64, Vec<Reviewed>> = BTreeMap::new();
        for review in &self.reviews {
            reviews.entry(review.evaluation).or_default().push(*review);
        }
        let mut found: BTreeMap<(RulesHash, SpecDigest, Consensus), Divergence> = BTreeMap::new();
        for one in self.evaluations.iter().filter(|one| one.consensus != Consensus::Yes) {
            let of_this = reviews.remove(&one.seq).unwrap_or_default();
            let same = found.entry((one.rules, one.spec, one.consensus));
            let same = same.or_insert_with(|| Divergence {
                first: one.clone(),
                times: 0,
                reviews: Vec::new(),
            });
            // They come newest first, so that the first one is met last.
            same.first = one.clone();
            same.times += 1;
            same.reviews.extend(of_this);
        }
        let mut found: Vec<Divergence> = found.into_values().collect();
        for one in &mut found {
            one.reviews.sort_by_key(|review| std::cmp::Reverse(review.seq));
        }
        found.sort_by_key(|one| std::cmp::Reverse(one.first.seq));
        found
    }

    /// Of the evaluations by these rules: by others it was another review.
    #[must_use]
    pub fn figures(&self, rules: RulesHash) -> RolloutFigures {
        let asked = self.evaluations.iter().filter(|one| one.rules == rules);
        let asked: BTreeSet<_> = asked.map(|one| (one.spec, one.consensus)).collect();
        let divergences = self.divergences();
        let counted = || divergences.iter().filter(|one| one.first.rules == rules);
        let with = |verdict| counted().filter(|one| one.verdict() == verdict).count() as u64;
        RolloutFigures {
            evaluated: asked.len() as u64,
            divergences: counted().count() as u64,
            unreviewed: with(None),
            wrong: with(Some(DivergenceVerdict::Wrong)),
        }
    }
}

impl Divergence {
    /// The newest; `None`: nobody has looked at it.
    #[must_use]
    pub fn verdict(&self) -> Option<DivergenceVerdict> {
        self.reviews.first().map(|review| review.verdict)
    }
    /// What the personas object to, each once.
    #[must_use]
    pub fn concerns(&self) -> Vec<&str> {
        let votes = self.first.votes.iter();
        let mut codes: Vec<&str> =
            votes.flat_map(|vote| vote.concerns.iter().map(String::as_str)).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }
}

/// `None` of a risky one, which binds in every stage.
fn evaluation(row: AuditRow) -> Result<Option<Evaluation>, StoreError> {
    let (seq, at) = (row.seq, row.at);
    let told: EvaluatedBody = read(row)?;
    if told.risky {
        return Ok(None);
    }
    let mut votes = told.opinions;
    votes.extend(told.model.into_iter().flat_map(|model| model.opinions));
    Ok(Some(Evaluation {
        seq,
        at,
        session: told.session,
        task: told.task,
        turn: told.turn,
        spec: told.spec,
        task_type: told.task_type,
        governor: told.governor,
        consensus: told.consensus,
        votes,
        bound: told.binds,
        rules: told.rules,
    }))
}

fn read<T: serde::de::DeserializeOwned>(row: AuditRow) -> Result<T, StoreError> {
    let (kind, seq) = (row.kind, row.seq);
    serde_json::from_value(row.body)
        .map_err(|_| StoreError::corrupt(format!("the record `{seq}` (`{kind}`)")))
}
