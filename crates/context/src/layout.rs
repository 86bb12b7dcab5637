//! Lays a prompt out within its plan: each block is rendered and counted once, what does not fit is left out.

use crate::{
    dialogue::HISTORY_MESSAGES_MAX,
    fence::Fence,
    parts::{OUTPUT_SHOWN_CHARS_MAX, PromptParts},
    passages::PASSAGES_WINDOW_PERCENT,
    plan::{
        Grants, Part, PartSizes, PlanBounds, PlanRefusal, PlannedPart, TokenCounter, TokenPlan,
    },
    rules::RuleSheet,
    stage::{Stage, StageNote, StageReason},
    systems::SYSTEMS_SHOWN_BYTES_MAX,
};

/// A step's output at its shortest, in Unicode scalar values.
const OUTPUT_CHARS_MIN: usize = 200;
/// Fewer bytes of systems say nothing.
const SYSTEMS_BYTES_MIN: usize = 64;

/// A prompt that fits.
pub(crate) struct LaidOut {
    pub(crate) user: String,
    /// Messages of the conversation that are in it: the newest.
    pub(crate) kept: usize,
    /// Key points of older turns, and turns that are near to the message.
    pub(crate) older: (usize, usize),
    /// How much of the passages, in the steps of `Passages::shown`.
    pub(crate) documents: usize,
    pub(crate) plan: TokenPlan,
}

/// Rendered and counted; empty where there is none.
#[derive(Default)]
struct Block {
    text: String,
    tokens: u64,
}

/// A block that can be cut.
#[derive(Default)]
struct CutBlock {
    block: Block,
    /// How much of it is shown at most.
    extent: usize,
    dropped: usize,
}

struct Layout<'a, C> {
    parts: &'a PromptParts,
    fence: &'a Fence,
    counter: &'a C,
    system: u64,
    user_memory: Block,
    project_memory: Block,
    profile: Block,
    /// Its extent is in key points.
    summary: CutBlock,
    /// In turns.
    related: CutBlock,
    setting: Block,
    systems: CutBlock,
    task: Block,
    /// In steps.
    documents: CutBlock,
    sources: CutBlock,
    /// The newest first.
    recent: Vec<Block>,
    query: Block,
}

pub(crate) fn lay_out(
    parts: &PromptParts,
    fence: &Fence,
    sheet: &RuleSheet,
    bounds: PlanBounds,
    counter: &impl TokenCounter,
) -> Result<LaidOut, PlanRefusal> {
    let mut layout = Layout::new(parts, fence, counter, (sheet, bounds.total));
    layout.keep_documents_to(bounds.window.saturating_mul(PASSAGES_WINDOW_PERCENT) / 100);
    let grants = Grants::of(bounds.total, &layout.sizes(bounds.total))?;
    layout.keep_to(&grants);
    loop {
        let user = layout.text();
        if counter.fits(sheet, &user) {
            let (parts, stages) = (layout.planned(&grants), layout.stages());
            let plan = TokenPlan { bounds, vocabulary: counter.vocabulary(), parts, stages };
            let older = (layout.summary.extent, layout.related.extent);
            let documents = layout.documents.extent;
            return Ok(LaidOut { user, kept: layout.recent.len(), older, documents, plan });
        }
        if !layout.less() {
            let needed = layout.sizes(bounds.total).sum().max(bounds.total.saturating_add(1));
            return Err(PlanRefusal { needed, max: bounds.total });
        }
    }
}

