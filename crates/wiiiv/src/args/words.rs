//! Values of options: words of a closed list, and values by their names.

use clap::{
    ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};

/// Takes the words of these values, and no others.
pub fn one_of<T, const N: usize>(
    values: [T; N],
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(values.map(word)).try_map(move |given| {
        values.into_iter().find(|value| word(*value) == given).ok_or("none of these words")
    })
}

/// A value by its name, as options take it.
pub fn named_value(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("write it as `name=value`")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

/// `30d`, or `30`.
pub fn days(text: &str) -> Result<u32, String> {
    let number = text.strip_suffix('d').unwrap_or(text);
    number.parse().map_err(|_| "a number of days, as in 30d".to_owned())
}

/// The word that stands for a value, where the server calls it the same.
pub fn word(value: &impl ValueEnum) -> String {
    let named = value.to_possible_value();
    named.map(|named| named.get_name().to_owned()).unwrap_or_default()
}
