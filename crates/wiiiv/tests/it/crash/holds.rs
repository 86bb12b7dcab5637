//! The budget of a project that has come to rest, read from the folder of a server that is stopped.

use crate::host::MASTER_KEY;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use wiiiv_domain::{BudgetWindow, PriceTable, ProjectId, TaskId, Timestamp, WindowKind};
use wiiiv_gate::{BaseBook, DacsRules, Opened, RiskRules};
use wiiiv_store::{Store, StoreConfig};
use wiiiv_vault::{MasterKey, MasterKeys};

const DACS: &str = include_str!("../../../../../policies/dacs.toml");
const RISK: &str = include_str!("../../../../../policies/risk.toml");
/// The tests may run past midnight.
const BEFORE: Duration = Duration::from_secs(3600);

/// Nothing in progress, and nothing held, of the day or of any task. What the built-in model uses is
/// free; a call whose use nobody knows has `cost` all the same.
pub async fn none_is_left(
    fault: &str,
    (data, project, tasks): (&Path, &str, &[String]),
    cost: bool,
) {
    let store = store(data).await;
    let project: ProjectId = project.parse().unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let days = [now, now - BEFORE].map(Timestamp::since_epoch);
    let days = days.map(|at| BudgetWindow::day(project, at)).into_iter();
    let tasks = tasks.iter().map(|task| task.parse::<TaskId>().unwrap());
    let runs = tasks.map(|task| BudgetWindow::run(project, task));
    let windows: Vec<BudgetWindow> = days.chain(runs).collect();
    let lines = store.budget(&windows).await.unwrap().lines;
    assert!(lines.len() >= 2, "{fault}: a day and a task have spent: {lines:?}");
    for line in &lines {
        assert_eq!(line.held.tokens, 0, "{fault}: still held: {line:?}");
    }
    let days = lines.iter().filter(|line| matches!(line.window.window, WindowKind::Day(_)));
    let spent: u64 = days.map(|line| line.settled.tokens).sum();
    assert_eq!(spent > 0, cost, "{fault}: spent in the day: {lines:?}");
}

async fn store(data: &Path) -> Store {
    let book = BaseBook {
        executors: Vec::new(),
        dacs: DacsRules::parse(DACS).unwrap(),
        risk: RiskRules::parse(RISK).unwrap(),
        prices: PriceTable::default(),
    };
    let Opened { registrar, .. } = wiiiv_gate::open(book);
    let keys = MasterKeys::of(MasterKey::parse(MASTER_KEY).unwrap());
    Store::open(StoreConfig::file(data.join("wiiiv.db")), registrar, keys).await.unwrap()
}
