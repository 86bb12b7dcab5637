//! A text becomes passages and chunks, with the words of each.

use tokio::task::spawn_blocking;
use wiiiv_domain::ContentDigest;
use wiiiv_retrieval::{Chunking, Passage, SourceText, Terms, estimated_tokens};
use wiiiv_store::{NewChunk, NewPassage};

#[derive(Debug)]
pub struct Cut {
    pub passages: Vec<NewPassage>,
    pub chunks: Vec<NewChunk>,
}

/// `Err`: the code of why not.
pub async fn cut(
    (title, file_name): (String, String),
    source: SourceText,
    chunking: Chunking,
) -> Result<Cut, &'static str> {
    let cut = spawn_blocking(move || {
        let passages = wiiiv_retrieval::cut(&title, &source, chunking, &estimated_tokens);
        with_words((&title, &file_name), passages)
    });
    match cut.await {
        Ok(cut) if cut.chunks.is_empty() => Err("EMPTY"),
        Ok(cut) => Ok(cut),
        Err(error) => {
            tracing::error!(%error, "a text cannot be cut");
            Err("SERVER_FAULT")
        }
    }
}

fn with_words((title, file_name): (&str, &str), passages: Vec<Passage>) -> Cut {
    let mut cut = Cut { passages: Vec::with_capacity(passages.len()), chunks: Vec::new() };
    for (number, passage) in (0_u32..).zip(passages) {
        let Passage { headings, text, page, chunks } = passage;
        cut.passages.push(NewPassage { headings, page, text });
        cut.chunks.extend(chunks.into_iter().map(|chunk| NewChunk {
            passage: number,
            hash: ContentDigest::from_bytes(chunk.hash.0),
            terms: Terms::of(title, file_name, &chunk.text).to_bytes(),
            text: chunk.text,
        }));
    }
    cut
}
