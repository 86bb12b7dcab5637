//! The windows' figures in memory: those that are committed, for whoever asks, and what the transaction
//! at hand makes of them, for the writer.
//!
//! The durable truth is in the rows of calls and of executions' holds, which the same transaction
//! writes. A window that is not here is read from them.

use super::{line::Line, load::load};
use crate::{database::statement::Reads, error::StoreError};
use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};
use wiiiv_domain::{BudgetWindow, WindowKind};

/// Windows that stay in memory.
const WINDOWS_MAX: usize = 10_000;

/// Committed figures alone.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    committed: RwLock<Lines>,
}

#[derive(Debug, Default)]
struct Lines {
    lines: BTreeMap<BudgetWindow, Line>,
    /// Grows whenever lines go.
    generation: u64,
}

impl Ledger {
    fn get(&self, window: &BudgetWindow) -> Option<Line> {
        self.read().lines.get(window).copied()
    }

    /// What is read of a window that is not here stays, unless lines went since the number was taken.
    // INVARIANT: a change that was committed since is here and stays, or goes and raises the number; one
    // that is committed later puts its own line over this one.
    pub(crate) async fn get_or_read<C: Reads>(
        &self,
        window: &BudgetWindow,
        db: &C,
    ) -> Result<Line, StoreError> {
        let generation = {
            let here = self.read();
            if let Some(line) = here.lines.get(window) {
                return Ok(*line);
            }
            here.generation
        };
        let line = load(db, window).await?;
        let mut here = self.write();
        if here.generation == generation && here.lines.len() < WINDOWS_MAX {
            return Ok(*here.lines.entry(window.clone()).or_insert(line));
        }
        Ok(line)
    }

    fn read(&self) -> RwLockReadGuard<'_, Lines> {
        self.committed.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Lines> {
        self.committed.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lines {
    fn publish(&mut self, lines: BTreeMap<BudgetWindow, Line>) {
        self.lines.extend(lines);
        if self.lines.len() > WINDOWS_MAX {
            // Tasks end; days and months go on.
            self.lines.retain(|window, _| !matches!(window.window, WindowKind::Run(_)));
            self.generation += 1;
        }
        if self.lines.len() > WINDOWS_MAX {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.lines.clear();
        self.generation += 1;
    }
}

/// The writer's: the lines that the transaction at hand has changed.
#[derive(Debug)]
pub(crate) struct PendingLedger {
    committed: Arc<Ledger>,
    lines: BTreeMap<BudgetWindow, Line>,
    /// What the job at hand put a line over.
    mark: Vec<(BudgetWindow, Option<Line>)>,
}

impl PendingLedger {
    pub(crate) fn new(committed: Arc<Ledger>) -> Self {
        Self { committed, lines: BTreeMap::new(), mark: Vec::new() }
    }

    /// Of windows in memory alone.
    pub(crate) fn get(&self, window: &BudgetWindow) -> Option<Line> {
        self.lines.get(window).copied().or_else(|| self.committed.get(window))
    }

    pub(crate) async fn get_or_load<C: Reads>(
        &self,
        window: &BudgetWindow,
        db: &C,
    ) -> Result<Line, StoreError> {
        match self.get(window) {
            Some(line) => Ok(line),
            None => load(db, window).await,
        }
    }

    // INVARIANT: whatever is written of a window's calls and holds, its line is put here by the same job.
    pub(crate) fn put(&mut self, window: BudgetWindow, line: Line) {
        let before = self.lines.insert(window.clone(), line);
        self.mark.push((window, before));
    }

    /// Before each job.
    pub(crate) fn mark(&mut self) {
        self.mark.clear();
    }

    /// What the job at hand changed goes with its savepoint.
    pub(crate) fn undo(&mut self) {
        for (window, before) in self.mark.drain(..).rev() {
            match before {
                Some(line) => self.lines.insert(window, line),
                None => self.lines.remove(&window),
            };
        }
    }

    /// After COMMIT, before it is answered.
    pub(crate) fn publish(&mut self) {
        self.mark.clear();
        if !self.lines.is_empty() {
            self.committed.write().publish(std::mem::take(&mut self.lines));
        }
    }

    /// The transaction came to nothing, as far as anybody knows: all is read anew.
    pub(crate) fn forget(&mut self) {
        self.mark.clear();
        self.lines.clear();
        self.committed.write().forget();
    }
}

#[cfg(test)]
mod tests {
    use super::{Ledger, PendingLedger, WINDOWS_MAX};
    use crate::budget::line::{Line, Sum};
    use std::sync::Arc;
    use uuid::Uuid;
    use wiiiv_domain::{BudgetWindow, Timestamp};
    use wiiiv_gate::Cap;

    fn spent(tokens: u64) -> Line {
        let settled = Sum { tokens, micros: 0 };
        let cap = Cap { tokens: None, micros: None };
        Line { settled, held: Sum::ZERO, drawn: Sum::ZERO, cap, alerted_at: None }
    }

    fn day() -> BudgetWindow {
        BudgetWindow::day(Uuid::nil().into(), Timestamp::from_unix_ms(0))
    }

    fn run(nth: usize) -> BudgetWindow {
        BudgetWindow::run(Uuid::nil().into(), Uuid::from_u128(nth as u128).into())
    }

    #[test]
    fn a_job_that_is_undone_leaves_what_others_made_and_nobody_sees_it_before_the_commit() {
        let ledger = Arc::new(Ledger::default());
        let mut pending = PendingLedger::new(Arc::clone(&ledger));
        pending.mark();
        pending.put(day(), spent(1));
        pending.mark();
        pending.put(day(), spent(2));
        pending.put(day(), spent(3));
        pending.put(run(1), spent(3));
        pending.undo();
        assert_eq!((pending.get(&day()), pending.get(&run(1))), (Some(spent(1)), None));
        assert_eq!(ledger.get(&day()), None);
        pending.publish();
        assert_eq!(ledger.get(&day()), Some(spent(1)));
        pending.put(day(), spent(4));
        pending.forget();
        assert_eq!((pending.get(&day()), ledger.get(&day())), (None, None));
    }

    #[test]
    fn tasks_go_where_there_are_many_and_days_stay() {
        let ledger = Arc::new(Ledger::default());
        let mut pending = PendingLedger::new(Arc::clone(&ledger));
        pending.put(day(), spent(1));
        (1..WINDOWS_MAX).for_each(|nth| pending.put(run(nth), spent(1)));
        pending.publish();
        assert_eq!(ledger.get(&run(1)), Some(spent(1)));
        pending.put(run(WINDOWS_MAX), spent(1));
        pending.publish();
        assert_eq!((ledger.get(&run(1)), ledger.get(&day())), (None, Some(spent(1))));
        assert_eq!(ledger.read().generation, 1, "what was read before stays out");
    }
}
