//! How many tokens each part of a prompt gets. Pure: sizes in, shares out.

use crate::{rules::RuleSheet, stage::StageNote};

/// What all parts take together where nothing else is configured: the rules, two full memories, a full profile and the
/// longest message fit, in whichever script.
pub const TOTAL_TOKENS_DEFAULT: u64 = 32_000;
/// The least that can be configured: the rules and a few sentences.
pub const TOTAL_TOKENS_MIN: u64 = 4_000;
/// The rules are planned with no less.
const SYSTEM_TOKENS_MIN: u64 = 400;
/// The share of retrieved passages: 900 tokens of the least total that can be configured, and of a greater one as much in
/// proportion.
const DOCUMENTS_TOKENS: u64 = 900;
/// The conversation's share of what the parts leave that are never cut.
const RECENT_PERCENT: u64 = 60;

/// What a prompt is made of. Declaration order is the order of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The rules, as rendered.
    System,
    UserMemory,
    ProjectMemory,
    /// What the person told of themselves.
    Profile,
    /// Older turns in short.
    Summary,
    /// Older turns that are near to the message.
    Related,
    /// The task and what is asked of it, with the setting.
    Task,
    /// Registered systems.
    Systems,
    /// Retrieved passages.
    Documents,
    /// What steps read: files, answers, pages.
    Sources,
    /// The last messages of the conversation.
    Recent,
    /// The current message.
    Query,
}

impl Part {
    /// In the order of a plan.
    pub const ALL: [Self; 12] = [
        Self::System,
        Self::UserMemory,
        Self::ProjectMemory,
        Self::Profile,
        Self::Summary,
        Self::Related,
        Self::Task,
        Self::Systems,
        Self::Documents,
        Self::Sources,
        Self::Recent,
        Self::Query,
    ];

    /// As records and the API name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::UserMemory => "user_memory",
            Self::ProjectMemory => "project_memory",
            Self::Profile => "profile",
            Self::Summary => "summary",
            Self::Related => "related",
            Self::Task => "task",
            Self::Systems => "systems",
            Self::Documents => "documents",
            Self::Sources => "sources",
            Self::Recent => "recent",
            Self::Query => "query",
        }
    }
}

/// What each part would take, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartSizes {
    pub system: u64,
    pub user_memory: u64,
    pub project_memory: u64,
    pub profile: u64,
    pub summary: u64,
    /// Of `summary`, what its facts of safety take.
    pub summary_least: u64,
    pub related: u64,
    pub task: u64,
    pub query: u64,
    pub systems: u64,
    pub documents: u64,
    pub sources: u64,
    /// Of `sources`, what they take where each is as short as it gets.
    pub sources_least: u64,
    pub recent: u64,
}

impl PartSizes {
    /// Nothing left out.
    #[must_use]
    pub fn sum(&self) -> u64 {
        let cut =
            [self.systems, self.documents, self.sources, self.summary, self.related, self.recent];
        cut.into_iter().fold(self.uncut(), u64::saturating_add)
    }

    /// What is never cut.
    fn uncut(&self) -> u64 {
        let Self { system, user_memory, project_memory, profile, task, query, .. } = *self;
        let rest = [user_memory, project_memory, profile, task, query];
        rest.into_iter().fold(system.max(SYSTEM_TOKENS_MIN), u64::saturating_add)
    }
}

/// Not even what is never cut fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "what is never left out of a prompt needs `{needed}` tokens, `{max}` fit: say less at once, or keep less in mind"
)]
pub struct PlanRefusal {
    pub needed: u64,
    pub max: u64,
}

/// The share of each part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grants {
    /// Of what is never cut: what it takes.
    sizes: PartSizes,
    systems: u64,
    documents: u64,
    sources: u64,
    summary: u64,
    related: u64,
    recent: u64,
}