impl<'a, C: TokenCounter> Layout<'a, C> {
    fn new(
        parts: &'a PromptParts,
        fence: &'a Fence,
        counter: &'a C,
        (sheet, total): (&RuleSheet, u64),
    ) -> Self {
        let [user_memory, project_memory] =
            parts.memories(fence).map(|text| counted(counter, text));
        let mut layout = Self {
            system: counter.rules(sheet),
            user_memory,
            project_memory,
            profile: counted(counter, parts.told(fence)),
            summary: CutBlock::default(),
            related: CutBlock::default(),
            setting: counted(counter, parts.setting(fence)),
            systems: CutBlock::default(),
            task: counted(counter, parts.job(fence)),
            documents: CutBlock::default(),
            sources: CutBlock::default(),
            recent: Vec::new(),
            query: counted(counter, parts.query(fence)),
            parts,
            fence,
            counter,
        };
        if let Some(long_term) = &parts.long_term {
            layout.related = layout.related_within(long_term.related.len());
            layout.summary = layout.summary_within(long_term.summary.points());
        }
        if let Some(passages) = &parts.documents {
            layout.documents = layout.documents_within(passages.extent_max());
        }
        layout.systems = layout.systems_within(SYSTEMS_SHOWN_BYTES_MAX);
        layout.sources = layout.sources_within(OUTPUT_SHOWN_CHARS_MAX);
        let mut tokens = 0_u64;
        for said in parts.history.iter().rev().take(HISTORY_MESSAGES_MAX) {
            let block = counted(counter, PromptParts::line(fence, said));
            tokens = tokens.saturating_add(block.tokens);
            layout.recent.push(block);
            // Older ones cannot fit.
            if tokens > total {
                break;
            }
        }
        layout
    }

    fn summary_within(&self, points: usize) -> CutBlock {
        let (text, dropped) = self.parts.summary(self.fence, (points, self.related.extent));
        CutBlock { block: counted(self.counter, text), extent: points, dropped }
    }

    fn related_within(&self, turns: usize) -> CutBlock {
        let (text, dropped) = self.parts.related(self.fence, turns);
        CutBlock { block: counted(self.counter, text), extent: turns, dropped }
    }

    fn systems_within(&self, bytes: usize) -> CutBlock {
        let (text, dropped) = self.parts.registered(self.fence, bytes);
        CutBlock { block: counted(self.counter, text), extent: bytes, dropped }
    }

    fn documents_within(&self, extent: usize) -> CutBlock {
        let (text, dropped) = self.parts.passages(self.fence, extent);
        CutBlock { block: counted(self.counter, text), extent, dropped }
    }

    fn sources_within(&self, chars: usize) -> CutBlock {
        let (text, dropped) = self.parts.results(self.fence, chars);
        CutBlock { block: counted(self.counter, text), extent: chars, dropped }
    }

    fn recent_tokens(&self) -> u64 {
        self.recent.iter().map(|block| block.tokens).fold(0, u64::saturating_add)
    }

    fn sizes(&self, total: u64) -> PartSizes {
        let sizes = PartSizes {
            system: self.system,
            user_memory: self.user_memory.tokens,
            project_memory: self.project_memory.tokens,
            profile: self.profile.tokens,
            summary: self.summary.block.tokens,
            summary_least: 0,
            related: self.related.block.tokens,
            task: self.setting.tokens.saturating_add(self.task.tokens),
            query: self.query.tokens,
            systems: self.systems.block.tokens,
            documents: self.documents.block.tokens,
            sources: self.sources.block.tokens,
            sources_least: 0,
            recent: self.recent_tokens(),
        };
        // How short they get is asked for only where not everything fits.
        if sizes.sum() <= total {
            return sizes;
        }
        let least = |size: u64, shortest: &dyn Fn() -> CutBlock| {
            if size == 0 { 0 } else { shortest().block.tokens }
        };
        PartSizes {
            sources_least: least(sizes.sources, &|| self.sources_within(OUTPUT_CHARS_MIN)),
            summary_least: least(sizes.summary, &|| self.summary_within(0)),
            ..sizes
        }
    }

    fn keep_to(&mut self, grants: &Grants) {
        while self.sources.block.tokens > grants.granted(Part::Sources) && self.shorter_sources() {}
        self.keep_documents_to(grants.granted(Part::Documents));
        while self.systems.block.tokens > grants.granted(Part::Systems) && self.fewer_systems() {}
        while self.related.block.tokens > grants.granted(Part::Related) && self.fewer_related() {}
        while self.summary.block.tokens > grants.granted(Part::Summary) && self.fewer_points() {}
        let (room, mut tokens) = (grants.granted(Part::Recent), 0_u64);
        let kept = self.recent.iter().take_while(|block| {
            tokens = tokens.saturating_add(block.tokens);
            tokens <= room
        });
        let kept = kept.count();
        self.recent.truncate(kept);
    }

    fn keep_documents_to(&mut self, tokens: u64) {
        while self.documents.block.tokens > tokens && self.fewer_documents() {}
    }

