//! The canonical bytes of a state. Each value begins with a tag or a length, so that no two states
//! have the same bytes. A new field does not compile until it is written here.

use crate::{
    refusals::Refusals,
    state::FlowState,
    task::Task,
    task_position::{Approver, Back, ParkedTask, Question, Rest, TaskPosition},
};
use wiiiv_domain::{
    Edits, Effect, Envelope, Grounds, NotDrawn, RefusedSpecs, Reopening, Slots, Sources, StateHash,
    ValueSource,
};

/// Version of this form; a new one makes every earlier hash differ.
const VERSION: u8 = 1;

impl FlowState {
    /// SHA-256 of the whole state, in a rendering of its own that no two states share.
    #[must_use]
    pub fn hash(&self) -> StateHash {
        StateHash::of_bytes(&render(self))
    }
}

fn render(state: &FlowState) -> Vec<u8> {
    let FlowState { salt, place, suspended, queued, refusals } = state;
    let Refusals(RefusedSpecs { closed, reopened }) = refusals;
    let mut out = Rendering(vec![VERSION]);
    out.text(&String::from(*salt));
    out.place(place);
    out.count(suspended.len());
    suspended.iter().for_each(|held| out.held(held));
    out.count(closed.len());
    closed.keys().for_each(|spec| out.bytes(spec.bytes()));
    // At the end, and only if there are any: states without queued tasks keep their hash.
    if !queued.is_empty() {
        out.count(queued.len());
        queued.iter().for_each(|task| out.task(task));
    }
    // After everything else, and only if there are any, for the same reason. A count of tasks never
    // begins with this byte.
    if closed.values().any(Option::is_some) || !reopened.is_empty() {
        out.tag(GROUNDS);
        closed.values().for_each(|under| out.grounds(under.as_ref()));
        out.count(reopened.len());
        for (spec, Reopening { from, to }) in reopened {
            out.bytes(spec.bytes());
            out.grounds(from.as_ref());
            out.grounds(Some(to));
        }
    }
    out.0
}

/// The first byte of the count of jobs is 0: their number is far below 2^56.
const GROUNDS: u8 = 1;

struct Rendering(Vec<u8>);

impl Rendering {
    fn tag(&mut self, tag: u8) {
        self.0.push(tag);
    }

    fn number(&mut self, number: u32) {
        self.0.extend(number.to_be_bytes());
    }

