//! The only place that writes jq, and that knows its own writing again.

use super::{Aggregate, Figure, Filter, Op, Order, Query, Slice};

const STAGE: &str = " | ";
const OR: &str = " or ";
const AND: &str = " and ";
const LIST: &str = ", ";
const EACH: &str = ".[]";
const COUNT: &str = "length";
const HOLDS: &str = " | tostring | ascii_downcase | contains(";
const OPS: [(Op, &str); 6] = [
    (Op::Below, "<"),
    (Op::AtMost, "<="),
    (Op::Above, ">"),
    (Op::AtLeast, ">="),
    (Op::Is, "=="),
    (Op::IsNot, "!="),
];

/// A string literal of jq and of JSON.
pub(crate) fn text(value: &str) -> String {
    let mut literal = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            c if c.is_control() => literal.push(' '),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}

/// `{name, price}`
pub(crate) fn object(fields: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = fields.iter().map(AsRef::as_ref).collect();
    format!("{{{}}}", names.join(LIST))
}

impl Query {
    /// `None` where all rows are meant as they are.
    pub(crate) fn jq(&self) -> Option<String> {
        (*self != Self::default()).then(|| self.written())
    }

    pub(crate) fn written(&self) -> String {
        let stages = self.stages();
        // A summary has fields of its own.
        let kept = !self.fields.is_empty() && self.aggregate.is_none();
        let fields = kept.then(|| object(&self.fields));
        let (inside, behind) = if stages.is_empty() { (fields, None) } else { (None, fields) };
        let filters = self.filter.iter().map(|filter| format!("select({})", filter.written()));
        let each: Vec<String> =
            std::iter::once(EACH.to_owned()).chain(filters).chain(inside).collect();
        let behind = behind.map(|fields| format!("map({fields})"));
        let all = std::iter::once(format!("[{}]", each.join(STAGE))).chain(stages).chain(behind);
        all.collect::<Vec<_>>().join(STAGE)
    }

    /// How many things it says of the rows as a list.
    pub(crate) fn stage_count(&self) -> usize {
        self.stages().len()
    }

    fn stages(&self) -> Vec<String> {
        let mut stages = Vec::new();
        if let Some(Order { field, down }) = &self.order {
            stages.push(format!("sort_by(.{field})"));
            stages.extend(down.then(|| "reverse".to_owned()));
        }
        stages.extend(self.slice.map(|slice| match slice {
            Slice::Rows(0, to) => format!(".[:{to}]"),
            Slice::Rows(from, to) => format!(".[{from}:{to}]"),
            Slice::From(from) => format!(".[{from}:]"),
            Slice::Last => ".[-1:]".to_owned(),
        }));
        match &self.aggregate {
            Some(Aggregate::Count) => stages.push(COUNT.to_owned()),
            Some(Aggregate::Figures { group: None, figures }) => {
                stages.push(format!("[{{{}}}]", listed(figures)));
            }
            Some(Aggregate::Figures { group: Some(group), figures }) => {
                let each = format!("map({{{group}: .[0].{group}, {}}})", listed(figures));
                stages.extend([format!("group_by(.{group})"), each]);
            }
            Some(Aggregate::FirstOfEach { group, by: Order { field, down } }) => {
                let place = if *down { "-1" } else { "0" };
                let each = format!("map(sort_by(.{field}) | .[{place}])");
                stages.extend([format!("group_by(.{group})"), each]);
            }
            None => {}
        }
        stages
    }

    /// What was written here before; `None` of what somebody wrote otherwise.
    pub(crate) fn read(jq: &str) -> Option<Self> {
        let stages = split(jq, STAGE);
        let (rows, rest) = stages.split_first()?;
        let each = split(rows.strip_prefix('[')?.strip_suffix(']')?, STAGE);
        let mut query = Self::default();
        for part in each.into_iter().skip(1) {
            match within(part, "select(", ")") {
                Some(filter) => query.filter.push(Filter::read(filter)?),
                None => query.fields = names(part)?,
            }
        }
        let mut rest = rest.iter().copied();
        while let Some(stage) = rest.next() {
            query.add(stage, &mut rest)?;
        }
        (query.written() == jq).then_some(query)
    }

