//! Finds numbers, and names with digits such as ids and times.

use std::collections::BTreeSet;

/// One word with digits.
#[derive(Debug, PartialEq, Eq)]
pub enum Written {
    /// As it counts: `1,290` is `1290`, `3.50` is `3.5`.
    Number(String),
    /// `P001`, `26d0`, `10:25`, `②`: compared as written. `number`: before a unit.
    Name { whole: String, number: Option<String> },
}

/// In their order.
pub fn written(text: &str) -> Vec<Written> {
    words(&text.chars().map(narrow).collect::<Vec<_>>())
        .iter()
        .flat_map(|word| read(word))
        .collect()
}

/// Full-width digits count as the others.
fn narrow(c: char) -> char {
    match c {
        '０'..='９' => u32::from(c).checked_sub(0xFEE0).and_then(char::from_u32).unwrap_or(c),
        _ => c,
    }
}

/// Digits and adjacent letters. A mark joins only inside a word.
fn words(text: &[char]) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    for (at, &c) in text.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        if is_of_word(c) || joins(before, c, text.get(at + 1)) {
            word.push(c);
        } else {
            words.push(std::mem::take(&mut word));
        }
    }
    words.push(word);
    words.retain(|word| word.chars().any(char::is_numeric));
    words
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphabetic() || c.is_numeric() || c == '_'
}

fn joins(before: Option<&char>, mark: char, after: Option<&char>) -> bool {
    let both = |is: fn(char) -> bool| [before, after].iter().all(|c| c.is_some_and(|c| is(*c)));
    match mark {
        '.' | ',' | ':' => both(char::is_numeric),
        '-' => both(is_of_word),
        _ => false,
    }
}

fn read(word: &str) -> Vec<Written> {
    let is_plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-');
    if word.chars().all(is_plain) {
        return word.split('-').flat_map(numbers).map(Written::Number).collect();
    }
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let number = word.strip_suffix(unit).filter(|number| !number.is_empty());
    let number = number.filter(|_| unit.chars().all(|c| c.is_ascii_alphabetic()));
    let number = number.map(|number| counted(&number.replace(',', "")));
    vec![Written::Name { whole: word.to_owned(), number }]
}

fn numbers(word: &str) -> Vec<String> {
    if is_grouped(word) {
        vec![counted(&word.replace(',', ""))]
    } else {
        word.split(',').map(counted).collect()
    }
}

/// `[7,500]` may be two numbers, `7,500` one: either may be said of it.
pub fn parts(text: &str) -> BTreeSet<String> {
    let words = words(&text.chars().map(narrow).collect::<Vec<_>>());
    let plain = words.iter().filter(|word| word.chars().all(is_listed));
    plain.flat_map(|word| word.split(',').map(counted)).collect()
}

fn is_listed(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | ',')
}

/// `1,290` and `1,290,000.5`
fn is_grouped(number: &str) -> bool {
    let whole = number.split('.').next().unwrap_or(number);
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3)
}

fn counted(number: &str) -> String {
    let whole = |digits: &str| match digits.trim_start_matches('0') {
        "" => "0".to_owned(),
        digits => digits.to_owned(),
    };
    match number.split_once('.') {
        // A version or a date is no fraction.
        Some((_, rest)) if rest.contains('.') => number.to_owned(),
        Some((digits, fraction)) => match fraction.trim_end_matches('0') {
            "" => whole(digits),
            fraction => format!("{}.{fraction}", whole(digits)),
        },
        None => whole(number),
    }
}
