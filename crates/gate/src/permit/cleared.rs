//! Witnesses that a gate said ALLOW in a ruling.

use crate::findings::{Answer, Findings};
use std::{fmt, marker::PhantomData};
use wiiiv_domain::{ExecutionId, GateName, OverrideId};

mod sealed {
    pub trait Gate {}
}

/// A gate as a type, so that no gate's answer is taken for another's.
pub trait Gate: sealed::Gate {
    /// Which gate this is.
    const NAME: GateName;
}

macro_rules! gates {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}
        impl sealed::Gate for $name {}
        impl Gate for $name {
            const NAME: GateName = GateName::$name;
        }
    )+};
}

gates! {
    /// Names the review's gate.
    Dacs,
    /// Names the approval gate.
    UserApproval,
    /// Names the permission gate.
    Permission,
    /// Names the cost gate.
    Cost,
}

/// INVARIANT: made only from findings in which this gate said ALLOW.
pub struct Cleared<G: Gate>(PhantomData<G>);

impl<G: Gate> Cleared<G> {
    pub(crate) fn by(findings: &Findings) -> Option<Self> {
        (findings.answer(G::NAME) == Answer::Allow).then_some(Self(PhantomData))
    }
}

impl<G: Gate> fmt::Debug for Cleared<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cleared<{:?}>", G::NAME)
    }
}

/// A blueprint is asked all four, and runs as one execution.
#[derive(Debug)]
pub struct PlanTrail {
    pub(crate) dacs: Cleared<Dacs>,
    pub(crate) approval: Cleared<UserApproval>,
    pub(crate) permission: Cleared<Permission>,
    pub(crate) cost: Cleared<Cost>,
    pub(crate) execution: ExecutionId,
    pub(crate) took: Option<OverrideId>,
}

impl PlanTrail {
    /// The review's witness.
    #[must_use]
    pub const fn dacs(&self) -> &Cleared<Dacs> {
        &self.dacs
    }
    /// The approval gate's witness.
    #[must_use]
    pub const fn approval(&self) -> &Cleared<UserApproval> {
        &self.approval
    }
    /// The permission gate's witness.
    #[must_use]
    pub const fn permission(&self) -> &Cleared<Permission> {
        &self.permission
    }
    /// The cost gate's witness.
    #[must_use]
    pub const fn cost(&self) -> &Cleared<Cost> {
        &self.cost
    }
    /// The run that the permit is for.
    #[must_use]
    pub const fn execution(&self) -> ExecutionId {
        self.execution
    }
}

/// A model call is asked permission and cost.
#[derive(Debug)]
pub struct CallTrail {
    pub(crate) permission: Cleared<Permission>,
    pub(crate) cost: Cleared<Cost>,
}

impl CallTrail {
    /// The permission gate's witness.
    #[must_use]
    pub const fn permission(&self) -> &Cleared<Permission> {
        &self.permission
    }
    /// The cost gate's witness.
    #[must_use]
    pub const fn cost(&self) -> &Cleared<Cost> {
        &self.cost
    }
}

/// A step is asked permission alone: its plan was asked the rest.
#[derive(Debug)]
pub struct StepTrail {
    pub(crate) permission: Cleared<Permission>,
}

impl StepTrail {
    /// The permission gate's witness.
    #[must_use]
    pub const fn permission(&self) -> &Cleared<Permission> {
        &self.permission
    }
}
