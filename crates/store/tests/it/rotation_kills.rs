//! The process is killed again and again while the master key is rotated and keys are set: each start
//! finds every key, and in the end nothing is under an old one.

use crate::{
    rotation::{ORIGIN, ended, key, read, versions},
    test_store::{TestStore, inspected, opened, permissive},
};
use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};
use uuid::Uuid;
use wiiiv_domain::{KeyHolder, ProviderName::OpenAi, UserId};
use wiiiv_store::{FaultPoint, KeyFit, Store, StoreConfig};
use wiiiv_vault::{MasterKey, MasterKeys, random_bytes};

const TEST: &str = "rotation_kills::no_kill_loses_a_key_or_leaves_one_behind";
const KILLS: usize = 8;
const KILLS_LONG: usize = 200;
const HOLDERS: usize = 24;
/// From the child's first word to the kill, in milliseconds.
const LIFE_MAX: u64 = 60;
/// Of the writer's boundaries, in a life that ends at one: each moved row is one.
const BOUNDARIES_MAX: u64 = 30;
/// How a child is told what it is to do.
const FOLDER: &str = "WIIIV_TEST_FOLDER";
const FROM: &str = "WIIIV_TEST_FROM";
const FAULT: &str = "WIIIV_TEST_FAULT";
/// What the child has done; it outlives the child.
const LOG: &str = "log";
const EXPECTED: &str = "expected";
const BY: &str = "by";

/// A key of its own for each version.
fn master(version: u32) -> MasterKey {
    MasterKey::parse(&format!("{:08x}", version + 0x5eed).repeat(8)).unwrap()
}

fn keys(version: u32) -> MasterKeys {
    MasterKeys::of(master(version))
}

async fn open(folder: &Path, keys: MasterKeys, faults: Option<FaultPoint>) -> Store {
    let config = StoreConfig { faults, ..StoreConfig::file(folder.join("wiiiv.db")) };
    Store::open(config, opened().registrar, keys).await.unwrap()
}

fn random(below: u64) -> u64 {
    u64::from_le_bytes(*random_bytes::<8>().unwrap()) % below
}

/// What each holder's key may be: one value, or two where a setting was cut off.
type Expected = BTreeMap<String, Vec<String>>;

fn expected(folder: &Path) -> Expected {
    let text = fs::read_to_string(folder.join(EXPECTED)).unwrap();
    let line = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        (words.next().unwrap(), words.collect())
    };
    text.lines().map(line).collect()
}

fn write_expected(folder: &Path, expected: &Expected) {
    let line = |(holder, values): (&String, &Vec<String>)| format!("{holder} {}", values.join(" "));
    let lines: Vec<String> = expected.iter().map(line).collect();
    fs::write(folder.join(EXPECTED), lines.join("\n")).unwrap();
}

/// `try` stands there before a key is set, `set` after.
fn take_log(folder: &Path, expected: &mut Expected) -> usize {
    let text = fs::read_to_string(folder.join(LOG)).unwrap_or_default();
    let mut sets = 0;
    for line in text.lines() {
        let [word, holder, value] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let values = expected.get_mut(holder).unwrap();
        match word {
            "try" => values.push(value.to_owned()),
            _ => {
                *values = vec![value.to_owned()];
                sets += 1;
            }
        }
    }
    let _none_yet = fs::remove_file(folder.join(LOG));
    sets
}

async fn all_are_there(store: &Store, expected: &Expected) {
    for (holder, values) in expected {
        let found = read(store, holder.parse().unwrap(), OpenAi).await.unwrap();
        assert!(values.contains(&found), "{holder}: {found}, not {values:?}");
    }
}

/// As the process that is killed: reads every key, then rotates, and sets keys meanwhile.
async fn live(folder: &Path, from: u32, fault: Option<FaultPoint>) {
    let store = open(folder, keys(from).with_next(master(from + 1)), fault).await;
    let (expected, by) = (expected(folder), fs::read_to_string(folder.join(BY)).unwrap());
    let by: UserId = by.parse().unwrap();
    all_are_there(&store, &expected).await;
    println!("every key is there");
    let (set, holders) = (store.clone(), expected.into_keys().collect::<Vec<_>>());
    let mut log = fs::OpenOptions::new().append(true).create(true).open(folder.join(LOG)).unwrap();
    let writer = tokio::spawn(async move {
        loop {
            let holder = &holders[usize::try_from(random(holders.len() as u64)).unwrap()];
            let value = format!("sk-{}", Uuid::now_v7().simple());
            let at: KeyHolder = holder.parse().unwrap();
            let row = set.model_key(at, OpenAi).await.unwrap().unwrap();
            log.write_all(format!("try {holder} {value}\n").as_bytes()).unwrap();
            let given = (key(&value), ORIGIN.to_owned());
            set.set_model_key(by, (at, OpenAi), given, Some(row.revision)).await.unwrap();
            log.write_all(format!("set {holder} {value}\n").as_bytes()).unwrap();
        }
    });
    store.rotate_master_key(by, Some(master(from + 1))).await.unwrap();
    ended(&store).await;
    writer.abort();
}

