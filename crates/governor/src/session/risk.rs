//! A session's standing: risk from messages, and taint from foreign content.

use crate::{clock, session::Journal};
use wiiiv_gate::RiskRules;
use wiiiv_store::{AuditEntry, StoreError, Write};

impl Journal {
    /// Adds the message's risk and ends the last turn's taint. Written before the turn's rulings,
    /// because each names its standing.
    pub async fn judge(&mut self, rules: &RiskRules, text: &str) -> Result<(), StoreError> {
        let standing = self.records.standing().await?;
        let signals = rules.signals(text);
        let now = clock::now();
        let elapsed = self.judged_at.replace(now).map_or(0, |at| now.since_ms(at));
        let risk_score = rules.raised(rules.faded(standing.risk_score, elapsed), &signals);
        if signals.is_empty() && !standing.tainted && risk_score == standing.risk_score {
            return Ok(());
        }
        let codes: Vec<&str> = signals.iter().map(|s| s.code.as_str()).collect();
        let body = serde_json::json!({"score": risk_score, "signals": codes});
        let (entry, write) =
            (AuditEntry::new("session.risk", body), Write::Standing { risk_score, tainted: false });
        if signals.is_empty() {
            // A lower standing may wait for T0: rulings until then name the stricter one.
            self.audit(entry);
            self.write(write);
        } else {
            self.write_first(write, entry).await?;
        }
        Ok(())
    }

    /// This turn uses foreign content: its writes need an approval.
    pub async fn taint(&self) -> Result<(), StoreError> {
        let standing = self.records.standing().await?;
        if !standing.tainted {
            let write = Write::Standing { risk_score: standing.risk_score, tainted: true };
            let body = serde_json::json!({"session": self.row.id});
            let entry = AuditEntry::new("session.tainted", body);
            self.write_first(write, entry).await?;
        }
        Ok(())
    }
}
