//! All executors together: the only way from a permit to a report.

use crate::{
    api::ApiExecutor,
    document::{DocumentRefused, Limits},
    executor::{Executor, StepReport},
    file::FileExecutor,
    notice::{self, Notice},
    sandbox::{Sandbox, SandboxProgram, read_document},
    select::select,
    system::{ConnectionReport, SystemAccess},
    transform::TransformExecutor,
    web::WebExecutor,
};
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{Binding, ExecutorMeta, HostRule, StepFailure, StepType};
use wiiiv_gate::{Authorized, Step, Verifier};
use wiiiv_net::ToolClient;
use wiiiv_retrieval::SourceText;
use wiiiv_workspace::Workspaces;

/// What the gate is opened with.
#[must_use]
pub fn metas() -> Vec<ExecutorMeta> {
    vec![FileExecutor::meta(), ApiExecutor::meta(), WebExecutor::meta(), TransformExecutor::meta()]
}

/// The origin of an address that a webhook can be told something at, or why it cannot.
pub fn check_notice(url: &str, rules: &[HostRule]) -> Result<String, StepFailure> {
    notice::check(url, rules)
}

#[derive(Debug, Clone)]
pub struct Executors {
    file: FileExecutor,
    api: ApiExecutor,
    web: WebExecutor,
    transform: TransformExecutor,
    sandbox: Sandbox,
    documents: Limits,
    client: ToolClient,
}

impl Executors {
    #[must_use]
    pub fn new(
        verifier: Verifier,
        workspaces: Workspaces,
        client: ToolClient,
        program: SandboxProgram,
    ) -> Self {
        let sandbox = Sandbox::new(program);
        Self {
            file: FileExecutor::new(verifier.clone(), workspaces),
            api: ApiExecutor::new(verifier.clone(), client.clone()),
            web: WebExecutor::new(verifier.clone(), client.clone(), sandbox.clone()),
            transform: TransformExecutor::new(verifier, sandbox.clone()),
            sandbox,
            documents: Limits::default(),
            client,
        }
    }

    /// The same, with other bounds of documents.
    #[must_use]
    pub fn with_document_limits(self, documents: Limits) -> Self {
        Self { documents, ..self }
    }

    /// Bounds of documents.
    #[must_use]
    pub const fn document_limits(&self) -> &Limits {
        &self.documents
    }

    /// The text of a file that somebody uploaded: no permit, because nothing but those bytes is read, in a
    /// child that can open and reach nothing.
    pub async fn read_document(
        &self,
        name: &str,
        media_type: Option<&str>,
        bytes: Vec<u8>,
    ) -> Result<SourceText, DocumentRefused> {
        read_document(&self.sandbox, name, media_type, bytes, &self.documents).await
    }

    /// Does what is permitted, once. After `cancel` it reports soon: `Cancelled` where nothing
    /// happened, a failure with `effect_unknown` where that cannot be said. `access` is needed
    /// where the step names a registered system, and used nowhere else.
    pub async fn execute(
        &self,
        permit: Authorized<Step>,
        access: Option<SystemAccess>,
        cancel: &CancellationToken,
    ) -> StepReport {
        if cancel.is_cancelled() {
            return StepReport::cancelled();
        }
        match permit.peek().node().params.step_type() {
            StepType::FileRead | StepType::FileWrite | StepType::FileDelete => {
                self.file.execute(permit, cancel).await
            }
            StepType::ApiCall => self.api.call(permit, access, cancel).await,
            StepType::WebFetch => self.web.execute(permit, cancel).await,
            StepType::Transform => self.transform.execute(permit, cancel).await,
        }
    }

    /// Tries a system out, within the project's egress list: no permit, because nothing but its
    /// log-in and one request that reads is sent.
    pub async fn test_connection(
        &self,
        access: &SystemAccess,
        rules: &[HostRule],
    ) -> ConnectionReport {
        self.api.test(access, rules).await
    }

    /// Tells a project's webhook something, within the project's egress list: no permit, because nothing
    /// but ids and codes is sent. The status that it was answered with.
    pub async fn notify(&self, notice: Notice, rules: &[HostRule]) -> Result<u16, StepFailure> {
        notice::send(&self.client, notice, rules).await
    }

    /// The value of a binding, from the whole output that it is bound to.
    pub async fn select(&self, output: &[u8], binding: &Binding) -> Result<String, StepFailure> {
        select(&self.sandbox, output, binding).await
    }
}
