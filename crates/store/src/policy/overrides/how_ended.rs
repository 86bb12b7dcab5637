//! How an override ended.

use sea_orm::{DeriveActiveEnum, EnumIter};
use wiiiv_domain::OverrideEnd;

#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum HowEnded {
    /// Its time was over.
    Expired,
    /// The one run that it was for has ended.
    Used,
    /// A person ended it.
    Ended,
    /// A person took the proposal back, before its second yes.
    Withdrawn,
}

impl HowEnded {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Expired => OverrideEnd::Expired.as_str(),
            Self::Used => OverrideEnd::Used.as_str(),
            Self::Ended => OverrideEnd::Ended.as_str(),
            Self::Withdrawn => "withdrawn",
        }
    }
}

impl From<OverrideEnd> for HowEnded {
    fn from(end: OverrideEnd) -> Self {
        match end {
            OverrideEnd::Expired => Self::Expired,
            OverrideEnd::Used => Self::Used,
            OverrideEnd::Ended => Self::Ended,
        }
    }
}
