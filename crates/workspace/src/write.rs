//! Replaces a file's content, whole or not at all.

use crate::{
    content,
    error::WorkspaceError,
    open,
    walk::{self, Missing},
};
use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::fs::{Dir, OpenOptions, Permissions};
use std::io::{self, Write as _};
use wiiiv_domain::{ContentDigest, PreImage, WorkspacePath};

/// What goes where.
pub(crate) struct Replacement<'a> {
    pub(crate) path: &'a WorkspacePath,
    pub(crate) bytes: &'a [u8],
    /// What the plan was drawn for; `None` where its name was not known then.
    pub(crate) expected: Option<PreImage>,
    /// Unique to this attempt.
    pub(crate) staged_as: &'a str,
}

/// A file that holds these bytes already is left alone: the write of an attempt that was
/// interrupted after it is not repeated, and counts as done.
pub(crate) fn replace(
    root: &Dir,
    staging: &Dir,
    new: &Replacement<'_>,
) -> Result<Written, WorkspaceError> {
    let path = new.path;
    let changed = || WorkspaceError::PreImageChanged { path: path.to_string() };
    let missing = match new.expected {
        Some(PreImage::Present(_)) => Missing::Refuse,
        Some(PreImage::Absent) | None => Missing::Create,
    };
    let parent = match walk::parent(root, path, missing) {
        Err(WorkspaceError::NotFound { .. }) => return Err(changed()),
        parent => parent?,
    };
    let digest = ContentDigest::of_bytes(new.bytes);
    let written = Written { digest, size_bytes: new.bytes.len() as u64 };
    let (held, permissions) = held(&parent, path)?;
    if held == PreImage::Present(digest) {
        // An attempt before this one may have been interrupted before the disk confirmed it.
        walk::confirmed(path, walk::sync(&parent))?;
        return Ok(written);
    }
    if new.expected.is_some_and(|expected| expected != held) {
        return Err(changed());
    }
    // Whatever is left of it is swept at the next start.
    let sweep = || drop(staging.remove_file(new.staged_as));
    if let Err(error) = stage(staging, new, permissions) {
        sweep();
        return Err(WorkspaceError::Unstaged { path: path.to_string(), kind: error.kind() });
    }
    if let Err(error) = publish(staging, &parent, new, held) {
        sweep();
        let raced =
            matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::ResourceBusy);
        let io = || WorkspaceError::Io { path: path.to_string(), kind: error.kind() };
        return Err(if raced { changed() } else { io() });
    }
    walk::confirmed(path, walk::sync(&parent))?;
    Ok(written)
}

/// What is there now, and how it may be used.
fn held(
    parent: &Dir,
    path: &WorkspacePath,
) -> Result<(PreImage, Option<Permissions>), WorkspaceError> {
    let Some((file, metadata)) = open::regular(parent, path)? else {
        return Ok((PreImage::Absent, None));
    };
    let digest = content::digest(file, path)?;
    Ok((PreImage::Present(digest), Some(metadata.permissions())))
}

/// The bytes are on disk under another name, outside of every workspace.
fn stage(staging: &Dir, new: &Replacement<'_>, permissions: Option<Permissions>) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).follow(FollowSymlinks::No);
    let mut file = staging.open_with(new.staged_as, &options)?;
    file.write_all(new.bytes)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.sync_all()
}

/// By handle on both sides; a name that was free must still be so.
fn publish(staging: &Dir, parent: &Dir, new: &Replacement<'_>, held: PreImage) -> io::Result<()> {
    let name = new.path.name();
    match held {
        PreImage::Absent => rename_to_free(staging, new.staged_as, parent, name),
        PreImage::Present(_) => exchange(staging, parent, new, held),
    }
}

/// Both change places in one step, and what comes out is looked at: it must be what was looked at
/// before, or the two change back. So nothing that was put there in between is lost.
#[cfg(target_os = "linux")]
fn exchange(staging: &Dir, parent: &Dir, new: &Replacement<'_>, held: PreImage) -> io::Result<()> {
    use rustix::{
        fs::{RenameFlags, renameat_with},
        io::Errno,
    };
    let (staged, name) = (new.staged_as, new.path.name());
    let swap = || renameat_with(staging, staged, parent, name, RenameFlags::EXCHANGE);
    match swap() {
        // A file system without it.
        Err(Errno::INVAL | Errno::NOSYS) => return staging.rename(staged, parent, name),
        // Taken away in between.
        Err(Errno::NOENT) => return Err(io::ErrorKind::ResourceBusy.into()),
        swapped => swapped?,
    }
    if is_still(staging, new, held) {
        return staging.remove_file(staged);
    }
    swap()?;
    Err(io::ErrorKind::ResourceBusy.into())
}

