//! Values of options that are words of a closed list.

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

/// The word that stands for a value, where the server calls it the same.
pub fn word(value: &impl ValueEnum) -> String {
    let named = value.to_possible_value();
    named.map(|named| named.get_name().to_owned()).unwrap_or_default()
}
