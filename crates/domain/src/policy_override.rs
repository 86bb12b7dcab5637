//! Overrides: another policy that holds for a while, for a part of a project's requests. Its end puts the
//! policy before it back in force.

use crate::{
    clock::Timestamp,
    id::{OverrideId, PolicyVersionId, ProjectId},
    policy::{HostRule, ProjectPolicy},
    task::TaskType,
};
use serde::{Deserialize, Serialize};

/// The shortest time that an override lasts, in seconds.
pub const OVERRIDE_SECONDS_MIN: u32 = 60;
/// The longest time that an override lasts, in seconds.
pub const OVERRIDE_SECONDS_MAX: u32 = 72 * 3600;

/// What an override holds for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum OverrideScope {
    /// The first run of a plan that the policy before would deny.
    Request,
    /// Plans of this type, and their runs.
    Type {
        /// The type.
        task_type: TaskType,
    },
    /// Everything.
    Window,
}

/// Why an override ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OverrideEnd {
    /// Its time was over.
    Expired,
    /// The one run that it was for has ended.
    Used,
    /// A person ended it.
    Ended,
}

impl OverrideEnd {
    /// As it is written in records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Expired => "expired",
            Self::Used => "used",
            Self::Ended => "ended",
        }
    }
}

/// What a person proposes, and two approve: its digest is what each of them names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OverrideProposal {
    /// [`OverrideProposal::VERSION`] of the build that wrote it.
    pub version: u32,
    /// Its id, drawn at random: the digest cannot be guessed.
    pub id: OverrideId,
    /// The project.
    pub project: ProjectId,
    /// The policy version that it was made on. It begins over no other.
    pub on: PolicyVersionId,
    /// What it holds for.
    pub scope: OverrideScope,
    /// How long it lasts from its beginning, in seconds.
    pub ttl_seconds: u32,
    /// Why; a person's own words.
    pub reason: String,
    /// The rules while it lasts.
    pub policy: ProjectPolicy,
}

impl OverrideProposal {
    /// Version of the document that this build writes.
    pub const VERSION: u32 = 1;
}

/// Of a policy version that holds for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TemporaryPolicy {
    /// The override.
    pub id: OverrideId,
    /// What it holds for.
    pub scope: OverrideScope,
    /// From here on nothing is allowed by it.
    pub until: Timestamp,
    /// The rules before it: they hold outside of its scope, and behind its end.
    pub before: Box<ProjectPolicy>,
}

impl TemporaryPolicy {
    /// Whether its time is over.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        now >= self.until
    }
}

/// What a policy version has to do with an override.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum OverrideMark {
    /// It is the override.
    Temporary(TemporaryPolicy),
    /// It has the rules before the override again.
    Restored {
        /// The override that ended.
        id: OverrideId,
        /// Why it ended.
        end: OverrideEnd,
    },
}

impl ProjectPolicy {
    /// Whether no plan needs fewer people's yes under `next` than under this policy. Where each rule asks
    /// one person there is no quorum to keep.
    #[must_use]
    pub fn keeps_quorum(&self, next: &Self) -> bool {
        if self.approval.rule(true).approvers <= 1 {
            return true;
        }
        let kept = [false, true].into_iter().all(|risky| {
            let (now, then) = (self.approval.rule(risky), next.approval.rule(risky));
            then.by >= now.by && then.approvers >= now.approvers
        });
        // Of two confirmations, the one that asks more often is the lesser.
        let asked = |task: TaskType| next.confirmation_of(task) <= self.confirmation_of(task);
        kept && TaskType::ALL.into_iter().all(asked) && self.labels_all_of(next)
    }

    /// What is labelled READ may need no yes: `next` labels nothing more.
    fn labels_all_of(&self, next: &Self) -> bool {
        let place = |rule: &HostRule| (rule.host.clone(), rule.scheme, rule.port);
        next.allowed_hosts.iter().all(|rule| {
            let of_place = self.allowed_hosts.iter().filter(|own| place(own) == place(rule));
            let labelled =
                |line: &String| of_place.clone().any(|own| own.read_operations.contains(line));
            rule.read_operations.iter().all(labelled)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn policy(change: impl FnOnce(&mut Value)) -> ProjectPolicy {
        let rule = json!({"by": "another_person", "approvers": 2, "ttlSeconds": 60});
        let mut policy = json!({
            "version": 1, "allowedStepTypes": ["FILE_WRITE"],
            "allowedHosts": [{"host": "shop.test", "readOperations": ["POST /search"]}],
            "allowedPaths": ["notes"], "approval": {"normal": rule, "risky": rule},
            "dacsStage": "observe", "modelPersonas": "never",
            "tokenBudget": {"perRun": null, "perDay": null}, "llmProvider": "OFFLINE",
        });
        change(&mut policy);
        serde_json::from_value(policy).unwrap()
    }

    #[test]
    fn a_quorum_is_lowered_in_no_way() {
        let own = policy(|_| {});
        let one = json!({"by": "another_person", "ttlSeconds": 60});
        let three = json!({"by": "another_person", "approvers": 3, "ttlSeconds": 60});
        let labelled =
            json!([{"host": "shop.test", "readOperations": ["POST /search", "POST /buy"]}]);
        let elsewhere = json!([{"host": "*.test", "readOperations": ["POST /search"]}]);
        type Edit<'a> = (&'a str, &'a str, Value, bool);
        let cases: [Edit<'_>; 8] = [
            ("/allowedPaths", "more places", json!(["", "notes"]), true),
            ("/approval/normal", "more people", three.clone(), true),
            ("/approval/normal", "one person", one.clone(), false),
            // A risky plan never needs less than a plain one does.
            ("/approval/risky", "one person, of risky plans", one, true),
            ("/confirmation", "nobody", json!({"FILE_WRITE": "never"}), false),
            ("/confirmation", "everybody", json!({"FILE_READ": "always"}), true),
            ("/allowedHosts", "another label", labelled, false),
            ("/allowedHosts", "a label for more hosts", elsewhere, false),
        ];
        for (place, name, value, kept) in cases {
            let next = policy(|policy| {
                policy["confirmation"] = json!({});
                *policy.pointer_mut(place).unwrap() = value.clone();
            });
            assert_eq!(own.keeps_quorum(&next), kept, "{name}");
        }
        // Where only a risky plan needs several, the rest stays with another person all the same.
        let two = json!({"by": "another_person", "approvers": 2, "ttlSeconds": 60});
        let mixed = |by: &str| {
            let normal = json!({"by": by, "ttlSeconds": 60});
            policy(|p| p["approval"] = json!({"normal": normal, "risky": two}))
        };
        assert!(!mixed("another_person").keeps_quorum(&mixed("requester")));
        // Where nobody is one of several, there is none.
        let alone = |policy: &mut Value| {
            let rule = json!({"by": "another_person", "ttlSeconds": 60});
            policy["approval"] = json!({"normal": rule, "risky": rule});
        };
        let next = policy(|policy| {
            alone(policy);
            policy["confirmation"] = json!({"FILE_WRITE": "never"});
        });
        assert!(policy(alone).keeps_quorum(&next));
        assert!(policy(alone).keeps_quorum(&policy(|p| p["approval"]["normal"] = three.clone())));
    }
}
