//! The second yes to an override: the act, the version that is in force for a while and what the row says
//! of them are one commit. Whoever dies before it leaves a proposal that waits, and nothing of it in force.

use super::{APPROVED, BEGAN, OverrideRefused};
use crate::{
    account::authority::{APPROVERS, Authority, may},
    audit::Chain,
    database::{clock::now, number::to_db, statement::execute},
    error::StoreError,
    policy::version::put_in_force,
    store::Store,
    writer::{
        boundary::{AuditEntry, Boundary, Writer},
        commit::acted,
        point::Point,
        write_transaction::WriteTransaction,
    },
};
use serde_json::json;
use std::sync::LazyLock;
use wiiiv_domain::{OverrideProposal, PolicyDocument, Timestamp, UserId};
use wiiiv_gate::{
    PolicyVersion, Principal, Recorded, Registrar, Unrecorded, UserEvent, policy_override,
};

/// What the second yes rests on, and the version that it puts in force.
#[derive(Debug)]
pub struct NewOverride {
    /// Who proposed it, as [`Store::proposed_override`] has it.
    pub proposed: Recorded<UserEvent>,
    pub proposal: OverrideProposal,
    /// The version that it is made on.
    pub current: Recorded<PolicyVersion>,
    pub document: PolicyDocument,
}

impl Store {
    pub async fn approve_override(
        &self,
        who: &Principal,
        said: Unrecorded<UserEvent>,
        new: NewOverride,
    ) -> Result<(), OverrideRefused> {
        let said = self.registrar().take(said).map_err(StoreError::from)?;
        let (registrar, user) = (self.registrar_for_writer(), who.user());
        let boundary = Boundary::new(Point::E).by(who);
        Authority::check(boundary.by.as_ref(), self.registrar())?;
        self.write(Point::E, move |tx| {
            Box::pin(async move {
                let at = now();
                let writer = Writer::Project(new.proposal.project);
                let (said, _) = acted(tx, (&writer, &boundary), (&registrar, &said), at).await?;
                new.begin(tx, (&registrar, user), &said, at).await
            })
        })
        .await
    }
}

/// Both may approve still, and they are two.
static BEGIN: LazyLock<String> = LazyLock::new(|| {
    let stands = may("proposed_by", "project", APPROVERS);
    format!(
        "UPDATE policy_override SET approved_by = $2, approved_seq = $3, approved_at = $4, \
         version = $5, ends_at = $6 WHERE id = $1 AND approved_by IS NULL AND ended_at IS NULL \
         AND expires_at > $4 AND proposed_by <> $2 AND {stands}"
    )
});

impl NewOverride {
    async fn begin(
        self,
        tx: &mut WriteTransaction,
        (registrar, by): (&Registrar, UserId),
        said: &Recorded<UserEvent>,
        at: Timestamp,
    ) -> Result<(), OverrideRefused> {
        let Self { proposed, proposal, current, document } = self;
        let expected = current.body().document().id;
        let version =
            policy_override::overridden((&proposed, said), &proposal, document, &current)?;
        let version = registrar.take(version).map_err(StoreError::from)?;
        let document = version.document();
        let until = document.temporary().map(|temporary| temporary.until);
        let until = until.ok_or_else(|| StoreError::corrupt("an override's version"))?;
        let chain = Chain::Project(document.project);
        let yes = json!({ "by": by, "event": said.at().to_string(), "override": proposal.id });
        let seq = tx.record(chain, at, AuditEntry::new(APPROVED, yes)).await?;
        put_in_force(tx, &version, expected, at).await?;
        let began = json!({
            "number": document.number, "override": proposal.id, "policy": document.id,
            "proposal": policy_override::proposal_digest(&proposal)?, "scope": proposal.scope, "until": until,
        });
        tx.record(chain, at, AuditEntry::new(BEGAN, began)).await?;
        let values = vec![
            proposal.id.uuid().into(),
            by.uuid().into(),
            to_db(seq)?.into(),
            at.unix_ms().into(),
            document.id.uuid().into(),
            until.unix_ms().into(),
        ];
        match execute(&tx.db, &BEGIN, values).await? {
            1 => Ok(()),
            _ => Err(OverrideRefused::Gone),
        }
    }
}
