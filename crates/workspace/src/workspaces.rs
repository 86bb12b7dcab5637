//! All projects' folders below one base, and the only functions that change a file in one.

use crate::{
    delete,
    error::WorkspaceError,
    walk::io_error,
    workspace::Workspace,
    write::{self, Replacement, Written},
};
use cap_fs_ext::DirExt as _;
use cap_std::{ambient_authority, fs::Dir};
use std::{io, path::Path, sync::Arc};
use wiiiv_domain::{BOUND_BYTES_MAX, ProjectId, StepParams, WorkspacePath};
use wiiiv_gate::{Authorized, Step, Verifier};

/// Beside the projects' folders, so that a half-written file is never seen in one.
const STAGING: &str = ".staging";

/// A file is not there any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deleted;

/// Cheap to clone: the handles are shared.
#[derive(Debug, Clone)]
pub struct Workspaces {
    base: Arc<Dir>,
    staging: Arc<Dir>,
    verifier: Verifier,
}

impl Workspaces {
    /// Makes the base folder where there is none, and sweeps what an interrupted write has left.
    pub fn new(base: &Path, verifier: Verifier) -> io::Result<Self> {
        Dir::create_ambient_dir_all(base, ambient_authority())?;
        let base = Dir::open_ambient_dir(base, ambient_authority())?;
        let staging = open_or_create(&base, STAGING)?;
        for left in staging.entries()? {
            staging.remove_file(left?.file_name())?;
        }
        Ok(Self { base: Arc::new(base), staging: Arc::new(staging), verifier })
    }

    /// The project's folder, made where there is none.
    pub fn of(&self, project: ProjectId) -> io::Result<Workspace> {
        Ok(Workspace::of(open_or_create(&self.base, &project.to_string())?))
    }

    /// Puts the step's content in its file's place. The file must hold what the plan was drawn
    /// for, or already what it is to hold.
    pub fn write(&self, permit: Authorized<Step>) -> Result<Written, WorkspaceError> {
        let step = self.verifier.redeem(permit)?;
        let StepParams::FileWrite { .. } = step.node().params else { return Err(wrong(&step)) };
        let path = path_of(&step)?;
        let bytes = step.value("content").ok_or_else(|| wrong(&step))?.as_bytes();
        if bytes.len() as u64 > BOUND_BYTES_MAX {
            let max_bytes = BOUND_BYTES_MAX;
            return Err(WorkspaceError::TooLarge { path: path.to_string(), max_bytes });
        }
        let staged_as = format!("{}-{}-{}", step.execution(), step.id(), step.attempt());
        let new =
            Replacement { path: &path, bytes, expected: step.pre_image(), staged_as: &staged_as };
        let workspace = self.of(step.project()).map_err(|error| io_error(&path, &error))?;
        write::replace(workspace.root(), &self.staging, &new)
    }

    /// Takes the step's file away. It must hold what the plan was drawn for, or be gone.
    pub fn delete(&self, permit: Authorized<Step>) -> Result<Deleted, WorkspaceError> {
        let step = self.verifier.redeem(permit)?;
        let StepParams::FileDelete { .. } = step.node().params else { return Err(wrong(&step)) };
        let path = path_of(&step)?;
        let workspace = self.of(step.project()).map_err(|error| io_error(&path, &error))?;
        delete::remove(workspace.root(), &path, step.pre_image())?;
        Ok(Deleted)
    }
}

fn wrong(step: &Step) -> WorkspaceError {
    WorkspaceError::WrongStep { found: step.node().params.step_type() }
}

fn path_of(step: &Step) -> Result<WorkspacePath, WorkspaceError> {
    let path = step.path().map_err(|_| wrong(step))?;
    Ok(WorkspacePath::parse(&path)?)
}

fn open_or_create(base: &Dir, name: &str) -> io::Result<Dir> {
    match base.create_dir(name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => base.open_dir_nofollow(name),
    }
}
