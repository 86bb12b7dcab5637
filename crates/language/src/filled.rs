//! What is sent to a registered operation, said field by field: `product_id 101, quantity 2`,
//! `상품 101번 수량 2개`.

use crate::{
    concept::Concept,
    keyed,
    lexicon::Lexicon,
    part::Part,
    query::text,
    ranking,
    reading::Situation,
    rows::{self, Rows},
    token::{Token, TokenKind},
};
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{HttpMethod, Operation, SlotName};

/// Longer numbers are names.
const NUMBER_BYTES_MAX: usize = 16;

/// As a JSON object; `None` where no field has a value.
pub(crate) fn body(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Option<String> {
    values(lexicon, rows, tokens).map(|values| written(&values))
}

/// What a body that waits becomes: `make that 2 pieces`, `수량은 3개로`.
pub(crate) fn changed(
    (lexicon, rows): (&Lexicon, &Rows),
    tokens: &[Token<'_>],
    known: &str,
) -> Option<String> {
    let mut body = read(known)?;
    let new = values(lexicon, rows, tokens).or_else(|| alone(lexicon, rows, tokens))?;
    // `메모는 '문 앞'`: a field that was not said before.
    let fits = new.iter().all(|(field, value)| body.contains_key(field) || value.starts_with('"'));
    body.extend(new);
    fits.then(|| written(&body))
}

/// `for user 4 instead`, `메모에 '문 앞'이라고 남겨줘`: a field of the body that waits.
pub(crate) fn corrects(lexicon: &Lexicon, situation: &Situation, tokens: &[Token<'_>]) -> bool {
    let sends = situation.is_confirming() && situation.known.get(SlotName::BODY).is_some();
    let place = tokens.iter().any(Token::is_path);
    let rows = Rows::active(lexicon, situation);
    let said = Dictated { lexicon, rows: &rows, tokens };
    let told = |at| said.keyed(at).or_else(|| said.named(at));
    sends && !place && (0..tokens.len()).any(|at| told(at).is_some())
}

/// `make it 4`, `아니 3으로`: of what waits only how many there are can be meant.
pub(crate) fn alone(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Option<Values> {
    let said = Dictated { lexicon, rows, tokens };
    let field = rows.measure(lexicon, rows::QUANTITY)?;
    let aside = [Concept::Vague, Concept::Change, Concept::Correct, Concept::Pronoun];
    let aside = |t: &Token<'_>| {
        let particle = t.is_particle();
        let light = t.has_any(&aside);
        light || particle || t.kind == TokenKind::Mark && !t.is_mark("?")
    };
    let mut told = tokens.iter().filter(|token| !aside(token));
    let only = told.next().filter(|_| told.next().is_none())?;
    let number = value(only).or_else(|| said.in_words(only))?;
    number.parse::<u64>().ok()?;
    Some(Values::from([(field.to_owned(), number)]))
}

pub(crate) type Values = BTreeMap<String, String>;

/// By field; `None` where there are none, where one of them has two, or where more is said than is
/// understood: what is sent is then asked for.
pub(crate) fn values(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Option<Values> {
    let said = Dictated { lexicon, rows, tokens };
    let (values, read) = said.values()?;
    let lost = (0..tokens.len()).any(|at| !read.contains(&at) && said.is_lost(at));
    (!lost && !values.is_empty()).then_some(values)
}

/// What is understood of it, and where nothing is: `홍삼 세트 2개 주문해줘`, `order 3 tumblers`.
pub(crate) fn partly(
    lexicon: &Lexicon,
    rows: &Rows,
    tokens: &[Token<'_>],
) -> Option<(Values, Vec<usize>)> {
    let said = Dictated { lexicon, rows, tokens };
    let (mut values, mut read) = said.values()?;
    let quantity = rows.measure(lexicon, rows::QUANTITY).map(str::to_owned);
    if let Some((at, count)) = said.of_things()
        && let Some(field) = quantity.filter(|field| !values.contains_key(field))
    {
        values.insert(field, count);
        read.insert(at);
    }
    let lost = (0..tokens.len()).filter(|at| !read.contains(at) && said.is_lost(*at));
    Some((values, lost.collect()))
}

/// How many of what no field is called: `3 tumblers`.
pub(crate) fn of_things(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> bool {
    Dictated { lexicon, rows, tokens }.of_things().is_some()
}

/// Something is said that is sent, be it not all that is understood; not the number that `own` is.
pub(crate) fn is_begun(
    lexicon: &Lexicon,
    rows: &Rows,
    tokens: &[Token<'_>],
    own: Option<&str>,
) -> bool {
    let said = Dictated { lexicon, rows, tokens };
    let told = (0..tokens.len()).filter_map(|at| said.keyed(at).or_else(|| said.named(at)));
    let mut fields = told.chain(said.counted()).map(|(field, ..)| field);
    fields.any(|field| Some(field) != own)
}

/// Some field is said by its name, or by that of what it is the number of: more than how many.
pub(crate) fn is_named(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> bool {
    let said = Dictated { lexicon, rows, tokens };
    (0..tokens.len()).any(|at| said.keyed(at).or_else(|| said.named(at)).is_some())
}

/// The tokens of what is sent that stands in quotation marks.
pub(crate) fn quoted(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> BTreeSet<usize> {
    let said = Dictated { lexicon, rows, tokens };
    let quoted = |at: &usize| tokens.get(*at).is_some_and(|token| token.kind == TokenKind::Quoted);
    let values = (0..tokens.len()).filter_map(|at| Some(said.named(at)?.2));
    values.filter(quoted).collect()
}

pub(crate) fn written(values: &Values) -> String {
    let pair = |(field, value): (&String, &String)| format!("{}:{value}", text(field));
    format!("{{{}}}", values.iter().map(pair).collect::<Vec<_>>().join(","))
}

/// A body as it is written here; any other is not taken apart.
pub(crate) fn read(body: &str) -> Option<Values> {
    let inner = body.trim().strip_prefix('{')?.strip_suffix('}')?;
    if inner.trim().is_empty() {
        return Some(Values::new());
    }
    let pair = |pair: &str| {
        let (field, value) = pair.split_once(':')?;
        let field = field.trim().strip_prefix('"')?.strip_suffix('"')?;
        let value = value.trim();
        let plain = !value.contains(['\\', '{', '[']) && value.matches('"').count() != 1;
        plain.then(|| (field.to_owned(), value.to_owned()))
    };
    inner.split(',').map(pair).collect()
}

struct Dictated<'a, 't> {
    lexicon: &'a Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'t>],
}

impl Dictated<'_, '_> {
    /// By field, and the tokens that say it; `None` where one of them has two.
    fn values(&self) -> Option<(Values, BTreeSet<usize>)> {
        let (mut values, mut read) = (Values::new(), BTreeSet::new());
        // `-2` is no 2.
        if (1..self.tokens.len()).any(|at| self.is_negative(at)) {
            return None;
        }
        for at in 0..self.tokens.len() {
            if let Some((field, value, number)) = self.keyed(at).or_else(|| self.named(at)) {
                // Of two values there is no telling which.
                if values.insert(field.to_owned(), value).is_some() {
                    return None;
                }
                read.extend([at, number]);
            }
        }
        if let Some((field, value, number)) = self.counted() {
            values.entry(field.to_owned()).or_insert(value);
            read.insert(number);
        }
        Some((values, read))
    }

    /// The only number, right before an English name of several.
    fn of_things(&self) -> Option<(usize, String)> {
        let thing = |at: usize| {
            let plural =
                self.tokens.get(at).is_some_and(|t| t.text.is_ascii() && t.ends(Part::Plural));
            plural && self.is_unknown(at)
        };
        let count = |at: usize| {
            let token = self.tokens.get(at).filter(|t| t.is_word() && !t.attached)?;
            value(token).or_else(|| self.in_words(token))
        };
        let mut found = (0..self.tokens.len()).filter_map(|at| Some((at, count(at)?)));
        let (at, count) = found.next().filter(|_| found.next().is_none())?;
        thing(at + 1).then_some((at, count))
    }

    /// `product 101`
    fn keyed(&self, at: usize) -> Option<(&str, String, usize)> {
        let (field, number, _) = keyed::key(self.lexicon, self.rows, self.tokens, at)?;
        // `order 2 pieces of ..`, `order 3 of ..`
        let of = |next: &Token<'_>| counts(next) || next.is(Part::Of);
        // `order 3 tumblers`
        let things = || self.of_things().is_some_and(|(at, _)| at == number);
        if self.tokens.get(number + 1).is_some_and(of) || things() {
            return None;
        }
        Some((field, value(self.tokens.get(number)?)?, number))
    }

    /// `quantity: 2`, `수량은 2개`
    fn named(&self, at: usize) -> Option<(&str, String, usize)> {
        let field = self.rows.registered(self.lexicon, self.tokens.get(at)?)?;
        let between = |token: &Token<'_>| {
            let particle = token.is_particle();
            let is = token.is(Part::Is | Part::Of | Part::To);
            particle || is || token.is_equals() || token.is_mark(":")
        };
        let rest = self.tokens.get(at + 1..)?;
        let told = rest.iter().take(2).take_while(|token| between(token)).count();
        Some((field, value(rest.get(told)?)?, at + 1 + told))
    }

    /// `2개`, `two pieces`: how many, where only one number is counted so.
    fn counted(&self) -> Option<(&str, String, usize)> {
        let field = self.rows.measure(self.lexicon, rows::QUANTITY)?;
        let counted = |at: usize| {
            if let Some(count) = self.told(at) {
                return Some((count, at));
            }
            let unit = self.tokens.get(at + 1).filter(|unit| counts(unit))?;
            let number = self.tokens.get(at).filter(|_| !self.is_replaced(at, unit))?;
            Some((value(number).or_else(|| self.in_words(number))?, at))
        };
        let mut found = (0..self.tokens.len()).filter_map(counted);
        let (count, at) = found.next().filter(|_| found.next().is_none())?;
        Some((field, count, at))
    }

    /// Says something of what is sent that was not read: `2.5`, `status paid`, `with wrapping`.
    fn is_lost(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let next = self.tokens.get(at + 1);
        let replaced = next.is_some_and(|unit| self.is_replaced(at, unit));
        let number = token.is_word() && token.text.chars().any(|c| c.is_ascii_digit());
        let field = self.rows.registered(self.lexicon, token).is_some();
        let stated = field && next.is_some_and(|next| next.is_word() && next.is_nameless());
        let vague = |t: &&Token<'_>| t.has(Concept::Vague);
        let held = self.tokens.iter().skip(at + 1).find(|token| !vague(token));
        let holds = token.is(Part::With)
            && held
                .is_some_and(|next| next.is_word() && next.is_nameless() && !self.is_field(next));
        let quoted = token.kind == TokenKind::Quoted;
        let lost = number && !replaced || stated || holds || quoted;
        lost || self.hangs(token) || self.is_unknown(at)
    }

    /// `only if in stock`, `재고 있으면`; not `주문해주면 돼`.
    fn hangs(&self, token: &Token<'_>) -> bool {
        let asks = |request: &String| token.text.contains(request.as_str());
        let asks = || token.has(Concept::Vague) || self.lexicon.requests.iter().any(asks);
        token.has(Concept::Condition)
            || token.is_word() && token.is_korean() && token.ends(Part::If) && !asks()
    }

    /// `선물포장 해서`, `leave it at the door`: a word that says nothing else.
    fn is_unknown(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let letters = token.text.starts_with(char::is_alphabetic);
        let plain = token.is_word() && letters && token.concepts.is_empty() && !token.attached;
        let number = || self.in_one(token).is_some() || self.in_words(token).is_some();
        // `회원한테`, and not `박도윤한테`.
        let key = || {
            let particles = Part::Toward | Part::Dative | Part::Subject;
            let stem = self.lexicon.parts.stem(particles, token.text);
            let row =
                |stem| self.rows.key(self.lexicon, stem).is_some() || self.rows.is_label(stem);
            stem.is_some_and(row)
        };
        let ends = || token.is_ending();
        plain && !self.is_field(token) && !number() && !key() && !ends()
    }

    fn is_negative(&self, at: usize) -> bool {
        let digits = |t: &&Token<'_>| t.attached && t.is_numeral();
        let minus = at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let minus = minus.is_some_and(|minus| minus.is_mark("-") && !minus.attached);
        minus && self.tokens.get(at).filter(digits).is_some()
    }

    /// `두개`, `3 of product 104`, `상품 103번 하나`: a number that stands for how many.
    fn told(&self, at: usize) -> Option<String> {
        let token = self.tokens.get(at).filter(|token| token.is_word())?;
        let of = self.tokens.get(at + 1).is_some_and(|next| next.is(Part::Of));
        if of && keyed::key(self.lexicon, self.rows, self.tokens, at + 2).is_some() {
            return value(token).or_else(|| self.in_words(token));
        }
        let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let digit = |t: &Token<'_>| t.text.ends_with(|c: char| c.is_ascii_digit());
        let row = |t: &Token<'_>| digit(t) || t.ends(Part::Numbered);
        let bare = token.is_korean() && before.is_some_and(row);
        self.in_one(token).or_else(|| self.in_words(token).filter(|_| bare))
    }

    /// `세개`
    fn in_one(&self, token: &Token<'_>) -> Option<String> {
        let (count, _) = ranking::counted_in_one(self.lexicon, token)?;
        Some(count.to_string())
    }

    fn is_field(&self, token: &Token<'_>) -> bool {
        self.rows.registered(self.lexicon, token).is_some()
            || self.rows.key(self.lexicon, token.text).is_some()
    }

    /// `2개 말고 4개`, `not 2 pieces`
    fn is_replaced(&self, at: usize, unit: &Token<'_>) -> bool {
        let behind = self.tokens.iter().filter(|t| t.start >= unit.end).find(|t| !t.attached);
        let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
        behind.is_some_and(|t| t.has(Concept::NotThis))
            || before.is_some_and(|t| t.has(Concept::Unlike) || t.has(Concept::Negate))
    }

    fn in_words(&self, token: &Token<'_>) -> Option<String> {
        let number = self.lexicon.numbers.get(token.text.to_lowercase().as_str());
        number.filter(|_| token.is_word()).map(u64::to_string)
    }
}

pub(crate) fn counts(unit: &Token<'_>) -> bool {
    unit.has(Concept::Pieces) || unit.begins(Part::Pieces)
}

/// A number, `true`, `false`, or what stands in quotation marks.
fn value(token: &Token<'_>) -> Option<String> {
    if token.kind == TokenKind::Quoted {
        return Some(text(token.text));
    }
    let word = token.text.to_lowercase();
    let plain = token.is_word() && !token.has(Concept::Only) && word.len() < NUMBER_BYTES_MAX;
    if matches!(word.as_str(), "true" | "false") {
        return Some(word);
    }
    Some(word.parse::<u64>().ok().filter(|_| plain)?.to_string())
}

/// It puts a new row where it has fields.
pub(crate) fn makes(operation: &Operation) -> bool {
    let plain = !operation.reads && !operation.path.contains('{');
    plain && operation.method == HttpMethod::Post && !operation.fields.is_empty()
}

/// The fields that are the number of a row of another list.
pub fn numbers(operation: &Operation) -> impl Iterator<Item = &str> {
    let names = operation.fields.iter().map(|field| field.name.as_str());
    names.filter(|name| name.ends_with(rows::KEY))
}

/// `order 3 tumblers`: how many of what is called by a name.
pub(crate) fn is_of_things(lexicon: &Lexicon, operation: &Operation, tokens: &[Token<'_>]) -> bool {
    let rows = Rows::with(lexicon, operation.fields.iter());
    makes(operation) && of_things(lexicon, &rows, tokens)
}
