//! One thread owns the write connection. It takes all queued jobs into one transaction, commits,
//! then answers each. Jobs that share a transaction have a savepoint each; a single job is undone by
//! the transaction's rollback.

use crate::{
    database::sqlite::Sqlite,
    error::StoreError,
    writer::{
        counters::Tally,
        fault::{Fault, FaultPoint, Side},
        point::Point,
        write_transaction::{Memory, WriteTransaction},
    },
};
use futures::{executor::block_on, future::BoxFuture};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};
use tokio::sync::{mpsc, oneshot};

/// Jobs that may wait; beyond, whoever brings one waits too.
const QUEUE_JOBS_MAX: usize = 1024;
/// Jobs that share one transaction.
const BATCH_JOBS_MAX: usize = 256;

/// A transaction that will write takes the lock at once: SQLite waits for it there, and nowhere later.
const BEGIN: &str = "BEGIN IMMEDIATE";
const COMMIT: &str = "COMMIT";
const ROLLBACK: &str = "ROLLBACK";
const SAVEPOINT: &str = "SAVEPOINT boundary";
const KEEP: &str = "RELEASE SAVEPOINT boundary";
const UNDO: &str = "ROLLBACK TO SAVEPOINT boundary";

/// Told once: whether what was kept is durable.
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// The future that a job's work is, on the write transaction that it is given. No statement of it waits
/// for another thread.
pub(crate) type Work<'t, T> = BoxFuture<'t, T>;

struct Ran {
    kept: bool,
    answer: Answer,
}

type AnyWork = dyn for<'t> FnOnce(&'t mut WriteTransaction) -> Work<'t, Ran> + Send;

struct Job {
    point: Point,
    work: Box<AnyWork>,
}

impl Job {
    /// The bound names the closure's lifetime, which inference would fix to one.
    fn new<F>(point: Point, work: F) -> Self
    where
        F: for<'t> FnOnce(&'t mut WriteTransaction) -> Work<'t, Ran> + Send + 'static,
    {
        Self { point, work: Box::new(work) }
    }
}

#[derive(Debug)]
pub(crate) struct WriterQueue {
    jobs: mpsc::Sender<Job>,
}

impl WriterQueue {
    pub(crate) fn start(
        connection: Sqlite,
        memory: Memory,
        faults: Option<FaultPoint>,
        tally: Arc<Tally>,
    ) -> Result<Self, StoreError> {
        let (jobs, queue) = mpsc::channel(QUEUE_JOBS_MAX);
        let tx = WriteTransaction { db: connection, memory };
        let writer = WriterThread { tx, queue, fault: Fault::new(faults), tally };
        std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || writer.run())
            .map_err(|error| StoreError::Unavailable { reason: error.to_string() })?;
        Ok(Self { jobs })
    }

    /// Runs in a savepoint of its own. The answer comes after COMMIT; an `Err` undoes this job
    /// alone.
    // INVARIANT: nothing that a job wrote is told to anybody before it is durable.
    pub(crate) async fn write<T, E, F>(&self, point: Point, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: for<'t> FnOnce(&'t mut WriteTransaction) -> Work<'t, Result<T, E>> + Send + 'static,
    {
        let (tell, told) = oneshot::channel::<Result<T, E>>();
        let job = Job::new(point, move |tx| {
            let running = work(tx);
            Box::pin(async move {
                let result = running.await;
                let kept = result.is_ok();
                let answer: Answer = Box::new(move |durable| {
                    // Whoever asked may be gone; what is durable stays so.
                    let _gone = tell.send(durable.map_err(E::from).and(result));
                });
                Ran { kept, answer }
            })
        });
        self.jobs.send(job).await.map_err(|_| StoreError::closed())?;
        told.await.map_err(|_| StoreError::given_up())?
    }
}

struct WriterThread {
    tx: WriteTransaction,
    queue: mpsc::Receiver<Job>,
    fault: Fault,
    tally: Arc<Tally>,
}

impl WriterThread {
    fn run(mut self) {
        while let Some(first) = self.queue.blocking_recv() {
            let mut jobs = vec![first];
            while jobs.len() < BATCH_JOBS_MAX
                && let Ok(job) = self.queue.try_recv()
            {
                jobs.push(job);
            }
            // INVARIANT: a panic ends one transaction and not the writer; nothing that it was working on is used
            // again.
            if catch_unwind(AssertUnwindSafe(|| self.batch(jobs))).is_err() {
                self.give_up();
            }
        }
    }

    /// The answers went with the batch: each asker is told that it was given up.
    fn give_up(&mut self) {
        tracing::error!("a write panicked: the transaction is lost with all that is in it");
        self.abandon();
        self.tx.memory.ended();
        self.tx.memory.forget();
    }

