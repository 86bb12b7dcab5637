//! What an utterance shows, as rules ask for it.

use crate::{
    concept::Concept,
    content, dictated, leading,
    lexicon::{Lexicon, Rule, Sign},
    literal,
    part::Part,
    paths, place, route,
    rows::Rows,
    systems::Named,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;
use wiiiv_domain::{Lang, TaskType};

/// A `Result` and what points to it stand at most so many tokens apart.
const REFERENCE_TOKENS_MAX: usize = 3;

/// What was done before.
#[derive(Clone, Copy)]
pub(crate) struct Earlier<'a> {
    pub(crate) run: bool,
    /// The one file of it.
    pub(crate) file: Option<&'a str>,
    /// What it answered with.
    pub(crate) rows: &'a Rows,
}

#[derive(Debug)]
pub(crate) struct Signs {
    shown: BTreeSet<Sign>,
    /// What leads the utterance.
    pub(crate) verb: Option<Concept>,
}

impl Signs {
    pub(crate) fn of(
        lexicon: &Lexicon,
        lang: Lang,
        (text, tokens): (&str, &[Token<'_>]),
        named: &Named<'_>,
        earlier: Earlier<'_>,
    ) -> Self {
        let words = tokens.iter().flat_map(|t| &t.concepts).copied().map(Sign::Word);
        let mut shown: BTreeSet<Sign> = words.collect();
        let quoted_path = paths::quoted(lexicon, tokens);
        for (at, token) in tokens.iter().enumerate() {
            if !named.values.contains(&at) {
                shown.extend(entity(lexicon, token, quoted_path == Some(at)));
            }
            if paths::is_inside(tokens, at) {
                shown.insert(Sign::Inside);
            }
            if paths::is_handled(tokens, at) {
                shown.insert(Sign::Handled);
            }
        }
        let further = [
            (Sign::Method, route::named_method(tokens).is_some()),
            (Sign::Operation, named.is_whole() && !named.is_implied),
            (Sign::Implied, named.is_implied),
            (Sign::ImpliedAct, named.is_act),
            (Sign::Impossible, named.is_impossible),
            (Sign::Label, named.names_operation),
            (Sign::Sql, literal::is_sql(tokens)),
            (Sign::Asks, asks(lexicon, text, tokens)),
        ];
        shown.extend(further.into_iter().filter(|(_, there)| *there).map(|(sign, _)| sign));
        if literal::bare(lexicon, text, tokens).is_some() {
            shown.extend([Sign::Program, Sign::WrittenProgram]);
        }
        let mut signs = Self { shown, verb: leading::verb(lexicon, lang, tokens) };
        let listed = !earlier.rows.is_unknown() && saves_there(tokens);
        let kept = earlier.run && (listed || signs.keeps_rows(lexicon, tokens, earlier.rows));
        if kept || signs.refers_back(tokens, earlier.run) {
            signs.shown.insert(Sign::EarlierRun);
        }
        if earlier.file.is_some() && signs.points_to_file(tokens) {
            signs.shown.insert(Sign::KnownFile);
            let ends = signs.says(Concept::Append) && !tokens.iter().any(is_pointed);
            if (ends || is_put_into(tokens)) && !signs.says(Concept::Result) {
                signs.shown.insert(Sign::IntoFile);
            }
        }
        signs
    }

    pub(crate) fn has(&self, sign: Sign) -> bool {
        self.shown.contains(&sign)
    }
    pub(crate) fn has_any(&self, of: &[Sign]) -> bool {
        of.iter().any(|sign| self.has(*sign))
    }
    pub(crate) fn says(&self, concept: Concept) -> bool {
        self.has(Sign::Word(concept))
    }
    pub(crate) fn says_any(&self, of: &[Concept]) -> bool {
        of.iter().any(|concept| self.says(*concept))
    }

    /// `save only the names to n.json`, `이름만 n.json에 저장해줘`: of what was shown last.
    fn keeps_rows(&self, lexicon: &Lexicon, tokens: &[Token<'_>], rows: &Rows) -> bool {
        let named = [Sign::System, Sign::Label, Sign::Implied, Sign::Operation];
        let given = [Sign::Quoted, Sign::Json, Sign::Code, Sign::Url];
        let other = self.has_any(&named) || self.has_any(&given);
        let only = |text: &str| lexicon.ends_in_only(text);
        let field = |token: &Token<'_>| rows.registered(lexicon, token).is_some();
        let named = |pair: &[Token<'_>]| matches!(pair, [one, next] if field(one) && next.attached && next.has(Concept::Only));
        let wanted =
            tokens.iter().any(|t| field(t) && only(t.text)) || tokens.windows(2).any(named);
        let place = tokens.iter().position(|token| token.kind == TokenKind::Path);
        let save = tokens.iter().position(|token| token.has(Concept::Save));
        let said = match (place, save) {
            (Some(place), Some(save)) if save < place => tokens.get(save + 1..place),
            (Some(place), Some(_)) => tokens.get(..place),
            _ => None,
        };
        let ranked = || said.is_some_and(|said| content::narrows(lexicon, said));
        !rows.is_unknown() && said.is_some() && !other && (wanted || ranked())
    }

    /// Beside a URL or a system, `that result` is the answer that is about to come.
    fn refers_back(&self, tokens: &[Token<'_>], earlier_run: bool) -> bool {
        let to_result = |pointer: Concept| near(tokens, pointer, Concept::Result);
        let just = |what: Concept| near(tokens, Concept::Earlier, what);
        let strong = just(Concept::Result)
            || just(Concept::Pronoun)
            || (earlier_run && just(Concept::Thing));
        let here = self.has_any(&[Sign::Url, Sign::System, Sign::Quoted, Sign::Json]);
        let bare = earlier_run
            && (self.says(Concept::Result)
                || self.says(Concept::Pronoun)
                || stands_alone(tokens)
                || is_list(tokens)
                || only_saves(tokens));
        strong || (!here && (to_result(Concept::That) || bare))
    }

    /// `delete it`, `그 파일 읽어줘`, or nothing but `지워줘`.
    fn points_to_file(&self, tokens: &[Token<'_>]) -> bool {
        let named = [Sign::AnyPath, Sign::Url, Sign::System, Sign::Json, Sign::Code];
        let file = |pointer: Concept| near(tokens, pointer, Concept::File);
        let it = |t: &Token<'_>| {
            (t.has(Concept::Pronoun) && !t.has(Concept::Among)) || t.has(Concept::There)
        };
        let aside = [Concept::Vague, Concept::Then, Concept::And, Concept::Delete, Concept::Read];
        let aside = |t: &Token<'_>| t.kind == TokenKind::Mark || t.has_any(&aside);
        let acts = self.says(Concept::Delete) || self.says(Concept::Read);
        let bare = acts && tokens.iter().all(aside);
        // `맨 아래에 우유 적어줘`: the end of what was just spoken of.
        let puts = [Concept::Add, Concept::Write, Concept::Save];
        let puts = puts.into_iter().any(|concept| self.says(concept));
        let points = bare
            || puts && self.says(Concept::Append)
            || acts && stands_alone(tokens)
            || tokens.windows(2).any(is_the_file)
            || tokens.iter().any(it)
            || file(Concept::That)
            || file(Concept::Earlier);
        points && !self.has_any(&named)
    }

    /// The first rule that holds, and how sure it is.
    pub(crate) fn task(&self, lexicon: &Lexicon) -> Option<(TaskType, f32)> {
        let rule = self.rule(lexicon)?;
        rule.task.map(|task| (task, rule.confidence))
    }

    /// Something is asked for that nothing here can do.
    pub(crate) fn is_declined(&self, lexicon: &Lexicon) -> bool {
        self.rule(lexicon).is_some_and(|rule| rule.task.is_none())
    }

    fn rule<'l>(&self, lexicon: &'l Lexicon) -> Option<&'l Rule> {
        lexicon.rules.iter().find(|rule| self.meet(rule))
    }

    fn meet(&self, rule: &Rule) -> bool {
        let leading = |verb| rule.verbs.contains(&verb);
        (rule.verbs.is_empty() || self.verb.is_some_and(leading))
            && rule.all.iter().all(|either| self.has_any(either))
            && !self.has_any(&rule.none)
    }
}

/// What a token shows by what it is.
fn entity(lexicon: &Lexicon, token: &Token<'_>, is_path: bool) -> Vec<Sign> {
    let ends = |path: &str, of: &BTreeSet<String>| {
        path.rsplit_once('.').is_some_and(|(_, extension)| of.contains(&extension.to_lowercase()))
    };
    let program = literal::is_program(lexicon, token.text);
    let mut signs = match token.kind {
        TokenKind::Path => vec![Sign::Path, Sign::AnyPath],
        TokenKind::Quoted if is_path => vec![Sign::Path, Sign::AnyPath],
        TokenKind::LoosePath => vec![Sign::AnyPath],
        TokenKind::Url if place::is_api(token.text) => vec![Sign::Url, Sign::ApiUrl],
        TokenKind::Url if place::is_page(token.text) => vec![Sign::Url, Sign::PageUrl],
        TokenKind::Url => vec![Sign::Url],
        TokenKind::Quoted if program && !token.dictated => vec![Sign::Quoted, Sign::Program],
        TokenKind::Quoted => vec![Sign::Quoted],
        TokenKind::Code if program => vec![Sign::Code, Sign::Program, Sign::WrittenProgram],
        TokenKind::Code => vec![Sign::Code],
        TokenKind::Json => vec![Sign::Json],
        TokenKind::System => vec![Sign::System],
        TokenKind::Operation | TokenKind::Word | TokenKind::Mark | TokenKind::Dropped => Vec::new(),
    };
    let kinds =
        [(Sign::CodePath, &lexicon.code_extensions), (Sign::TextPath, &lexicon.text_extensions)];
    let path = signs.contains(&Sign::Path);
    signs.extend(kinds.into_iter().filter(|(_, of)| path && ends(token.text, of)).map(|(s, _)| s));
    signs
}

/// The one that was spoken of.
fn is_the_file(pair: &[Token<'_>]) -> bool {
    matches!(pair, [the, file] if the.is(Part::The) && file.is(Part::File))
}

/// A question that wants to know, and not to have something done.
fn asks(lexicon: &Lexicon, text: &str, tokens: &[Token<'_>]) -> bool {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return false };
    let said = text.get(first.start..last.end).unwrap_or_default().to_lowercase();
    let words = tokens.iter().filter(|token| token.is_word()).take(2).count();
    let tagged = || lexicon.tags.iter().any(|tag| last.text.ends_with(tag.as_str()));
    (last.is_mark("?") || last.is_word() && tagged())
        && words > 1
        && (is_of_any(tokens) || !lexicon.requests_in(&said))
}

/// `can you delete files?`: whether it can at all, of none that is named.
fn is_of_any(tokens: &[Token<'_>]) -> bool {
    let plural = |token: &Token<'_>| {
        token.has(Concept::File) && token.text.is_ascii() && token.text.ends_with('s')
    };
    let kind = |trio: &[Token<'_>]| matches!(trio, [verb, file, mark] if verb.verb().is_some() && plural(file) && mark.is_mark("?"));
    tokens.windows(3).any(kind)
}

/// `put that in out.csv`, but not `that file`; a Korean `그..` only hesitates.
fn stands_alone(tokens: &[Token<'_>]) -> bool {
    let that = |at: usize| tokens.get(at).is_some_and(|t| t.has(Concept::That) && !t.is_korean());
    let ends = |at: usize| {
        // `read that back to me`
        let mut rest = tokens.get(at..).unwrap_or_default().iter().skip_while(|t| t.is(Part::Back));
        rest.next().is_none_or(|t| t.has(Concept::Dest) || t.kind == TokenKind::Mark)
    };
    (0..tokens.len()).any(|at| that(at) && ends(at + 1))
}

/// Nothing but `save to a.json` behind rows: where they go.
fn saves_there(tokens: &[Token<'_>]) -> bool {
    let path = |token: &Token<'_>| token.kind == TokenKind::Path;
    let aside = |t: &Token<'_>| t.attached || t.has(Concept::Dest) || t.has(Concept::Within);
    let rest: Vec<Token<'_>> = tokens.iter().filter(|t| !path(t) && !aside(t)).cloned().collect();
    tokens.iter().any(path) && only_saves(&rest)
}

/// Nothing but `저장해줘`.
fn only_saves(tokens: &[Token<'_>]) -> bool {
    let saves = |token: &Token<'_>| token.has(Concept::Save);
    let aside = |t: &Token<'_>| {
        saves(t) || t.kind == TokenKind::Mark || t.has(Concept::Vague) || t.has(Concept::Then)
    };
    tokens.iter().any(saves) && tokens.iter().all(aside)
}

/// `it`, `거기`
fn is_pointed(token: &Token<'_>) -> bool {
    token.has(Concept::Pronoun) || token.has(Concept::There)
}

/// `거기다`, `to it`, `그 파일에`, `to the end of that file`, and only once: not `put it in there`.
fn is_put_into(tokens: &[Token<'_>]) -> bool {
    let mut places = (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(is_pointed));
    let (place, second) = (places.next(), places.next());
    let file = || tokens.iter().rposition(|token| token.has(Concept::File));
    let Some(at) = place.or_else(file).filter(|_| second.is_none()) else { return false };
    let Some(place) = tokens.get(at) else { return false };
    // Between the preposition and the file stands only what says which one, and of what it is the end.
    let aside = [Concept::That, Concept::Earlier, Concept::Vague, Concept::Within];
    let aside = |t: &&Token<'_>| t.has_any(&aside) && !opens_place(t);
    let before = tokens.get(..at).unwrap_or_default().iter().rev().find(|t| !aside(t));
    let korean = || place.has(Concept::File) && dictated::is_place_of(place, tokens.get(at + 1));
    place.has(Concept::There) || korean() || before.is_some_and(opens_place)
}

/// `to`, `at the end of`
fn opens_place(token: &Token<'_>) -> bool {
    token.has(Concept::Dest) || token.has(Concept::Append) && token.verb().is_none()
}

fn near(tokens: &[Token<'_>], one: Concept, other: Concept) -> bool {
    tokens.iter().enumerate().filter(|(_, token)| token.has(one)).any(|(at, _)| {
        let from = at.saturating_sub(REFERENCE_TOKENS_MAX);
        tokens.iter().skip(from).take(2 * REFERENCE_TOKENS_MAX + 1).any(|t| t.has(other))
    })
}

/// `save the list to a.txt`, `그 목록 a.txt에 저장해줘`: what was just shown, and no words of a text.
fn is_list(tokens: &[Token<'_>]) -> bool {
    let named = |at: usize| match tokens.get(at..at + 2) {
        Some([the, list]) => (the.is(Part::The) || the.has(Concept::That)) && list.is_listed(),
        _ => false,
    };
    let ends = |t: &Token<'_>| t.attached || t.is_path() || t.has(Concept::Dest);
    tokens.iter().any(Token::is_path)
        && (0..tokens.len()).any(|at| named(at) && tokens.get(at + 2).is_some_and(ends))
}