#[cfg(not(target_os = "linux"))]
fn exchange(staging: &Dir, parent: &Dir, new: &Replacement<'_>, _: PreImage) -> io::Result<()> {
    staging.rename(new.staged_as, parent, new.path.name())
}

/// A regular file of one name, with these bytes.
#[cfg(target_os = "linux")]
fn is_still(staging: &Dir, new: &Replacement<'_>, held: PreImage) -> bool {
    let Ok(Some((file, _))) = open::regular_as(staging, new.staged_as, new.path) else {
        return false;
    };
    content::digest(file, new.path).is_ok_and(|digest| PreImage::Present(digest) == held)
}

#[cfg(target_os = "linux")]
fn rename_to_free(from: &Dir, old: &str, to: &Dir, new: &str) -> io::Result<()> {
    use rustix::{
        fs::{RenameFlags, renameat_with},
        io::Errno,
    };
    match renameat_with(from, old, to, new, RenameFlags::NOREPLACE) {
        // A file system without it.
        Err(Errno::INVAL | Errno::NOSYS) => link_to_free(from, old, to, new),
        renamed => Ok(renamed?),
    }
}

#[cfg(not(target_os = "linux"))]
fn rename_to_free(from: &Dir, old: &str, to: &Dir, new: &str) -> io::Result<()> {
    link_to_free(from, old, to, new)
}

/// A new link is refused where the name is taken.
fn link_to_free(from: &Dir, old: &str, to: &Dir, new: &str) -> io::Result<()> {
    from.hard_link(old, to, new)?;
    from.remove_file(old)
}

/// A file holds these bytes now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    pub digest: ContentDigest,
    pub size_bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use cap_std::ambient_authority;

    /// Between the last look and the write: what was put there is not lost.
    #[test]
    fn what_was_put_there_in_between_stays() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let here = Dir::open_ambient_dir(folder.path(), ambient_authority())?;
        here.create_dir("staging")?;
        let staging = here.open_dir("staging")?;
        let path = WorkspacePath::parse("a.txt")?;
        let held = PreImage::Present(ContentDigest::of_bytes(b"old"));
        let new = Replacement { path: &path, bytes: b"new", expected: None, staged_as: "s" };
        let put = |bytes: &str| {
            here.write("a.txt", bytes)?;
            staging.write("s", "new")?;
            publish(&staging, &here, &new, held)
        };
        put("old")?;
        assert_eq!(here.read_to_string("a.txt")?, "new");
        assert!(!staging.exists("s"));
        let refused = put("somebody else's").map_err(|error| error.kind());
        assert_eq!(refused, Err(io::ErrorKind::ResourceBusy));
        assert_eq!(here.read_to_string("a.txt")?, "somebody else's");
        assert_eq!(staging.read_to_string("s")?, "new");
        // Nor where a link, a second name or nothing has taken its place.
        here.remove_file("a.txt")?;
        here.symlink("b.txt", "a.txt")?;
        here.write("b.txt", "old")?;
        assert!(publish(&staging, &here, &new, held).is_err());
        assert!(here.symlink_metadata("a.txt")?.is_symlink());
        here.remove_file("a.txt")?;
        here.hard_link("b.txt", &here, "a.txt")?;
        assert!(publish(&staging, &here, &new, held).is_err());
        assert_eq!(here.read_to_string("b.txt")?, "old");
        here.remove_file("a.txt")?;
        assert!(publish(&staging, &here, &new, held).is_err());
        assert!(!here.exists("a.txt"));
        Ok(())
    }

    #[test]
    fn a_name_that_is_taken_is_not_free_on_any_file_system() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let here = Dir::open_ambient_dir(folder.path(), ambient_authority())?;
        for publish in [rename_to_free, link_to_free] {
            here.write("new", "new")?;
            here.write("taken", "old")?;
            let refused = publish(&here, "new", &here, "taken").map_err(|error| error.kind());
            assert_eq!(refused, Err(io::ErrorKind::AlreadyExists));
            assert_eq!(here.read_to_string("taken")?, "old");
            publish(&here, "new", &here, "free")?;
            assert_eq!(here.read_to_string("free")?, "new");
            assert!(!here.exists("new"));
            here.remove_file("free")?;
        }
        Ok(())
    }
}