    fn count(&mut self, count: usize) {
        self.0.extend((count as u64).to_be_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn texts<'a>(&mut self, texts: impl ExactSizeIterator<Item = &'a String>) {
        self.count(texts.len());
        texts.for_each(|text| self.text(text));
    }

    fn grounds(&mut self, grounds: Option<&Grounds>) {
        self.tag(u8::from(grounds.is_some()));
        if let Some(Grounds { rules, policy }) = grounds {
            self.bytes(rules.bytes());
            self.bytes(policy.uuid().as_bytes());
        }
    }

    fn place(&mut self, place: &TaskPosition) {
        match place {
            TaskPosition::Listening => self.tag(0),
            TaskPosition::Proposing { turn, back } => {
                self.tag(1);
                self.bytes(turn.uuid().as_bytes());
                self.back(back);
            }
            TaskPosition::Resting(held) => {
                self.tag(2);
                self.held(held);
            }
            TaskPosition::Deliberating { task, spec } => {
                self.tag(3);
                self.task(task);
                self.bytes(spec.bytes());
            }
            TaskPosition::Drawing { task, spec } => {
                self.tag(4);
                self.task(task);
                self.bytes(spec.bytes());
            }
            TaskPosition::Authorizing { task, question, approver } => {
                self.tag(5);
                self.task(task);
                self.question(question);
                self.approver(*approver);
            }
            TaskPosition::Running { task, spec, digest, execution } => {
                self.tag(6);
                self.task(task);
                self.bytes(spec.bytes());
                self.bytes(digest.bytes());
                self.bytes(execution.uuid().as_bytes());
            }
        }
    }

    fn back(&mut self, back: &Back) {
        match back {
            Back::Listening => self.tag(0),
            Back::ParkedTask(held) => {
                self.tag(1);
                self.held(held);
            }
            Back::Redraw { task, reasons } => {
                self.tag(2);
                self.task(task);
                self.count(reasons.len());
                reasons.iter().for_each(|reason| self.reason(reason));
            }
            Back::Facts { task, execution } => {
                self.tag(3);
                self.task(task);
                self.bytes(execution.uuid().as_bytes());
            }
        }
    }

    fn reason(&mut self, reason: &NotDrawn) {
        match reason {
            NotDrawn::NoExecutor { task_type } => {
                self.tag(0);
                self.text(task_type.as_str());
            }
            NotDrawn::Slot { name, code } => {
                self.tag(1);
                self.text(name.as_str());
                self.text(code);
            }
            NotDrawn::OutsideEnvelope { what } => {
                self.tag(2);
                self.text(what);
            }
            NotDrawn::Denied { code, what, .. } => {
                self.tag(3);
                self.text(code.as_str());
                self.text(what);
            }
        }
    }

    fn held(&mut self, ParkedTask { task, rest }: &ParkedTask) {
        self.task(task);
        match rest {
            Rest::Interviewing { concerns } => {
                self.tag(0);
                self.texts(concerns.iter());
            }
            Rest::ConfirmingWorkOrder { spec } => {
                self.tag(1);
                self.bytes(spec.bytes());
            }
            Rest::Confirming(question) => {
                self.tag(2);
                self.question(question);
            }
            Rest::AwaitingApproval(question) => {
                self.tag(3);
                self.question(question);
            }
            Rest::Edited => self.tag(4),
        }
    }

    fn question(&mut self, question: &Question) {
        let Question { spec, blueprint, digest, approved } = question;
        self.bytes(spec.bytes());
        self.bytes(blueprint.uuid().as_bytes());
        self.bytes(digest.bytes());
        self.tag(u8::from(*approved));
    }

    fn approver(&mut self, approver: Approver) {
        self.tag(match approver {
            Approver::Nobody => 0,
            Approver::Requester => 1,
            Approver::AnotherPerson => 2,
        });
    }

    fn task(&mut self, task: &Task) {
        let Task {
            id,
            turn,
            task_type,
            slots,
            sources,
            edits,
            wider,
            rounds,
            drawings,
            ran,
            batch,
        } = task;
        self.bytes(id.uuid().as_bytes());
        self.bytes(turn.uuid().as_bytes());
        self.text(task_type.as_str());
        self.slots(slots);
        self.envelope(wider);
        self.number(*rounds);
        self.number(*drawings);
        // A task whose values are all the user's keeps its hash.
        let foreign = u8::from(!sources.is_empty()) << 2 | u8::from(!edits.is_empty()) << 3;
        self.tag(u8::from(ran.is_some()) | u8::from(batch.is_some()) << 1 | foreign);
        ran.iter().for_each(|spec| self.bytes(spec.bytes()));
        batch.iter().for_each(|turn| self.bytes(turn.uuid().as_bytes()));
        if !sources.is_empty() {
            self.sources(sources);
        }
        if !edits.is_empty() {
            self.edits(edits);
        }
    }

    fn edits(&mut self, edits: &Edits) {
        let pairs =
            || edits.iter().flat_map(|(name, people)| people.iter().map(move |by| (name, by)));
        self.count(pairs().count());
        for (name, by) in pairs() {
            self.text(name.as_str());
            self.bytes(by.uuid().as_bytes());
        }
    }

    fn sources(&mut self, sources: &Sources) {
        self.count(sources.iter().count());
        for (name, from) in sources.iter() {
            self.text(name.as_str());
            self.count(from.iter().count());
            from.iter().for_each(|source| self.source(source));
        }
    }

    fn source(&mut self, source: &ValueSource) {
        match source {
            ValueSource::Step { execution, step, kind } => {
                self.bytes(execution.uuid().as_bytes());
                self.text(&step.to_string());
                self.text(kind.as_str());
            }
            ValueSource::Memory { memory, version } => {
                self.bytes(memory.uuid().as_bytes());
                self.text("memory");
                self.text(&version.to_string());
            }
            ValueSource::Document { document, passage, version } => {
                self.bytes(document.uuid().as_bytes());
                // What is older than versions keeps its hash.
                self.text(if version.is_some() { "document_version" } else { "document" });
                self.text(&passage.to_string());
                version.iter().for_each(|version| self.text(&version.to_string()));
            }
        }
    }

    fn slots(&mut self, slots: &Slots) {
        self.count(slots.iter().count());
        for (name, value) in slots.iter() {
            self.text(name.as_str());
            self.text(value);
        }
    }

    fn envelope(&mut self, envelope: &Envelope) {
        let Envelope { effects, hosts, paths, databases, plugins } = envelope;
        self.count(effects.len());
        for effect in effects {
            self.tag(match effect {
                Effect::Read => 0,
                Effect::Write => 1,
                Effect::Delete => 2,
                Effect::Execute => 3,
            });
        }
        self.texts(hosts.iter());
        self.texts(paths.iter());
        self.texts(databases.iter());
        self.texts(plugins.iter());
    }
}