    /// Older turns first, then passages, then the oldest messages, then systems, then outputs. `false` where nothing is left to leave out.
    fn less(&mut self) -> bool {
        self.fewer_points()
            || self.fewer_related()
            || self.fewer_documents()
            || self.recent.pop().is_some()
            || self.fewer_systems()
            || self.shorter_sources()
    }

    /// What was shown in one of them may be a key point again.
    fn fewer_related(&mut self) -> bool {
        let Some(turns) = self.related.extent.checked_sub(1) else { return false };
        self.related = self.related_within(turns);
        self.summary = self.summary_within(self.summary.extent);
        true
    }

    /// Half of them; the facts of safety stay.
    fn fewer_points(&mut self) -> bool {
        let has_points = self.summary.extent > 0;
        if has_points {
            self.summary = self.summary_within(self.summary.extent / 2);
        }
        has_points
    }

    /// How older turns are shown in less than they could be.
    fn stages(&self) -> Vec<StageNote> {
        let Some(long_term) = &self.parts.long_term else { return Vec::new() };
        let cut = [(Stage::Summary, &self.summary), (Stage::Related, &self.related)];
        let cut = cut.into_iter().filter(|(_, block)| block.dropped > 0);
        let no_room = cut.map(|(stage, _)| StageNote { stage, why: StageReason::NoRoom });
        long_term.notes.iter().copied().chain(no_room).collect()
    }

    fn fewer_documents(&mut self) -> bool {
        let Some(extent) = self.documents.extent.checked_sub(1) else { return false };
        self.documents = self.documents_within(extent);
        true
    }

    fn fewer_systems(&mut self) -> bool {
        let bytes = self.systems.extent / 2;
        let is_shown = !self.systems.block.text.is_empty();
        if is_shown {
            self.systems = self.systems_within(if bytes < SYSTEMS_BYTES_MIN { 0 } else { bytes });
        }
        is_shown
    }

    fn shorter_sources(&mut self) -> bool {
        let can = !self.sources.block.text.is_empty() && self.sources.extent > OUTPUT_CHARS_MIN;
        if can {
            self.sources = self.sources_within((self.sources.extent / 2).max(OUTPUT_CHARS_MIN));
        }
        can
    }

    /// Every block in its order.
    fn text(&self) -> String {
        let first = [
            &self.user_memory,
            &self.project_memory,
            &self.profile,
            &self.summary.block,
            &self.related.block,
            &self.setting,
            &self.systems.block,
            &self.task,
            &self.documents.block,
            &self.sources.block,
        ];
        let all = first.into_iter().chain(self.recent.iter().rev()).chain([&self.query]);
        all.map(|block| block.text.as_str()).collect()
    }

    fn planned(&self, grants: &Grants) -> Vec<PlannedPart> {
        let planned = |part| {
            let (used, dropped) = self.taken(part);
            let dropped = u64::try_from(dropped).unwrap_or(u64::MAX);
            PlannedPart { part, granted: grants.granted(part), used, dropped }
        };
        let all = Part::ALL.into_iter().map(planned);
        all.filter(|part| part.used > 0 || part.dropped > 0).collect()
    }

    fn taken(&self, part: Part) -> (u64, usize) {
        match part {
            Part::System => (self.system, 0),
            Part::UserMemory => (self.user_memory.tokens, 0),
            Part::ProjectMemory => (self.project_memory.tokens, 0),
            Part::Profile => (self.profile.tokens, 0),
            Part::Summary => (self.summary.block.tokens, self.summary.dropped),
            Part::Related => (self.related.block.tokens, self.related.dropped),
            Part::Task => (self.setting.tokens.saturating_add(self.task.tokens), 0),
            Part::Systems => (self.systems.block.tokens, self.systems.dropped),
            Part::Documents => (self.documents.block.tokens, self.documents.dropped),
            Part::Sources => (self.sources.block.tokens, self.sources.dropped),
            Part::Recent => {
                let dropped = self.parts.history.len().saturating_sub(self.recent.len());
                (self.recent_tokens(), dropped)
            }
            Part::Query => (self.query.tokens, 0),
        }
    }
}

fn counted(counter: &impl TokenCounter, text: String) -> Block {
    let tokens = if text.is_empty() { 0 } else { counter.count(&text) };
    Block { text, tokens }
}