/// What it says goes to a pipe that is open as long as it lives.
struct Life {
    child: Child,
    _out: BufReader<ChildStdout>,
}

impl Life {
    /// It has read every key when this returns, or is dead.
    fn begin(folder: &Path, from: u32, fault: Option<&str>) -> (Self, bool) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", TEST, "--nocapture"]).stdout(Stdio::piped());
        command.env(FOLDER, folder).env(FROM, from.to_string()).stderr(Stdio::piped());
        command.envs(fault.map(|fault| (FAULT, fault)));
        let mut child = command.spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut lines = out.by_ref().lines().map_while(Result::ok);
        let ready = lines.any(|line| line.ends_with("every key is there"));
        (Self { child, _out: out }, ready)
    }

    /// Whether it ended by itself, with the rotation.
    fn end(self, fault: Option<&str>) -> bool {
        let output = self.child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let killed = !said.contains("panicked")
            && fault.is_none_or(|fault| said.contains(&format!("fault reached: {fault}")));
        assert!(output.status.success() || killed, "{fault:?}: {:?}, {said}", output.status);
        output.status.success()
    }
}

/// One life; `true`: it came to the end of the rotation.
fn lived(folder: &Path, from: u32, by_fault: bool) -> bool {
    let side = if random(2) == 0 { "before" } else { "after" };
    let fault = by_fault.then(|| format!("P:{side}:{}", random(BOUNDARIES_MAX) + 1));
    let (mut life, ready) = Life::begin(folder, from, fault.as_deref());
    assert!(ready || by_fault, "it ended before it had read every key");
    if !by_fault {
        std::thread::sleep(Duration::from_millis(random(LIFE_MAX)));
        let _over = life.child.kill();
    }
    life.end(fault.as_deref())
}

/// The old version is gone, certified, and its key alone is not enough.
async fn is_over(folder: &Path, from: u32, expected: &Expected) {
    let file = folder.join("wiiiv.db");
    let old = inspected(&file, Some(&keys(from))).await.unwrap();
    assert!(matches!(old.key, KeyFit::Wrong(_)), "{old:?}");
    assert_eq!(versions(folder).await.into_keys().collect::<Vec<_>>(), [from + 1]);
    let store = open(folder, keys(from + 1), None).await;
    all_are_there(&store, expected).await;
    let rotation = ended(&store).await;
    let certificate = rotation.certificate.unwrap();
    assert_eq!((&certificate["from"], &certificate["to"]), (&from.into(), &(from + 1).into()));
    assert_eq!(certificate["sealed"]["model_key"], HOLDERS);
    // Nothing of this handle writes any more when the next child does.
    store.checkpoint_all().await.unwrap();
}

async fn furnish(folder: &Path) {
    let test = TestStore::on_disk(folder, permissive()).await;
    test.store.rotate_master_key(test.user, Some(master(2))).await.unwrap();
    ended(&test.store).await;
    let mut expected = Expected::new();
    for _ in 0..HOLDERS {
        let (holder, value) = (KeyHolder::User(Uuid::now_v7().into()), "sk-before-0000");
        let given = (key(value), ORIGIN.to_owned());
        test.store.set_model_key(test.user, (holder, OpenAi), given, None).await.unwrap();
        expected.insert(holder.to_string(), vec![value.to_owned()]);
    }
    write_expected(folder, &expected);
    fs::write(folder.join(BY), test.user.to_string()).unwrap();
}

/// Runs itself again in processes of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_kill_loses_a_key_or_leaves_one_behind() {
    if let (Ok(folder), Ok(from)) = (std::env::var(FOLDER), std::env::var(FROM)) {
        let fault = std::env::var(FAULT).ok().map(|fault| fault.parse().unwrap());
        return live(Path::new(&folder), from.parse().unwrap(), fault).await;
    }
    let due = if std::env::var_os("WIIIV_LONG").is_some() { KILLS_LONG } else { KILLS };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    furnish(folder).await;
    let (mut from, mut kills, mut sets, mut expected) = (2, 0, 0, expected(folder));
    let mut cut = false;
    while kills < due || cut {
        let over = if kills < due {
            lived(folder, from, kills % 2 == 0)
        } else {
            let (life, _) = Life::begin(folder, from, None);
            life.end(None)
        };
        sets += take_log(folder, &mut expected);
        write_expected(folder, &expected);
        cut = !over;
        if over {
            is_over(folder, from, &expected).await;
            from += 1;
        } else {
            kills += 1;
        }
    }
    println!("{kills} kills, {} rotations ended, {sets} keys set meanwhile", from - 2);
    assert!(kills >= due && from > 2 && sets > 0, "{kills} kills, {from}, {sets}");
}
