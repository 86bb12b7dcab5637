//! How a number of a sheet is shown: a date, a time, a share of a hundred, or as it is.

use crate::document::{package::Package, refused::DocumentRefused, xml::Node};
use std::collections::BTreeMap;

/// Days from the beginning of Excel's count to 1970, and from that of 1904.
const DAYS_TO_1970: i64 = 25_569;
const DAYS_1904_TO_1970: i64 = 24_107;
const DAY_SECONDS: f64 = 86_400.0;
/// No date that Excel writes is later: the last day of the year 9999.
const DAYS_MAX: f64 = 2_958_466.0;

/// The kinds of numbers by the styles of cells.
#[derive(Default)]
pub(super) struct Formats {
    kinds: Vec<Kind>,
    since_1904: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Percent,
    Date,
    Time,
    DateTime,
}

impl Formats {
    pub(super) fn read(
        package: &mut Package<'_>,
        part: &str,
        since_1904: bool,
    ) -> Result<Self, DocumentRefused> {
        let mut custom = BTreeMap::new();
        let mut kinds = Vec::new();
        let mut in_cells = false;
        package.walk(part, &mut |node| {
            match node {
                Node::Open(element) => match element.name() {
                    "numFmt" => {
                        let id =
                            element.attribute("numFmtId").and_then(|id| id.parse::<u32>().ok());
                        let code = element.attribute("formatCode");
                        custom.extend(id.zip(code).map(|(id, code)| (id, of_code(&code))));
                    }
                    "cellXfs" => in_cells = true,
                    "xf" if in_cells => {
                        let id = element.attribute("numFmtId").and_then(|id| id.parse().ok());
                        let id: u32 = id.unwrap_or_default();
                        kinds.push(custom.get(&id).copied().unwrap_or_else(|| of_id(id)));
                    }
                    _ => {}
                },
                Node::Close("cellXfs") => in_cells = false,
                Node::Close(_) | Node::Text(_) => {}
            }
            Ok(())
        })?;
        Ok(Self { kinds, since_1904 })
    }

    /// The number of a cell of this style as people see it.
    pub(super) fn shown(&self, value: &str, style: usize) -> String {
        let value = value.trim();
        let Some(number) = value.parse::<f64>().ok().filter(|number| number.is_finite()) else {
            return value.to_owned();
        };
        let kind = self.kinds.get(style).copied().unwrap_or(Kind::Plain);
        match kind {
            Kind::Plain => rounded(number, value),
            Kind::Percent => format!("{}%", rounded(number * 100.0, value)),
            Kind::Date | Kind::Time | Kind::DateTime => {
                self.moment(number, kind).unwrap_or_else(|| rounded(number, value))
            }
        }
    }

    fn moment(&self, number: f64, kind: Kind) -> Option<String> {
        if !(0.0..DAYS_MAX).contains(&number) {
            return None;
        }
        let since = if self.since_1904 { DAYS_1904_TO_1970 } else { DAYS_TO_1970 };
        let seconds = (number * DAY_SECONDS).round();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it was found to be within the count of days"
        )]
        let seconds = seconds as i64;
        let day_seconds = 86_400;
        let (year, month, day) = civil(seconds.div_euclid(day_seconds) - since);
        let rest = seconds.rem_euclid(day_seconds);
        let date = format!("{year:04}-{month:02}-{day:02}");
        let time = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
        Some(match kind {
            Kind::Time => time,
            Kind::DateTime if rest > 0 => format!("{date} {time}"),
            Kind::Plain | Kind::Percent | Kind::Date | Kind::DateTime => date,
        })
    }
}

/// Excel writes 17 digits, of which people see 15.
fn rounded(number: f64, written: &str) -> String {
    if number != 0.0 && !(1e-9..1e15).contains(&number.abs()) {
        return written.to_owned();
    }
    let short = format!("{number:.14e}");
    short.parse::<f64>().map_or_else(|_| written.to_owned(), |number| number.to_string())
}

/// Year, month and day of a number of days from 1970 (Howard Hinnant's `civil_from_days`).
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Those that Excel brings; from 27 on they are those of Korean, Chinese and Japanese.
const fn of_id(id: u32) -> Kind {
    match id {
        9 | 10 => Kind::Percent,
        14..=17 | 27..=31 | 36 | 50..=54 | 57 | 58 => Kind::Date,
        18..=21 | 32..=35 | 45..=47 | 55 | 56 => Kind::Time,
        22 => Kind::DateTime,
        _ => Kind::Plain,
    }
}

/// By the letters of a format, without what it quotes.
fn of_code(code: &str) -> Kind {
    let (mut date, mut time, mut percent) = (false, false, false);
    let (mut quoted, mut bracketed, mut escaped) = (false, false, false);
    for c in code.chars() {
        match c {
            _ if escaped => escaped = false,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '\\' | '_' | '*' => escaped = true,
            '[' => bracketed = true,
            ']' => bracketed = false,
            _ if bracketed => {}
            ';' => break,
            'y' | 'Y' | 'd' | 'D' => date = true,
            'h' | 'H' | 's' | 'S' => time = true,
            '%' => percent = true,
            _ => {}
        }
    }
    match (date, time, percent) {
        (true, true, _) => Kind::DateTime,
        (true, false, _) => Kind::Date,
        (false, true, _) => Kind::Time,
        (false, false, true) => Kind::Percent,
        (false, false, false) => Kind::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::{Formats, Kind, of_code};

    #[test]
    fn numbers_are_shown_as_people_see_them() {
        let kinds = vec![Kind::Plain, Kind::Date, Kind::DateTime, Kind::Time, Kind::Percent];
        let formats = Formats { kinds, since_1904: false };
        for (value, style, shown) in [
            ("3.5000000000000003E-2", 0, "0.035"),
            ("1234567.8", 0, "1234567.8"),
            ("1E+20", 0, "1E+20"),
            ("45356", 1, "2024-03-05"),
            ("61", 1, "1900-03-01"),
            ("45356.75", 2, "2024-03-05 18:00:00"),
            ("45356", 2, "2024-03-05"),
            ("0.5", 3, "12:00:00"),
            ("0.12", 4, "12%"),
            ("-5", 1, "-5"),
            ("1e300", 1, "1e300"),
            ("NaN", 1, "NaN"),
            ("text", 1, "text"),
            ("7", 99, "7"),
        ] {
            assert_eq!(formats.shown(value, style), shown, "{value}");
        }
        let old = Formats { kinds: vec![Kind::Date], since_1904: true };
        assert_eq!(old.shown("0", 0), "1904-01-01");
    }

    #[test]
    fn a_format_is_a_date_by_its_letters() {
        for (code, kind) in [
            ("yyyy\"\u{b144}\" m\"\u{c6d4}\" d\"\u{c77c}\"", Kind::Date),
            ("[$-409]h:mm AM/PM;@", Kind::Time),
            ("yyyy-mm-dd hh:mm", Kind::DateTime),
            ("0.00%", Kind::Percent),
            ("#,##0\"days\"", Kind::Plain),
            ("[Red]0;d", Kind::Plain),
            ("General", Kind::Plain),
        ] {
            assert_eq!(of_code(code), kind, "{code}");
        }
    }
}
