//! What a yes needs to count, and how many people the yeses are of; from the pages, as `page` is.

use super::page::{Codes, Page, against};
use std::collections::BTreeSet;
use wiiiv_domain::{ApprovalBy, DenyCode, UserId};
use wiiiv_gate::{ApprovalFacts, PlanFacts, Rights};

impl Page<'_> {
    pub fn yes(&self, yes: &ApprovalFacts, plan: &PlanFacts, by: ApprovalBy) -> Codes {
        // The roles of docs/operator.md; governance.md 1: "no administrator flag". ADR 0051: no editor, and
        // where the requester is asked, nobody confirms for them what somebody else wrote.
        let (own, plain) = (yes.approver == plan.requester, plan.editors.is_empty());
        let judges = |rights: Rights| rights.owner || rights.approver;
        let allowed = match (yes.on_behalf, by) {
            (Some(_), ApprovalBy::Requester) if !plain => false,
            // Four eyes (ADR 0048): neither gives nor uses the right that is lent, and one who lends it is
            // somebody else than who uses it.
            (Some(lent), _) => {
                let people = BTreeSet::from([plan.requester, lent.delegator, yes.approver]);
                people.len() == 3 && people.is_disjoint(&plan.editors) && judges(lent.rights)
            }
            (None, ApprovalBy::Requester) => {
                (judges(yes.rights) && (own || plain)) || (own && yes.rights.editor)
            }
            (None, ApprovalBy::AnotherPerson) => {
                judges(yes.rights) && !own && !plan.editors.contains(&yes.approver)
            }
        };
        // ADR 0048: a right that is lent for a time is none outside that time.
        let lent = yes.on_behalf.is_none_or(|l| (l.from..l.until).contains(&self.now));
        let in_time = yes.expires_at > self.now; // permits.md 2: ">:now"
        against([
            (!allowed, DenyCode::ApproverNotAllowed),
            (!in_time || !lent, DenyCode::ApprovalExpired),
            (yes.digest != plan.digest, DenyCode::ApprovalStaleDigest),
        ])
    }
}

/// ADR 0045: people are counted; 0048: "one right counts once". The most that can be chosen of them.
pub fn people(yeses: &[&ApprovalFacts]) -> usize {
    let of = |subset: u32| {
        let chosen = yeses.iter().zip(0..).filter(move |(_, nth)| subset & (1 << nth) != 0);
        chosen.map(|(yes, _)| (yes.approver, yes.on_behalf.map_or(yes.approver, |l| l.delegator)))
    };
    let differ = |subset: &u32| {
        let all = of(*subset).count();
        let [people, rights]: [BTreeSet<UserId>; 2] = [
            of(*subset).map(|(who, _)| who).collect(),
            of(*subset).map(|(_, whose)| whose).collect(),
        ];
        people.len() == all && rights.len() == all
    };
    let most = (0..1_u32 << yeses.len()).filter(differ).map(u32::count_ones).max();
    usize::try_from(most.unwrap_or_default()).unwrap()
}
