//! The budget of a project that has come to rest, and its audit, read from the folder of a server that is stopped.

use crate::doctor::check;
use crate::host::{Host, MASTER_KEY};
use crate::program::Ran;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use wiiiv_domain::{BudgetWindow, PriceTable, ProjectId, TaskId, Timestamp};
use wiiiv_gate::{BaseBook, BudgetLine, DacsRules, Registrar, RiskRules};
use wiiiv_store::{AuditFit, Looking, Store, StoreConfig, UsageFilter, inspect};
use wiiiv_vault::{MasterKey, MasterKeys};

const DACS: &str = include_str!("../../../../../policies/dacs.toml");
const RISK: &str = include_str!("../../../../../policies/risk.toml");
/// The tests may run past midnight.
const BEFORE: Duration = Duration::from_secs(3600);

/// Whose budget is looked at: the folder, the project and its tasks.
pub type Of<'a> = (&'a Path, &'a str, &'a [String]);

/// Nothing in progress, and nothing held or spent, of the day or of any task: the built-in model is
/// free, also where nobody knows what a call used.
pub async fn none_is_left(fault: &str, of: Of<'_>) {
    for line in at_rest(fault, of).await {
        assert_eq!(line.settled.tokens, 0, "{fault}: spent: {line:?}");
    }
}

/// Nothing is held any more of a model that budgets count; what was used is spent, of the day and of
/// a task.
pub async fn all_is_settled(fault: &str, of: Of<'_>) {
    let lines = at_rest(fault, of).await;
    assert!(lines.len() >= 2, "{fault}: a day and a task have spent: {lines:?}");
    assert!(lines.iter().any(|line| line.settled.tokens > 0), "{fault}: {lines:?}");
}

/// Nothing in progress, and nothing held.
async fn at_rest(fault: &str, (data, project, tasks): Of<'_>) -> Vec<BudgetLine> {
    let store = store(data).await;
    let project: ProjectId = project.parse().unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let days = [now, now - BEFORE].map(Timestamp::since_epoch);
    let days = days.map(|at| BudgetWindow::day(project, at)).into_iter();
    let tasks = tasks.iter().map(|task| task.parse::<TaskId>().unwrap());
    let runs = tasks.map(|task| BudgetWindow::run(project, task));
    let windows: Vec<BudgetWindow> = days.chain(runs).collect();
    let lines = store.budget(&windows).await.unwrap().lines;
    for line in &lines {
        assert_eq!(line.held.tokens, 0, "{fault}: still held: {line:?}");
    }
    let [from, until] = [now - BEFORE, now + BEFORE].map(Timestamp::since_epoch);
    let all = UsageFilter { project, user: None, from, until };
    let total = store.usage(&all, &[]).await.unwrap().total;
    assert!(total.calls >= 1, "{fault}: calls are counted: {total:?}");
    assert_eq!(total.open, 0, "{fault}: a call is still open: {total:?}");
    lines
}

/// Every chain leads to its sealed head and every row is as the records tell, wherever it was cut:
/// a seal is written with what it is of, or not at all.
pub async fn audit_is_whole(fault: &str, data: &Path) {
    let (registrar, keys) = (registrar(), keys());
    let looking = Looking { keys: Some(&keys), checkpoints: None, registrar: &registrar };
    let found = inspect(&data.join("wiiiv.db"), looking).await.unwrap();
    assert_eq!(found.audit, AuditFit::Whole, "{fault}");
}

/// The project's chain, by code that shares nothing with the server; then the folder, by `doctor`, when that is
/// stopped.
pub async fn is_verified(fault: &str, host: &mut Host) {
    host.client().verified().await;
    host.stop().await;
    let data = host.data().display().to_string();
    let mut doctor = host.home().command(&["doctor", "--json", "--data-dir", &data]);
    doctor.env("WIIIV__KEYS__MASTER", MASTER_KEY);
    let (health, found) = check(&Ran::of(doctor.output().unwrap()), "audit");
    assert_eq!(health, "ok", "{fault}: {found}");
}

fn registrar() -> Registrar {
    let book = BaseBook {
        executors: Vec::new(),
        dacs: DacsRules::parse(DACS).unwrap(),
        risk: RiskRules::parse(RISK).unwrap(),
        prices: PriceTable::default(),
    };
    wiiiv_gate::open(book).registrar
}

fn keys() -> MasterKeys {
    MasterKeys::of(MasterKey::parse(MASTER_KEY).unwrap())
}

/// The folder of a server that is not running.
pub async fn store(data: &Path) -> Store {
    let config = StoreConfig::file(data.join("wiiiv.db"));
    Store::open(config, registrar(), keys()).await.unwrap()
}