impl Grants {
    // INVARIANT: the shares never add up to more than the total.
    /// What is never cut gets what it takes. Of the rest the conversation gets 60 %, everything else the other
    /// 40 %; what one side does not need is the other's. Sources come first, then documents, which have a share of their
    /// own beside, systems, related turns and the summary.
    pub fn of(total: u64, sizes: &PartSizes) -> Result<Self, PlanRefusal> {
        let sizes = PartSizes {
            sources_least: sizes.sources_least.min(sizes.sources),
            summary_least: sizes.summary_least.min(sizes.summary),
            ..*sizes
        };
        let least = sizes.sources_least.saturating_add(sizes.summary_least);
        let needed = sizes.uncut().saturating_add(least);
        let Some(left) = total.checked_sub(needed) else {
            return Err(PlanRefusal { needed, max: total });
        };
        let wanted = [
            sizes.sources - sizes.sources_least,
            sizes.documents.min(documents_share(total)),
            sizes.systems,
            sizes.related,
            sizes.summary - sizes.summary_least,
        ];
        let all = wanted.into_iter().fold(0, u64::saturating_add);
        let share = left - left.saturating_mul(RECENT_PERCENT) / 100;
        let given = all.min(share.max(left.saturating_sub(sizes.recent)));
        let mut rest = given;
        let [sources, documents, systems, related, summary] = wanted.map(|wanted| {
            let granted = wanted.min(rest);
            rest -= granted;
            granted
        });
        Ok(Self {
            sources: sizes.sources_least + sources,
            systems,
            documents,
            summary: sizes.summary_least + summary,
            related,
            recent: left - given,
            sizes,
        })
    }

    /// In tokens.
    #[must_use]
    pub fn granted(&self, part: Part) -> u64 {
        match part {
            Part::System => self.sizes.system.max(SYSTEM_TOKENS_MIN),
            Part::UserMemory => self.sizes.user_memory,
            Part::ProjectMemory => self.sizes.project_memory,
            Part::Profile => self.sizes.profile,
            Part::Summary => self.summary,
            Part::Related => self.related,
            Part::Task => self.sizes.task,
            Part::Query => self.sizes.query,
            Part::Systems => self.systems,
            Part::Documents => self.documents,
            Part::Sources => self.sources,
            Part::Recent => self.recent,
        }
    }
}

fn documents_share(total: u64) -> u64 {
    let share = u128::from(total) * u128::from(DOCUMENTS_TOKENS) / u128::from(TOTAL_TOKENS_MIN);
    u64::try_from(share).unwrap_or(u64::MAX).max(DOCUMENTS_TOKENS)
}

/// How much a prompt may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanBounds {
    /// All parts together, in tokens.
    pub total: u64,
    /// What the model reads at once, its answer included.
    pub window: u64,
    /// 95 of 100 texts are counted that near; 0: each part with the model's own vocabulary. By a model's own file the whole may
    /// take a few tokens more or less than its parts.
    pub error_percent: u16,
}

/// How the texts of a prompt are counted, in tokens.
pub trait TokenCounter {
    /// Of one block.
    fn count(&self, text: &str) -> u64;
    /// Whose counts of blocks add up to no less than its count of all of them in one piece, by its name; each block
    /// begins with a fence and ends with a line. `None`: of these counts nobody can say that.
    fn vocabulary(&self) -> Option<&'static str> {
        None
    }
    /// Of the rules, which are the same in every call.
    fn rules(&self, sheet: &RuleSheet) -> u64 {
        self.count(sheet.text())
    }
    /// Whether everything in one piece is within bounds that no plan knows of.
    fn fits(&self, _sheet: &RuleSheet, _user: &str) -> bool {
        true
    }
}

/// One part, as it was planned and laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedPart {
    pub part: Part,
    pub granted: u64,
    pub used: u64,
    /// Left out: messages of the conversation, lines of systems, key points, related turns; of sources: cut short; of
    /// documents: either.
    pub dropped: u64,
}

/// What a model was shown, and what each part of it costs. It holds no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenPlan {
    pub bounds: PlanBounds,
    /// As its counter says: by whose counts the parts take no less than the prompt.
    pub vocabulary: Option<&'static str>,
    /// Those that take something, or of which something was left out.
    pub parts: Vec<PlannedPart>,
    /// Where older turns are shown in less than they could be, and why; of a short conversation at most that it holds too many limits.
    pub stages: Vec<StageNote>,
}

impl TokenPlan {
    /// Of rules and blocks.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.parts.iter().map(|part| part.used).fold(0, u64::saturating_add)
    }
}
