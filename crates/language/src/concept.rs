//! What a word can mean to a rule: a closed list, so that a mistyped name is found at start.

use crate::query::Op;
use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Concept {
    Read,
    Write,
    Save,
    /// Puts something into something: into a text, or into code.
    Add,
    Delete,
    Get,
    Send,
    Pick,
    Run,
    /// Begins what was not there.
    Start,
    Edit,
    Create,
    New,
    /// Wants something without saying what is to be done.
    Wish,
    Manage,
    Search,
    Question,
    /// Asks to be told: `알려줘`.
    Tell,
    /// Asks for some of many.
    Which,
    Greet,
    /// Chatting, where nothing else is said.
    Talk,
    /// Who is spoken to.
    You,
    File,
    CodeWord,
    Command,
    Database,
    Table,
    Project,
    /// What a project may be of.
    App,
    Workflow,
    Schedule,
    Web,
    Service,
    Body,
    Content,
    Field,
    Filter,
    Only,
    /// All of many: `every`, `모든`.
    Every,
    And,
    /// Something else follows.
    Then,
    Where,
    Under,
    AtMost,
    Over,
    AtLeast,
    Equal,
    Most,
    Least,
    Expensive,
    Cheap,
    Highest,
    Lowest,
    Sort,
    /// The order turned round: `반대로`, `the other way round`.
    Opposite,
    /// What was not shown of them: `나머지`.
    Rest,
    /// With all that is known of it: `자세히`.
    Detail,
    /// The last of them in time, or that order.
    Newest,
    /// How long something takes: `longest`, `짧은`.
    Lasting,
    Oldest,
    Count,
    Sum,
    Average,
    Group,
    First,
    /// Counts things, beside a number.
    Pieces,
    /// Money, beside a number.
    Currency,
    /// Makes one of two.
    Join,
    Thing,
    /// Points to an earlier run, beside a `Result`.
    Earlier,
    /// Points back, maybe only to what was just named.
    That,
    Result,
    Pronoun,
    /// The place that was just spoken of: `거기다`, `in there`.
    There,
    Remember,
    /// Not now.
    Later,
    /// The one who speaks will do something.
    Intent,
    Change,
    /// Takes back what was just said.
    Correct,
    Cancel,
    /// Leaves out one of several: `skip`, `건너뛰고`.
    Skip,
    /// What follows is not meant: `instead of`.
    Unlike,
    /// What it follows is not meant: `말고`.
    NotThis,
    /// All but what stands beside it: `빼고`, `except`.
    Except,
    /// One or the other of two: `또는`.
    Either,
    /// Opens what is taken out of many: `중에서`, `among`.
    Among,
    /// Says that something is there: `있는`.
    Being,
    /// Of two, what both have: `양쪽`.
    Both,
    Negate,
    /// Nothing is done to what stands before it: `a.txt is not deleted`.
    Spared,
    /// Says that a file is to stay, or of what worth it is: `leave a.txt alone`, `중요해`.
    Keep,
    /// How a text is to be, and not the text: `shorter`.
    Manner,
    /// A preposition before the place that something goes to.
    Dest,
    /// Beside the file that something is done in.
    Within,
    /// Begins what describes the thing before it.
    Relative,
    /// Opens words that are to be written.
    Saying,
    /// Opens what a file is to hold: `with`.
    Holding,
    Scale,
    /// Counts people, beside a number.
    Users,
    /// Changes what a system holds, as only its own operation can: `탈퇴`, `refund`.
    Alter,
    /// What no program of this kind does: `draw`, `전화해줘`.
    Beyond,
    /// Brings back what is gone: `undo`, `복구하다`.
    Restore,
    /// Says that a field holds a word somewhere in it: `들어간`.
    Containing,
    /// How a file is written: `csv`, `엑셀`.
    Format,
    /// A format that rows are saved in: `csv`.
    RowFormat,
    /// Puts a new row where a system keeps them: `주문하다`, `sign up`.
    Enter,
    /// Again and again: `매일 아침`, `every monday`.
    Recurring,
    /// Asks to be told later: `remind me`, `9시에 알려`.
    Remind,
    /// What is only known when it is written: `the current date`.
    Computed,
    /// Gives a file another name or place: `rename`, `옮기다`.
    Relocate,
    /// What something is called: `이름을`.
    Title,
    /// When something is to be done: `tomorrow`, `내일`.
    Moment,
    /// All of it together, before a measure: `총 수량`, `total quantity`.
    Total,
    /// From one value to another: `between`, `사이`.
    Between,
    /// What is still there: `남은`.
    Remaining,
    /// A time that rows may be of: `last week`, `오늘`.
    Period,
    /// What something hangs on: `if`, `unless`.
    Condition,
    /// Opens what is to happen first: `when bob replies`.
    Awaiting,
    /// That something is there already: `if it exists`, `있으면`.
    Present,
    /// A result before the last one: `그 전 결과`.
    Older,
    /// Where files lie: `docs 폴더의 a.txt`.
    Folder,
    /// The folder that everything lies in: `현재 폴더`.
    Here,
    /// Says of a folder which one it is, and is not its name: `상위 폴더`, `the parent folder`.
    Elsewhere,
    /// Behind what is there already: `끝에`, `at the end of`.
    Append,
    /// What is there already is to stay: `덮어쓰지 말고`.
    Overwrite,
    /// Beside what is there already: `too`, `as well`.
    Too,
    /// Before what is there already: `맨 앞에`.
    Prepend,
    /// What nothing here can do: `email`, `복사`.
    Undone,
    /// What is sent to people: `메일`.
    Letter,
    /// Says that this is done before the rest: `first`, `먼저`.
    Beforehand,
    /// Puts down one more thing of many: `기록하다`, `jot down`.
    Logged,
    /// Puts down what somebody has in mind, and writes nothing of its own: `jot`, `적다`, `메모하다`.
    Jot,
    /// Points to a text that comes next: `the following`, `이렇게`.
    Following,
    /// What a text is made of: `line`, `단락`.
    Part,
    /// What rows are shown as: `목록`.
    Listing,
    /// Asks what a word means: `라는 게 뭐야`.
    Meaning,
    /// Says of rows that it is not so: `isn't`, `아닌`.
    Inverse,
    /// Of the one who speaks: `my`, `내`.
    Mine,
    /// Says nothing by itself.
    Vague,
}

impl Concept {
    /// May lead an utterance.
    pub(crate) const fn is_verb(self) -> bool {
        matches!(
            self,
            Self::Read
                | Self::Write
                | Self::Save
                | Self::Add
                | Self::Delete
                | Self::Get
                | Self::Send
                | Self::Pick
                | Self::Run
                | Self::Edit
                | Self::Create
                | Self::Manage
                | Self::Search
                | Self::Question
                | Self::Alter
        )
    }

    /// A verb that does not only read.
    pub(crate) const fn changes(self) -> bool {
        matches!(
            self,
            Self::Write
                | Self::Save
                | Self::Add
                | Self::Delete
                | Self::Send
                | Self::Run
                | Self::Edit
                | Self::Create
                | Self::Alter
        )
    }

    /// Leads only where no other verb does: `tell me what came out of it`.
    pub(crate) const fn is_weak_verb(self) -> bool {
        matches!(self, Self::Question | Self::Manage)
    }

    /// How it compares.
    pub(crate) const fn operator(self) -> Option<Op> {
        match self {
            Self::Under => Some(Op::Below),
            Self::AtMost => Some(Op::AtMost),
            Self::Over => Some(Op::Above),
            Self::AtLeast => Some(Op::AtLeast),
            Self::Equal => Some(Op::Is),
            _ => None,
        }
    }
}
