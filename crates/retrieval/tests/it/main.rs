//! Documents from outside: what is cut out of them, what a library of them finds, in which order, and for whom.

#[cfg(test)]
mod bm25;
#[cfg(test)]
mod chunks;
#[cfg(test)]
mod draw;
#[cfg(test)]
mod isolation;
#[cfg(test)]
mod korean;
#[cfg(test)]
mod legs;
#[cfg(test)]
mod locality;
#[cfg(test)]
mod relevance;
#[cfg(test)]
mod replacement;
#[cfg(test)]
mod speed;
#[cfg(test)]
mod texts;
#[cfg(test)]
mod words;

use wiiiv_retrieval::{Passage, SourceText};

/// About as a tokenizer of many languages counts: four letters of a Latin script, a syllable of Hangul, any other sign.
fn tokens(text: &str) -> usize {
    let (mut tokens, mut run) = (0, 0);
    for c in text.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() {
            run += 1;
            continue;
        }
        tokens += usize::div_ceil(run, 4) + usize::from(!c.is_whitespace());
        run = 0;
    }
    tokens
}

/// Without white space.
fn letters(text: &str) -> String {
    text.split_whitespace().collect()
}

fn body(passages: &[Passage]) -> String {
    passages.iter().map(|passage| letters(&passage.text)).collect()
}

fn body_of(source: &SourceText) -> String {
    source.parts.iter().map(|part| letters(&part.text)).collect()
}
