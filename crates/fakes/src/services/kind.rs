//! The two demo services.

use super::{plan::Plan, skymall, skystock};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceKind {
    Skymall,
    Skystock,
}

impl ServiceKind {
    pub const ALL: [Self; 2] = [Self::Skymall, Self::Skystock];

    /// The name under which the system is registered.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.plan().name
    }
    pub(super) const fn plan(self) -> &'static Plan {
        match self {
            Self::Skymall => &skymall::PLAN,
            Self::Skystock => &skystock::PLAN,
        }
    }
}
