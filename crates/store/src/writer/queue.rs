//! One task on its own thread owns the write connection. It takes all queued jobs into one
//! transaction, commits, then answers each. Jobs that share a transaction have a savepoint each; a
//! single job is undone by the transaction's rollback.

use crate::{
    database::connect::begin,
    error::StoreError,
    writer::{
        counters::Tally,
        fault::{Fault, FaultPoint, Side},
        point::Point,
        write_transaction::{Memory, WriteTransaction},
    },
};
use futures::future::BoxFuture;
use sea_orm::{ConnectionTrait as _, DatabaseConnection, DatabaseTransaction};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Jobs that may wait; beyond, whoever brings one waits too.
const QUEUE_JOBS_MAX: usize = 1024;
/// Jobs that share one transaction.
const BATCH_JOBS_MAX: usize = 256;

const SAVEPOINT: &str = "SAVEPOINT boundary";
const KEEP: &str = "RELEASE SAVEPOINT boundary";
const UNDO: &str = "ROLLBACK TO SAVEPOINT boundary; RELEASE SAVEPOINT boundary";
/// The end of one and the beginning of the next, in one go.
const KEEP_AND_NEXT: &str = "RELEASE SAVEPOINT boundary; SAVEPOINT boundary";
const UNDO_AND_NEXT: &str = "ROLLBACK TO SAVEPOINT boundary";

/// Told once: whether what was kept is durable.
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// The future that a job's work is, on the write transaction that it is given.
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
        connection: DatabaseConnection,
        memory: Memory,
        faults: Option<FaultPoint>,
        tally: Arc<Tally>,
    ) -> Result<Self, StoreError> {
        let (jobs, queue) = mpsc::channel(QUEUE_JOBS_MAX);
        let task = WriterTask { connection, queue, fault: Fault::new(faults), tally };
        // Every statement is handed to the driver's thread and back: between two threads of their
        // own that is about half the price of going through the server's workers. A runtime of its
        // own lets it finish what it has begun when the server's ends.
        let unavailable =
            |error: std::io::Error| StoreError::Unavailable { reason: error.to_string() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.map_err(unavailable)?;
        std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || runtime.block_on(task.run(memory)))
            .map_err(unavailable)?;
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

struct WriterTask {
    connection: DatabaseConnection,
    queue: mpsc::Receiver<Job>,
    fault: Fault,
    tally: Arc<Tally>,
}

impl WriterTask {
    async fn run(mut self, mut memory: Memory) {
        while let Some(first) = self.queue.recv().await {
            let mut jobs = vec![first];
            while jobs.len() < BATCH_JOBS_MAX
                && let Ok(job) = self.queue.try_recv()
            {
                jobs.push(job);
            }
            memory = self.batch(jobs, memory).await;
        }
    }

    async fn batch(&mut self, jobs: Vec<Job>, memory: Memory) -> Memory {
        let db = match begin(&self.connection).await {
            Ok(db) => db,
            // The jobs are dropped with their answers: each asker is told that it was given up.
            Err(error) => {
                tracing::error!(%error, "no write transaction could begin");
                return memory;
            }
        };
        let mut tx = WriteTransaction { db, memory };
        let mut batch = Batch::default();
        let ran = batch.run_all(&mut tx, jobs, &mut self.fault).await;
        let WriteTransaction { db, mut memory } = tx;
        let durable = match ran {
            Ok(()) => self.end(db, &batch.progress()).await,
            Err(error) => {
                tracing::error!(%error, "the transaction is lost with all that is in it");
                abandon(db).await;
                Err(error)
            }
        };
        memory.ended();
        if durable.is_err() {
            memory.forget();
        } else if batch.struck {
            self.fault.strike(Side::After);
        }
        for answer in batch.answers {
            answer(durable.clone());
        }
        memory
    }

    async fn end(&self, db: DatabaseTransaction, progress: &Progress) -> Result<(), StoreError> {
        if progress.kept == 0 {
            abandon(db).await;
            return Ok(());
        }
        if progress.struck {
            self.fault.strike(Side::Before);
        }
        db.commit().await?;
        self.tally.committed(progress.kept);
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct Progress {
    kept: u64,
    struck: bool,
}

#[derive(Default)]
struct Batch {
    answers: Vec<Answer>,
    kept: u64,
    /// Holds the boundary that the process is to end at.
    struck: bool,
}

impl Batch {
    const fn progress(&self) -> Progress {
        Progress { kept: self.kept, struck: self.struck }
    }

    /// An error means that nothing in the transaction may be told as kept.
    async fn run_all(
        &mut self,
        tx: &mut WriteTransaction,
        jobs: Vec<Job>,
        fault: &mut Fault,
    ) -> Result<(), StoreError> {
        let alone = jobs.len() == 1;
        let mut jobs = jobs.into_iter().peekable();
        if !alone {
            tx.db.execute_unprepared(SAVEPOINT).await?;
        }
        while let Some(job) = jobs.next() {
            let kept = self.run(tx, job, fault).await;
            if alone {
                // INVARIANT: a job whose statement failed is not kept. The database may have ended
                // the transaction with that failure, so nothing may be written behind it.
                break;
            }
            let end = match (kept, jobs.peek().is_some()) {
                (true, true) => KEEP_AND_NEXT,
                (false, true) => UNDO_AND_NEXT,
                (true, false) => KEEP,
                (false, false) => UNDO,
            };
            // Fails where the database has ended the transaction by itself (full disk, I/O): what
            // would be written after that would stand on its own.
            tx.db.execute_unprepared(end).await?;
        }
        if self.kept > 0 { tx.flush().await } else { Ok(()) }
    }

    /// Whether its savepoint is kept.
    async fn run(&mut self, tx: &mut WriteTransaction, job: Job, fault: &mut Fault) -> bool {
        tx.memory.mark();
        let ran = (job.work)(tx).await;
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

/// The database may have ended the transaction by itself, of which the driver knows nothing: a
/// new one is begun for it to roll back, else it would take the next BEGIN for a savepoint.
async fn abandon(transaction: DatabaseTransaction) {
    let _still_open = transaction.execute_unprepared("BEGIN").await;
    if let Err(error) = transaction.rollback().await {
        tracing::error!(%error, "the lost transaction could not be rolled back");
    }
}
