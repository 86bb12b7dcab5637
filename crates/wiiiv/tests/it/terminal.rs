//! A person at a terminal: what is shown is read, what is asked is answered.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(30);
/// The screen is looked at this often.
const LOOK: Duration = Duration::from_millis(50);

pub struct Terminal {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    screen: String,
    /// Up to where the screen was read.
    read: usize,
}

impl Terminal {
    pub fn start(mut command: Command) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let line = OpenOptions::new().read(true).write(true).open(path).unwrap();
        let end = || Stdio::from(line.try_clone().unwrap());
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        // Held by nobody here: the screen ends with the program. The command holds three of them.
        drop((command, line));
        let keys = File::from(master);
        let mut screen = keys.try_clone().unwrap();
        let (show, shown) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                let _gone = show.send(bytes[..count].to_vec());
            }
        });
        Self { child, keys, shown, screen: String::new(), read: 0 }
    }

    fn look(&mut self) {
        while let Ok(bytes) = self.shown.recv_timeout(LOOK) {
            self.screen.push_str(&String::from_utf8_lossy(&bytes));
        }
    }

    /// Waits until this is shown, behind what was waited for before; what stood up to there.
    pub fn wait_for(&mut self, text: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            self.look();
            let unread = &self.screen[self.read..];
            if let Some(at) = unread.find(text) {
                let passed = unread[..at + text.len()].to_owned();
                self.read += passed.len();
                return passed;
            }
            assert!(Instant::now() < end, "no `{text}` on the screen: {}", self.screen);
        }
    }

    pub fn type_line(&mut self, line: &str) {
        writeln!(self.keys, "{line}").unwrap();
    }

    /// How it ended, and everything that was shown.
    pub fn end(mut self) -> (i32, String) {
        let end = Instant::now() + PATIENCE;
        let code = loop {
            self.look();
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.code().unwrap();
            }
            assert!(Instant::now() < end, "it does not end: {}", self.screen);
        };
        self.look();
        (code, self.screen.clone())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}
