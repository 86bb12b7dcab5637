//! What has texts to embed by a provider, and how far it is.

use super::provider_model::is_of;
use wiiiv_domain::{ContentDigest, IngestJobId, ProjectId};

/// So many answers of other dimensions than the project is compared by end the embedding of an ingest.
const INGEST_ODD_MAX: u8 = 2;
/// And so many a re-embedding.
const PROJECT_ODD_MAX: u8 = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    /// Its document is there.
    Ingest(DueIngest),
    Project(DueProject),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueIngest {
    pub job: IngestJobId,
    /// Where its provider is asked, once that is known.
    server: Option<String>,
    odd: u8,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueProject {
    pub project: ProjectId,
    pub aim: Aim,
    /// Texts up to this one were looked at.
    pub after: Option<ContentDigest>,
    /// As of [`DueIngest`].
    server: Option<String>,
    odd: u8,
}

/// What a re-embedding makes vectors of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aim {
    /// What the project is compared by.
    Compared,
    /// The last answer was kept so, with other dimensions: one text tells whether the next one is too.
    Trial(String),
    /// Two answers in a row were.
    Changed(String),
}

impl Due {
    pub const fn ingest(job: IngestJobId) -> Self {
        Self::Ingest(DueIngest { job, server: None, odd: 0 })
    }

    pub const fn job(&self) -> Option<IngestJobId> {
        match self {
            Self::Ingest(of) => Some(of.job),
            Self::Project(_) => None,
        }
    }

    pub const fn project(&self) -> Option<ProjectId> {
        match self {
            Self::Ingest(_) => None,
            Self::Project(of) => Some(of.project),
        }
    }

    pub fn server(&self) -> Option<&str> {
        match self {
            Self::Ingest(of) => of.server.as_deref(),
            Self::Project(of) => of.server.as_deref(),
        }
    }
}

impl DueIngest {
    pub fn at(self, server: &str) -> Self {
        Self { server: Some(server.to_owned()), ..self }
    }

    /// `None`: that was the last time.
    pub fn asked_again(self) -> Option<Self> {
        let odd = self.odd.saturating_add(1);
        (odd < INGEST_ODD_MAX).then_some(Self { odd, ..self })
    }
}

impl DueProject {
    pub const fn new(project: ProjectId) -> Self {
        Self { project, aim: Aim::Compared, after: None, server: None, odd: 0 }
    }

    pub fn at(self, server: &str) -> Self {
        Self { server: Some(server.to_owned()), ..self }
    }

    pub const fn has_begun(&self) -> bool {
        self.after.is_some() || self.odd > 0
    }

    /// The policy may name another model by now.
    pub fn of_model(self, name: &str) -> Self {
        match self.aim.embedder().is_none_or(|kept| is_of(kept, name)) {
            true => self,
            false => Self { aim: Aim::Compared, after: None, ..self },
        }
    }

    /// Behind an answer as it was looked for.
    pub fn went_on(self, last: ContentDigest) -> Self {
        match self.aim {
            // Of all that the trial left.
            Aim::Trial(kept) => Self { aim: Aim::Changed(kept), after: None, ..self },
            Aim::Compared | Aim::Changed(_) => Self { after: Some(last), ..self },
        }
    }

    /// Behind an answer that is kept so, which was not looked for. `is_compared`: as the project is compared. `None`: nothing
    /// is paid on and on.
    pub fn turned(self, kept: String, is_compared: bool) -> Option<Self> {
        if is_compared {
            return Some(Self { aim: Aim::Compared, after: None, ..self });
        }
        let odd = self.odd.saturating_add(1);
        let again = Self { odd, ..self };
        (odd < PROJECT_ODD_MAX).then_some(match again.aim {
            // It was told twice: once more.
            Aim::Changed(_) => again,
            Aim::Compared | Aim::Trial(_) => Self { aim: Aim::Trial(kept), after: None, ..again },
        })
    }
}

impl Aim {
    /// `None`: whatever the project is compared by.
    pub fn embedder(&self) -> Option<&str> {
        match self {
            Self::Compared => None,
            Self::Trial(kept) | Self::Changed(kept) => Some(kept),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const OLD: &str = "custom:e:8#p";
    const NEW: &str = "custom:e:16#p";

    fn due() -> DueProject {
        DueProject::new(Uuid::nil().into())
    }

    fn text() -> ContentDigest {
        ContentDigest::of_bytes(b"a")
    }

    #[test]
    fn two_answers_in_a_row_change_the_dimensions_and_one_does_not() {
        let trial = due().turned(NEW.to_owned(), false).unwrap();
        assert_eq!(trial.aim, Aim::Trial(NEW.to_owned()));
        let changed = trial.clone().went_on(text());
        assert_eq!((&changed.aim, changed.after), (&Aim::Changed(NEW.to_owned()), None));
        let back = trial.turned(OLD.to_owned(), true).unwrap();
        assert_eq!((&back.aim, back.has_begun()), (&Aim::Compared, true));
        assert_eq!(changed.of_model("custom:f").aim, Aim::Compared, "the policy names another");
    }

    #[test]
    fn a_provider_that_gives_others_each_time_is_not_asked_on_and_on() {
        let (mut due, mut calls) = (Some(due()), 0);
        while let Some(of) = due {
            calls += 1;
            due = of.turned(format!("custom:e:{calls}#p"), false);
        }
        assert_eq!(calls, usize::from(PROJECT_ODD_MAX));
        let Due::Ingest(mut ingest) = Due::ingest(Uuid::nil().into()) else { panic!("it is one") };
        let mut calls = 1;
        while let Some(again) = ingest.clone().asked_again() {
            (ingest, calls) = (again, calls + 1);
        }
        assert_eq!(calls, usize::from(INGEST_ODD_MAX));
    }
}
