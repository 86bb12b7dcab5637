//! Which rows come first, and what is counted of them: `가장 비싼 3개`, `cheapest first`,
//! `카테고리별 평균 가격`.

use crate::{concept::Concept, lexicon::Lexicon, morph, rows::Rows, token::Token};

/// The measure of what is expensive or cheap, as `[fields]` of a lexicon calls it.
const PRICE: &str = "price";
const QUANTITY: &str = "quantity";
/// Rows that a ranking asks for.
const TAKEN_MAX: u64 = 1_000;

/// jq stages over the list of rows.
#[derive(Default)]
pub(crate) struct Ranking {
    pub(crate) stages: Vec<String>,
    /// Something was said of the order or of sums, and not of which field.
    pub(crate) unread: bool,
}

pub(crate) fn ranking(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Ranking {
    let has = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    let sums = has(Concept::Sum) || has(Concept::Average);
    if sums || (has(Concept::Group) && has(Concept::Count)) {
        return summary(lexicon, rows, tokens);
    }
    let superlative = has(Concept::Most) || has(Concept::Least) || has(Concept::Sort);
    let dear = has(Concept::Expensive);
    let cheap = has(Concept::Cheap);
    let down = dear
        || (has(Concept::Highest) && !cheap)
        || (has(Concept::Most) && !cheap && !has(Concept::Lowest));
    if !(superlative || dear || cheap) {
        return Ranking::default();
    }
    let measured = |at: usize| {
        let near = tokens.get(at.saturating_sub(3)..(at + 4).min(tokens.len())).unwrap_or_default();
        near.iter().find_map(|t| rows.registered(lexicon, t))
    };
    let ranks = |token: &Token<'_>| {
        [Concept::Highest, Concept::Lowest, Concept::Most, Concept::Least, Concept::Sort]
            .into_iter()
            .any(|c| token.has(c))
    };
    let field = if dear || cheap {
        rows.measure(lexicon, PRICE)
    } else {
        tokens
            .iter()
            .position(ranks)
            .and_then(measured)
            .or_else(|| tokens.iter().find_map(|t| rows.registered(lexicon, t)))
    };
    let Some(field) = field else { return Ranking { stages: Vec::new(), unread: true } };
    let mut stages = vec![format!("sort_by(.{field})")];
    if down {
        stages.push("reverse".to_owned());
    }
    let sorted = has(Concept::Sort);
    match taken(lexicon, tokens) {
        Some(rows) => stages.push(format!(".[:{rows}]")),
        None if superlative && !sorted => stages.push(".[:1]".to_owned()),
        None => {}
    }
    Ranking { stages, unread: false }
}

/// `세 개`, `top 5`, `3 cheapest`; a number with a unit of its own counts no rows.
fn taken(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<u64> {
    let number = |token: &Token<'_>| -> Option<u64> {
        let digits = token.text.parse().ok();
        digits.or_else(|| lexicon.numbers.get(token.text.to_lowercase().as_str()).copied())
    };
    let counts = |token: Option<&Token<'_>>| {
        token.is_some_and(|t| {
            [Concept::Pieces, Concept::Thing, Concept::Cheap, Concept::Expensive, Concept::Most]
                .into_iter()
                .any(|c| t.has(c))
        })
    };
    let before = |at: usize| at.checked_sub(1).and_then(|at| tokens.get(at));
    let first = |token: Option<&Token<'_>>| {
        token.is_some_and(|t| {
            t.has(Concept::First) || t.has(Concept::Cheap) || t.has(Concept::Expensive)
        })
    };
    let rows = tokens.iter().enumerate().filter_map(|(at, token)| Some((at, number(token)?)));
    let mut rows = rows.filter(|(at, _)| counts(tokens.get(at + 1)) || first(before(*at)));
    rows.next().map(|(_, rows)| rows).filter(|rows| (1..=TAKEN_MAX).contains(rows))
}

fn summary(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Ranking {
    let unread = || Ranking { stages: Vec::new(), unread: true };
    let has = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    let grouped = tokens.iter().enumerate().find_map(|(at, token)| {
        let (label, tail) = token.text.split_once('별').unwrap_or_default();
        let ends = tail.is_empty() || morph::is_endings(lexicon, tail);
        let label = Some(label).filter(|label| !label.is_empty() && ends);
        let korean = label.and_then(|label| rows.labelled(label));
        let english = || {
            let named = || tokens.get(at + 1..(at + 3).min(tokens.len())).into_iter().flatten();
            token
                .has(Concept::Group)
                .then(|| named().find_map(|t| rows.registered(lexicon, t)))
                .flatten()
        };
        korean.or_else(english)
    });
    if has(Concept::Group) && grouped.is_none() {
        return unread();
    }
    let said =
        |token: &Token<'_>| rows.registered(lexicon, token).filter(|field| Some(*field) != grouped);
    let told = || tokens.iter().find_map(said);
    let measure = [PRICE, QUANTITY].into_iter().find_map(|measure| {
        let field = rows.measure(lexicon, measure)?;
        tokens.iter().any(|t| rows.registered(lexicon, t) == Some(field)).then_some(field)
    });
    let figure = if has(Concept::Sum) || has(Concept::Average) {
        let Some(field) = measure.or_else(told) else { return unread() };
        let of = if has(Concept::Average) { "add / length" } else { "add" };
        let name = if has(Concept::Average) { "average" } else { "sum" };
        format!("{name}: (map(.{field}) | {of})")
    } else {
        "count: length".to_owned()
    };
    let stages = match grouped {
        Some(group) => {
            vec![format!("group_by(.{group})"), format!("map({{{group}: .[0].{group}, {figure}}})")]
        }
        None => vec![format!("[{{{figure}}}]")],
    };
    Ranking { stages, unread: false }
}
