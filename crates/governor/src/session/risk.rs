//! A session's standing: risk from what is said, read and done, and taint from foreign content.

use crate::{clock, session::Journal, telemetry};
use serde_json::json;
use wiiiv_domain::Timestamp;
use wiiiv_gate::{RiskRules, RiskSignal};
use wiiiv_store::{AuditEntry, StoreError, Write};

/// What the next ruling may be made on: as it is on record, or as it is about to be.
struct Base {
    score: u32,
    tainted: bool,
}

impl Journal {
    /// Adds the message's risk and ends the last turn's taint. Written before the turn's rulings,
    /// because each names its standing.
    pub async fn judge(&mut self, rules: &RiskRules, text: &str) -> Result<(), StoreError> {
        let Base { score, tainted } = self.base().await?;
        let (signals, now) = (rules.said(text), clock::now());
        let risk_score = rules.raised(self.faded(rules, score, now), &signals);
        if signals.is_empty() && !tainted && risk_score == score {
            return Ok(());
        }
        let (entry, write) = self.changed((score, risk_score), false, &signals, now);
        if signals.is_empty() {
            // A lower standing may wait for T0: rulings until then name the stricter one.
            self.audit(entry);
            self.write(write);
        } else {
            self.write_first(write, entry).await?;
        }
        Ok(())
    }

    /// Adds signals in a boundary of their own, before what follows is ruled on.
    pub async fn raise_first(
        &mut self,
        rules: &RiskRules,
        signals: &[RiskSignal],
    ) -> Result<(), StoreError> {
        let (entry, write) = self.raise(rules, signals).await?;
        self.write_first(write, entry).await
    }

    /// Adds signals to the pending boundary.
    pub async fn raise_with_next(
        &mut self,
        rules: &RiskRules,
        signals: &[RiskSignal],
    ) -> Result<(), StoreError> {
        let (entry, write) = self.raise(rules, signals).await?;
        self.audit(entry);
        self.write(write);
        Ok(())
    }

    async fn raise(
        &mut self,
        rules: &RiskRules,
        signals: &[RiskSignal],
    ) -> Result<(AuditEntry, Write), StoreError> {
        let Base { score, tainted } = self.base().await?;
        let now = clock::now();
        let risk_score = rules.raised(self.faded(rules, score, now), signals);
        Ok(self.changed((score, risk_score), tainted, signals, now))
    }

    async fn base(&self) -> Result<Base, StoreError> {
        if let Some((score, tainted)) = self.pending.standing() {
            return Ok(Base { score, tainted });
        }
        let standing = self.records.standing().await?;
        Ok(Base { score: standing.risk_score, tainted: standing.tainted })
    }

    /// A score fades from where it was written.
    fn faded(&mut self, rules: &RiskRules, score: u32, now: Timestamp) -> u32 {
        let at = *self.risk.at.get_or_insert(now);
        rules.faded(score, now.since_ms(at))
    }

    fn changed(
        &mut self,
        (before, score): (u32, u32),
        tainted: bool,
        signals: &[RiskSignal],
        now: Timestamp,
    ) -> (AuditEntry, Write) {
        if score != before || !signals.is_empty() {
            self.risk.at = Some(now);
        }
        for signal in signals {
            self.risk.note(&signal.code, signal.source, now);
            telemetry::risk_signal(signal);
        }
        let codes: Vec<&str> = signals.iter().map(|s| s.code.as_str()).collect();
        let source = signals.first().map(|signal| signal.source);
        let body = json!({
            "session": self.row.id, "score": score, "signals": codes, "source": source,
        });
        (AuditEntry::new("session.risk", body), self.standing(score, tainted))
    }

    /// In place of one that is pending.
    pub fn standing(&mut self, risk_score: u32, tainted: bool) -> Write {
        self.pending.drop_standing();
        Write::Standing { risk_score, tainted, history: Some(Box::new(self.risk.clone())) }
    }

    /// This turn uses foreign content: its writes need an approval.
    pub async fn taint(&mut self) -> Result<(), StoreError> {
        let Base { score, tainted } = self.base().await?;
        if !tainted {
            let write = self.standing(score, true);
            let entry = AuditEntry::new("session.tainted", json!({"session": self.row.id}));
            self.write_first(write, entry).await?;
        }
        Ok(())
    }
}
