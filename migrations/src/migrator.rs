//! The steps in order. A released step is never edited.

use crate::step::Step;
use sea_orm_migration::{MigrationTrait, MigratorTrait, async_trait::async_trait};

/// Brings a database to the schema of this build.
#[derive(Debug)]
pub struct Migrator;

#[async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        let steps = [
            Step::new("0001_accounts", include_str!("../sql/0001_accounts.sql")),
            Step::new("0002_projects", include_str!("../sql/0002_projects.sql")),
            Step::new("0003_sessions", include_str!("../sql/0003_sessions.sql"))
                .append_only(&["session_event"]),
            Step::new("0004_decisions", include_str!("../sql/0004_decisions.sql")),
            Step::new("0005_budgets", include_str!("../sql/0005_budgets.sql")),
            Step::new("0006_audit", include_str!("../sql/0006_audit.sql"))
                .append_only(&["audit_record", "audit_checkpoint"]),
            Step::new("0007_systems", include_str!("../sql/0007_systems.sql")),
            Step::new("0008_ghost", include_str!("../sql/0008_ghost.sql"))
                .append_only(&["ghost_result"]),
            Step::new("0009_open", include_str!("../sql/0009_open.sql")),
            Step::new("0010_activity", include_str!("../sql/0010_activity.sql")),
            Step::new("0011_turns", include_str!("../sql/0011_turns.sql")),
            Step::new("0012_model_keys", include_str!("../sql/0012_model_keys.sql")),
            Step::new("0013_usage", include_str!("../sql/0013_usage.sql"))
                .on_sqlite(include_str!("../sql/0013_usage.sqlite.sql")),
            Step::new("0014_master_keys", include_str!("../sql/0014_master_keys.sql")),
            Step::new("0015_qualification", include_str!("../sql/0015_qualification.sql")),
            Step::new("0016_previews", include_str!("../sql/0016_previews.sql")),
            Step::new("0017_conversations", include_str!("../sql/0017_conversations.sql")),
            Step::new("0018_seals", include_str!("../sql/0018_seals.sql")),
            Step::new("0019_token_kind", include_str!("../sql/0019_token_kind.sql")),
            Step::new("0020_keyed_requests", include_str!("../sql/0020_keyed_requests.sql")),
            Step::new("0021_page_keys", include_str!("../sql/0021_page_keys.sql")),
            Step::new("0022_shares", include_str!("../sql/0022_shares.sql")),
            Step::new("0023_record_seals", include_str!("../sql/0023_record_seals.sql"))
                .on_sqlite(include_str!("../sql/0023_record_seals.sqlite.sql")),
            Step::new("0024_recorded_runs", include_str!("../sql/0024_recorded_runs.sql")),
            Step::new("0025_tranches", include_str!("../sql/0025_tranches.sql")),
            Step::new("0026_replay_seeds", include_str!("../sql/0026_replay_seeds.sql")),
            Step::new("0028_halts", include_str!("../sql/0028_halts.sql")),
            Step::new("0029_open_turns", include_str!("../sql/0029_open_turns.sql")),
            Step::new("0032_rollout", include_str!("../sql/0032_rollout.sql"))
                .append_only(&["divergence_review"]),
            Step::new("0033_session_risk", include_str!("../sql/0033_session_risk.sql")),
            Step::new("0035_quorum", include_str!("../sql/0035_quorum.sql"))
                .append_only(&["approval_yes"]),
            Step::new("0036_audit_readers", include_str!("../sql/0036_audit_readers.sql"))
                .on_sqlite(include_str!("../sql/0036_audit_readers.sqlite.sql")),
            Step::new("0037_runner_keys", include_str!("../sql/0037_runner_keys.sql")),
            Step::new("0039_approval_grants", include_str!("../sql/0039_approval_grants.sql"))
                .append_only(&["approval_grant", "approval_grant_use", "approval_grant_revoked"]),
            Step::new("0040_overrides", include_str!("../sql/0040_overrides.sql")),
            Step::new("0041_edits", include_str!("../sql/0041_edits.sql")),
            Step::new("0042_delegation", include_str!("../sql/0042_delegation.sql"))
                .append_only(&["approval_delegation", "approval_delegation_end"]),
            Step::new("0043_revocations", include_str!("../sql/0043_revocations.sql"))
                .on_sqlite(include_str!("../sql/0043_revocations.sqlite.sql"))
                .on_postgres(include_str!("../sql/0043_revocations.postgres.sql")),
            Step::new("0044_grant_beginnings", include_str!("../sql/0044_grant_beginnings.sql")),
            Step::new("0045_memory", include_str!("../sql/0045_memory.sql")),
            Step::new("0047_profile", include_str!("../sql/0047_profile.sql")),
            // INVARIANT: behind 0047, which earlier builds took without it: steps are only ever added at the end.
            Step::new("0046_document", include_str!("../sql/0046_document.sql")),
        ];
        steps.into_iter().map(|step| Box::new(step) as Box<dyn MigrationTrait>).collect()
    }
}
