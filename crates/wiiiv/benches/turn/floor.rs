//! The floor: the rows that a turn leaves, inserted once by cached raw statements on one thread,
//! with as many commits as the turn has. Rows that a turn updates or deletes again count once, in
//! their last state; there are no reads.

use crate::{governed::Governed, report::Column};
use rusqlite::{Connection, params_from_iter, types::Value};
use std::{collections::BTreeMap, time::Instant};

const TURNS: usize = 500;

pub struct Floor {
    pub rows_per_turn: f64,
    pub cpu_us: f64,
    pub wall_ms: f64,
}

/// The insert statement of a table and the rows that `TURNS` turns left in it.
struct Table {
    insert: String,
    rows: Vec<Vec<Value>>,
}

pub fn row_counts(governed: &Governed) -> BTreeMap<String, i64> {
    let source = Connection::open(&governed.database).expect("the database");
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
    let mut names = source.prepare(sql).expect("tables");
    let names = names.query_map([], |row| row.get::<_, String>(0)).expect("tables");
    let count = |name: String| {
        let sql = format!("SELECT COUNT(*) FROM \"{name}\"");
        let count = source.query_row(&sql, [], |row| row.get(0)).expect("a count");
        (name, count)
    };
    names.map(|name| count(name.expect("a name"))).collect()
}

/// One for each column: turns that share commits have fewer.
pub fn measure(
    governed: &Governed,
    before: &BTreeMap<String, i64>,
    columns: &[Column],
) -> Vec<Floor> {
    let turns: usize = columns.iter().map(Column::turns).sum();
    let source = Connection::open(&governed.database).expect("the database");
    let added = row_counts(governed).into_iter().map(|(name, count)| {
        let rows = (count - before.get(&name).copied().unwrap_or(0)).max(0) as f64;
        (name, rows / turns as f64)
    });
    let added: Vec<(String, f64)> = added.filter(|(_, rows)| *rows > 0.01).collect();
    let tables: Vec<Table> =
        added.iter().map(|(name, rows)| Table::read(&source, name, *rows)).collect();
    let floor = |column: &Column| {
        let commits_per_turn = column.per_turn(column.counters.commits).unwrap_or(1.0);
        let folder = tempfile::tempdir().expect("a folder");
        let target = Connection::open(folder.path().join("floor.db")).expect("a database");
        schema(&source, &target);
        let (cpu, start) = (thread_cpu_us(), Instant::now());
        insert(&target, &tables, (TURNS as f64 * commits_per_turn).round().max(1.0) as usize);
        Floor {
            rows_per_turn: added.iter().map(|(_, rows)| rows).sum(),
            cpu_us: (thread_cpu_us() - cpu) / TURNS as f64,
            wall_ms: start.elapsed().as_secs_f64() * 1e3 / TURNS as f64,
        }
    };
    columns.iter().map(floor).collect()
}

impl Table {
    fn read(source: &Connection, name: &str, rows_per_turn: f64) -> Self {
        let limit = (rows_per_turn * TURNS as f64).round() as i64;
        let sql = format!("SELECT * FROM \"{name}\" ORDER BY rowid DESC LIMIT {limit}");
        let mut statement = source.prepare(&sql).expect("a table with row ids");
        let columns = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| (0..columns).map(|at| row.get(at)).collect();
        let rows = statement.query_map([], row).expect("rows");
        let mut rows: Vec<Vec<Value>> = rows.map(|row| row.expect("a row")).collect();
        rows.reverse();
        let places = vec!["?"; columns].join(",");
        Self { insert: format!("INSERT INTO \"{name}\" VALUES ({places})"), rows }
    }
}

/// The same tables, indexes and triggers.
fn schema(source: &Connection, target: &Connection) {
    let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
                    PRAGMA foreign_keys = OFF;";
    target.execute_batch(settings).expect("settings");
    let sql = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' \
               ORDER BY CASE type WHEN 'table' THEN 0 ELSE 1 END";
    let mut statement = source.prepare(sql).expect("the schema");
    let statements = statement.query_map([], |row| row.get::<_, String>(0)).expect("the schema");
    for statement in statements {
        target.execute_batch(&statement.expect("a statement")).expect("the same schema");
    }
}

/// The rows of all turns, spread over so many commits.
fn insert(target: &Connection, tables: &[Table], commits: usize) {
    let mut statements: Vec<_> =
        tables.iter().map(|table| target.prepare(&table.insert).expect("an insert")).collect();
    let mut begin = target.prepare("BEGIN IMMEDIATE").expect("a statement");
    let mut end = target.prepare("COMMIT").expect("a statement");
    for commit in 0..commits {
        begin.execute([]).expect("begun");
        for (table, statement) in tables.iter().zip(&mut statements) {
            let share = |commit: usize| table.rows.len() * commit / commits;
            for row in &table.rows[share(commit)..share(commit + 1)] {
                statement.execute(params_from_iter(row)).expect("inserted");
            }
        }
        end.execute([]).expect("committed");
    }
}

/// Of this thread, to the nanosecond.
fn thread_cpu_us() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("its figures");
    let on_cpu = text.split_whitespace().next().expect("nanoseconds");
    on_cpu.parse::<f64>().expect("nanoseconds") / 1e3
}
