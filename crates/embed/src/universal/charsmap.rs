//! How characters are spelled: a double array of byte strings, and the texts that replace them.

use crate::{
    bytes::{Bytes, Damaged},
    unigram::BLANK,
};

/// A replacement for the longest string of bytes that is known; each other character stays as it is.
#[derive(Debug)]
pub(super) struct CharsMap {
    nodes: Vec<Node>,
    /// Texts, each up to a zero byte.
    texts: Vec<u8>,
}

/// A place in the double array, in the form of darts-clone.
#[derive(Debug, Clone, Copy)]
struct Node(u32);

impl Node {
    fn is_of(self, byte: u8) -> bool {
        self.0 & 0x8000_00ff == u32::from(byte)
    }
    const fn offset(self) -> usize {
        ((self.0 >> 10) << ((self.0 & 0x200) >> 6)) as usize
    }
    const fn has_text(self) -> bool {
        self.0 & 0x100 != 0
    }
    const fn text(self) -> usize {
        (self.0 & 0x7fff_ffff) as usize
    }
}

impl CharsMap {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Damaged> {
        if bytes.is_empty() {
            return Ok(Self { nodes: Vec::new(), texts: Vec::new() });
        }
        let mut rest = Bytes(bytes);
        let length = rest.count()?;
        let nodes = rest.take(length)?.as_chunks().0;
        let nodes = nodes.iter().map(|four| Node(u32::from_le_bytes(*four))).collect();
        Ok(Self { nodes, texts: rest.0.to_vec() })
    }

    /// One blank for several, one before the text and none behind it.
    pub(super) fn spelled(&self, text: &str) -> String {
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let (length, spelled) = self.longest(rest).unwrap_or_else(|| {
                let length = first_length(rest);
                (length, rest.get(..length).unwrap_or_default())
            });
            bytes.extend_from_slice(spelled);
            rest = rest.get(length..).unwrap_or_default();
        }
        let mut spelled = String::with_capacity(bytes.len() + BLANK.len_utf8());
        for word in String::from_utf8_lossy(&bytes).split(' ').filter(|word| !word.is_empty()) {
            spelled.push(BLANK);
            spelled.push_str(word);
        }
        spelled.truncate(spelled.trim_end_matches(BLANK).len());
        spelled
    }

    /// The longest string of bytes that has a text: its length, and the text.
    fn longest(&self, bytes: &[u8]) -> Option<(usize, &[u8])> {
        let mut at = self.nodes.first()?.offset();
        let mut found = None;
        for (before, byte) in bytes.iter().enumerate() {
            at ^= usize::from(*byte);
            let Some(node) = self.nodes.get(at).filter(|node| node.is_of(*byte)) else { break };
            at ^= node.offset();
            if node.has_text() {
                found = self.nodes.get(at).map(|node| (before + 1, node.text()));
            }
        }
        let (length, text) = found?;
        let text = self.texts.get(text..).filter(|rest| !rest.is_empty())?;
        Some((length, text.split(|byte| *byte == 0).next().unwrap_or_default()))
    }
}

/// Of the first character; one byte where there is none.
fn first_length(bytes: &[u8]) -> usize {
    let is_inner = |byte: &&u8| *byte & 0xc0 == 0x80;
    match bytes.split_first() {
        Some((first, rest)) if *first >= 0xc0 => 1 + rest.iter().take_while(is_inner).count(),
        Some(_) | None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_spelled_once() {
        let map = CharsMap::read(&[]).unwrap();
        for (text, expected) in
            [("", ""), ("   ", ""), (" 가  나 ", "▁가▁나"), ("a▁ ", "▁a"), ("🙂", "▁🙂")]
        {
            assert_eq!(map.spelled(text), expected, "{text}");
        }
    }

    /// `a` is a node with the text `xy` behind it; every other place is empty.
    #[test]
    fn the_longest_is_replaced_and_what_is_damaged_breaks_nothing() {
        let mut nodes = vec![0u32; 512];
        nodes[0] = 256 << 10;
        let node = 256 ^ usize::from(b'a');
        nodes[node] = (1 << 10) | 0x100 | u32::from(b'a');
        nodes[node ^ 1] = 0x8000_0000 | 1;
        let mut bytes = (4 * 512u32).to_le_bytes().to_vec();
        bytes.extend(nodes.iter().flat_map(|node| node.to_le_bytes()));
        bytes.extend(b"\0xy\0");
        assert_eq!(CharsMap::read(&bytes).unwrap().spelled("ab a"), "▁xyb▁xy");
        for length in 0..bytes.len() {
            if let Ok(map) = CharsMap::read(&bytes[..length]) {
                map.spelled("ab a가");
            }
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            if let Ok(map) = CharsMap::read(&changed) {
                map.spelled("ab a가");
            }
        }
    }
}
