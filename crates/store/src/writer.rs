//! One task owns the write connection. It drains what is queued into one transaction, each job a
//! savepoint in it, commits, then answers each.

use crate::{
    boundary::Point,
    counters::Tally,
    error::StoreError,
    fault::{Fault, FaultPoint, Side},
};
use futures::future::BoxFuture;
use sea_orm::{
    ConnectionTrait as _, DatabaseConnection, DatabaseTransaction, SqliteTransactionMode,
    TransactionOptions, TransactionTrait as _,
};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Jobs that may wait; beyond, whoever brings one waits too.
const QUEUE_JOBS_MAX: usize = 1024;
/// Jobs that share one transaction.
const BATCH_JOBS_MAX: usize = 256;

const SAVEPOINT: &str = "SAVEPOINT boundary";
const KEEP: &str = "RELEASE SAVEPOINT boundary";
const UNDO: &str = "ROLLBACK TO SAVEPOINT boundary; RELEASE SAVEPOINT boundary";

/// Told once: whether what was kept is durable.
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// The future that a job's work is, on the transaction that it is handed.
pub(crate) type Work<'t, T> = BoxFuture<'t, T>;

struct Ran {
    kept: bool,
    answer: Answer,
}

type AnyWork = dyn for<'t> FnOnce(&'t DatabaseTransaction) -> Work<'t, Ran> + Send;

struct Job {
    point: Point,
    work: Box<AnyWork>,
}

impl Job {
    /// The bound names the closure's lifetime, which inference would fix to one.
    fn new<F>(point: Point, work: F) -> Self
    where
        F: for<'t> FnOnce(&'t DatabaseTransaction) -> Work<'t, Ran> + Send + 'static,
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
        faults: Option<FaultPoint>,
        tally: Arc<Tally>,
    ) -> Self {
        let (jobs, queue) = mpsc::channel(QUEUE_JOBS_MAX);
        let task = WriterTask { connection, queue, fault: Fault::new(faults), tally };
        tokio::spawn(task.run());
        Self { jobs }
    }

    /// Runs in a savepoint of its own. The answer comes after COMMIT; an `Err` undoes this job
    /// alone.
    // INVARIANT: nothing that a job wrote is told to anybody before it is durable.
    pub(crate) async fn write<T, E, F>(&self, point: Point, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: for<'t> FnOnce(&'t DatabaseTransaction) -> Work<'t, Result<T, E>> + Send + 'static,
    {
        let (tell, told) = oneshot::channel::<Result<T, E>>();
        let job = Job::new(point, move |db| {
            let running = work(db);
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
    async fn run(mut self) {
        while let Some(first) = self.queue.recv().await {
            let mut jobs = vec![first];
            while jobs.len() < BATCH_JOBS_MAX
                && let Ok(job) = self.queue.try_recv()
            {
                jobs.push(job);
            }
            self.batch(jobs).await;
        }
        if let Err(error) = self.connection.close().await {
            tracing::warn!(%error, "the write connection did not close cleanly");
        }
    }

    async fn batch(&mut self, jobs: Vec<Job>) {
        let immediate = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        let transaction = match self.connection.begin_with_options(immediate).await {
            Ok(transaction) => transaction,
            // The jobs are dropped with their answers: each asker is told that it was given up.
            Err(error) => return tracing::error!(%error, "no write transaction could begin"),
        };
        let mut batch = Batch::default();
        for job in jobs {
            if let Err(error) = batch.run(&transaction, job, &mut self.fault).await {
                tracing::error!(%error, "the transaction is lost with all that is in it");
                batch.progress.broken = Some(error);
                break;
            }
        }
        let Batch { answers, progress } = batch;
        let struck = progress.struck;
        let durable = self.end(transaction, progress).await;
        if durable.is_ok() && struck {
            self.fault.strike(Side::After);
        }
        for answer in answers {
            answer(durable.clone());
        }
    }

    async fn end(
        &self,
        transaction: DatabaseTransaction,
        progress: Progress,
    ) -> Result<(), StoreError> {
        if let Some(error) = progress.broken {
            abandon(transaction).await;
            return Err(error);
        }
        if progress.kept == 0 {
            return Ok(transaction.rollback().await?);
        }
        if progress.struck {
            self.fault.strike(Side::Before);
        }
        transaction.commit().await?;
        self.tally.committed(progress.kept);
        Ok(())
    }
}

#[derive(Default)]
struct Batch {
    answers: Vec<Answer>,
    progress: Progress,
}

#[derive(Default)]
struct Progress {
    kept: u64,
    /// Holds the boundary that the process is to end at.
    struck: bool,
    broken: Option<StoreError>,
}

impl Batch {
    /// An error means that the savepoint could not be ended: the database has rolled the whole
    /// transaction back by itself (full disk, I/O), and nothing in it may be told as kept.
    async fn run(
        &mut self,
        transaction: &DatabaseTransaction,
        job: Job,
        fault: &mut Fault,
    ) -> Result<(), StoreError> {
        transaction.execute_unprepared(SAVEPOINT).await?;
        let ran = (job.work)(transaction).await;
        self.answers.push(ran.answer);
        transaction.execute_unprepared(if ran.kept { KEEP } else { UNDO }).await?;
        if ran.kept {
            self.progress.kept += 1;
            self.progress.struck |= fault.count(job.point);
        }
        Ok(())
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