    fn batch(&mut self, jobs: Vec<Job>) {
        // A rollback that failed left one behind.
        self.abandon();
        if let Err(error) = self.tx.db.control(BEGIN) {
            // The jobs are dropped with their answers: each asker is told that it was given up.
            tracing::error!(%error, "no write transaction could begin");
            return;
        }
        let mut batch = Batch::default();
        let ran = batch.run_all(&mut self.tx, jobs, &mut self.fault);
        let durable = ran.and_then(|()| self.end(&batch));
        if let Err(error) = &durable {
            tracing::error!(%error, "the transaction is lost with all that is in it");
        }
        self.abandon();
        self.tx.memory.ended();
        if durable.is_err() {
            self.tx.memory.forget();
        } else {
            self.tx.memory.committed();
            if batch.struck {
                self.fault.strike(Side::After);
            }
        }
        for answer in batch.answers {
            answer(durable.clone());
        }
    }

    fn end(&mut self, batch: &Batch) -> Result<(), StoreError> {
        if batch.kept == 0 {
            return Ok(());
        }
        if batch.struck {
            self.fault.strike(Side::Before);
        }
        self.tx.db.control(COMMIT)?;
        self.tally.committed(batch.kept);
        Ok(())
    }

    /// What is left of the transaction: where nothing was kept, or it could not be committed. The
    /// database may have ended it by itself.
    fn abandon(&self) {
        if self.tx.db.in_transaction()
            && let Err(error) = self.tx.db.control(ROLLBACK)
        {
            tracing::error!(%error, "the lost transaction could not be rolled back");
        }
    }
}

#[derive(Default)]
struct Batch {
    answers: Vec<Answer>,
    kept: u64,
    /// Holds the boundary that the process is to end at.
    struck: bool,
}

impl Batch {
    /// An error means that nothing in the transaction may be told as kept.
    fn run_all(
        &mut self,
        tx: &mut WriteTransaction,
        jobs: Vec<Job>,
        fault: &mut Fault,
    ) -> Result<(), StoreError> {
        let alone = jobs.len() == 1;
        for job in jobs {
            if !alone {
                tx.db.control(SAVEPOINT)?;
            }
            let kept = self.run(tx, job, fault);
            // INVARIANT: a job whose statement failed is not kept. The database may have ended the
            // transaction with that failure, so nothing may be written behind it.
            if alone {
                break;
            }
            // Fails where the database has ended the transaction by itself (full disk, I/O): what
            // would be written after that would stand on its own.
            if !kept {
                tx.db.control(UNDO)?;
            }
            tx.db.control(KEEP)?;
        }
        if self.kept > 0 { block_on(tx.flush()) } else { Ok(()) }
    }

    /// Whether its savepoint is kept.
    fn run(&mut self, tx: &mut WriteTransaction, job: Job, fault: &mut Fault) -> bool {
        tx.memory.mark();
        let ran = block_on((job.work)(tx));
        tracing::trace!(boundary = ?job.point, kept = ran.kept, "written");
        self.answers.push(ran.answer);
        if ran.kept {
            self.kept += 1;
            self.struck |= fault.count(job.point);
        } else {
            tx.memory.undo();
        }
        ran.kept
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        config::StoreConfig,
        error::StoreError,
        store::Store,
        writer::{point::Point, write_transaction::WriteTransaction},
    };
    use wiiiv_domain::PriceTable;
    use wiiiv_gate::{BaseBook, DacsRules, RiskRules, open};
    use wiiiv_vault::{MasterKey, MasterKeys};

    async fn store() -> Store {
        let book = BaseBook {
            executors: Vec::new(),
            dacs: DacsRules::parse(include_str!("../../../../policies/dacs.toml")).unwrap(),
            risk: RiskRules::parse(include_str!("../../../../policies/risk.toml")).unwrap(),
            prices: PriceTable::default(),
        };
        let keys = MasterKeys::of(MasterKey::parse(&"07".repeat(32)).unwrap());
        Store::open(StoreConfig::memory(), open(book).registrar, keys).await.unwrap()
    }

    async fn written(tx: &mut WriteTransaction) -> Result<(), StoreError> {
        tx.db.control("CREATE TABLE written_once (id integer)")
    }

    async fn written_and_lost(tx: &mut WriteTransaction) -> Result<(), StoreError> {
        written(tx).await?;
        panic!("a write that panics");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_write_that_panics_is_undone_and_the_next_one_is_written() {
        let store = store().await;
        let lost = store.write(Point::P, |tx| Box::pin(written_and_lost(tx))).await;
        assert!(matches!(lost, Err(StoreError::Unavailable { .. })), "{lost:?}");
        let kept = store.write(Point::P, |tx| Box::pin(written(tx))).await;
        assert!(kept.is_ok(), "{kept:?}");
        store.check_writable().await.unwrap();
    }
}