    fn add<'j>(&mut self, stage: &'j str, rest: &mut impl Iterator<Item = &'j str>) -> Option<()> {
        if let Some(field) = within(stage, "sort_by(.", ")") {
            self.order = Some(Order { field: field.to_owned(), down: false });
        } else if stage == "reverse" {
            self.order.as_mut()?.down = true;
        } else if let Some((from, to)) = within(stage, ".[", "]").and_then(|s| s.split_once(':')) {
            self.slice = Some(match (from, to) {
                ("-1", "") => Slice::Last,
                (from, "") => Slice::From(from.parse().ok()?),
                ("", to) => Slice::Rows(0, to.parse().ok()?),
                (from, to) => Slice::Rows(from.parse().ok()?, to.parse().ok()?),
            });
        } else if stage == COUNT {
            self.aggregate = Some(Aggregate::Count);
        } else if let Some(figures) = within(stage, "[{", "}]") {
            let figures = read_figures(figures)?;
            self.aggregate = Some(Aggregate::Figures { group: None, figures });
        } else if let Some(group) = within(stage, "group_by(.", ")") {
            self.aggregate = Some(of_each(group.to_owned(), rest.next()?)?);
        } else {
            self.fields = names(within(stage, "map(", ")")?)?;
        }
        Some(())
    }
}

impl Filter {
    fn written(&self) -> String {
        let joined =
            |all: &[Self], by: &str| all.iter().map(Self::written).collect::<Vec<_>>().join(by);
        match self {
            Self::Compare(field, op, value) => {
                let op = OPS.iter().find(|(own, _)| own == op).map_or("", |(_, written)| written);
                format!(".{field} {op} {value}")
            }
            Self::Contains(field, value) => format!("(.{field}{HOLDS}{value}))"),
            Self::All(all) => joined(all, AND),
            // One of several fields is held apart from those on one alone.
            Self::Any(all) if self.field().is_none() => format!("({})", joined(all, OR)),
            Self::Any(all) => joined(all, OR),
        }
    }

    fn read(jq: &str) -> Option<Self> {
        let all = |parts: Vec<&str>| parts.into_iter().map(Self::read).collect::<Option<Vec<_>>>();
        let (either, both) = (split(jq, OR), split(jq, AND));
        if either.len() > 1 {
            return all(either).map(Self::Any);
        }
        if both.len() > 1 {
            return all(both).map(Self::All);
        }
        if let Some(inner) = within(jq, "(", ")") {
            return match inner.split_once(HOLDS) {
                Some((field, value)) => {
                    let (field, value) = (field.strip_prefix('.')?, value.strip_suffix(')')?);
                    Some(Self::Contains(field.to_owned(), value.to_owned()))
                }
                None => Self::read(inner),
            };
        }
        let mut words = jq.splitn(3, ' ');
        let (field, op) = (words.next()?.strip_prefix('.')?, words.next()?);
        let (op, _) = OPS.iter().find(|(_, written)| *written == op)?;
        Some(Self::compare(field, *op, words.next()?))
    }
}

fn listed(figures: &[Figure]) -> String {
    let written = |figure: &Figure| match figure {
        Figure::Count => "count: length".to_owned(),
        Figure::Sum(field) => format!("sum: (map(.{field}) | add)"),
        Figure::Average(field) => format!("average: (map(.{field}) | add / length)"),
    };
    figures.iter().map(written).collect::<Vec<_>>().join(LIST)
}

fn read_figures(jq: &str) -> Option<Vec<Figure>> {
    let figure = |jq: &str| {
        let (name, of) = jq.split_once(": ")?;
        let field = |end| within(of, "(map(.", end).map(str::to_owned);
        match name {
            "count" => Some(Figure::Count),
            "sum" => field(") | add)").map(Figure::Sum),
            _ => field(") | add / length)").map(Figure::Average),
        }
    };
    split(jq, LIST).into_iter().map(figure).collect()
}

fn of_each(group: String, stage: &str) -> Option<Aggregate> {
    if let Some(figures) = within(stage, "map({", "})") {
        let (_, figures) = figures.split_once(LIST)?;
        return Some(Aggregate::Figures { group: Some(group), figures: read_figures(figures)? });
    }
    let (field, place) = within(stage, "map(sort_by(.", "])")?.split_once(") | .[")?;
    let by = Order { field: field.to_owned(), down: place == "-1" };
    Some(Aggregate::FirstOfEach { group, by })
}

fn names(jq: &str) -> Option<Vec<String>> {
    Some(within(jq, "{", "}")?.split(LIST).map(str::to_owned).collect())
}

fn within<'j>(jq: &'j str, begin: &str, end: &str) -> Option<&'j str> {
    jq.strip_prefix(begin)?.strip_suffix(end)
}

/// At each of these that stands neither in brackets nor in a string.
fn split<'j>(jq: &'j str, by: &str) -> Vec<&'j str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0_usize, 0_usize);
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in jq.char_indices() {
        let own = depth == 0 && !quoted && at >= from;
        if own && jq.get(at..).is_some_and(|rest| rest.starts_with(by)) {
            parts.extend(jq.get(from..at));
            from = at + by.len();
        }
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            '(' | '{' | '[' if !quoted => depth += 1,
            ')' | '}' | ']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    parts.extend(jq.get(from..));
    parts
}

#[cfg(test)]
mod tests;
