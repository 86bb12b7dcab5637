//! A model of one layer that knows four pieces: what is read of a file, and what is refused.

use super::*;
use std::{fs, io::Write as _};

const WIDTH: usize = 384;
const INNER: usize = 32;
const POSITIONS: u32 = 8;
const PIECES: [&str; 6] = ["<s>", "<pad>", "</s>", "<unk>", "▁", "가"];
const LAYER: [(&str, usize, usize); 6] = [
    ("q", WIDTH, WIDTH),
    ("k", WIDTH, WIDTH),
    ("v", WIDTH, WIDTH),
    ("ao", WIDTH, WIDTH),
    ("fi", WIDTH, INNER),
    ("fo", INNER, WIDTH),
];

fn four(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap().to_le_bytes()
}

/// Blocks of 4 bits: 1/16 by every weight from -8 to 7.
fn weights(rows: usize, width: usize) -> Vec<u8> {
    let block = |nth: usize| {
        let mut block = vec![0x00, 0x2c];
        block.extend((0..16).map(|at| u8::try_from((at * 37 + nth * 101) % 256).unwrap()));
        block
    };
    (0..rows * width / four_bit::BLOCK).flat_map(block).collect()
}

fn numbers(count: usize, number: f32) -> Vec<u8> {
    (0..count).flat_map(|_| number.to_le_bytes()).collect()
}

fn tensors() -> Vec<(String, Vec<u8>)> {
    let positions = numbers(POSITIONS as usize * WIDTH, 0.125);
    let mut tensors = vec![
        ("emb.word".to_owned(), weights(PIECES.len(), WIDTH)),
        ("emb.pos".to_owned(), positions),
        ("emb.type".to_owned(), numbers(WIDTH, 0.5)),
    ];
    for (name, inputs, outputs) in LAYER {
        tensors.push((format!("l0.{name}.w"), weights(outputs, inputs)));
        tensors.push((format!("l0.{name}.b"), numbers(outputs, 0.25)));
    }
    for norm in ["emb.ln", "l0.aln", "l0.oln"] {
        tensors.push((format!("{norm}.w"), numbers(WIDTH, 1.0)));
        tensors.push((format!("{norm}.b"), numbers(WIDTH, 0.0)));
    }
    tensors
}

/// What is in front of the tensors, and the tensors.
fn file() -> (Vec<u8>, Vec<u8>) {
    let mut head = [&b"E5S1"[..], &four(1), &four(WIDTH), &four(1), &four(12)].concat();
    head.extend([four(INNER), four(PIECES.len()), POSITIONS.to_le_bytes(), four(1)].concat());
    head.extend([1e-12f32.to_le_bytes(), four(four_bit::BLOCK), four(PIECES.len())].concat());
    head.extend([four(0), four(2), four(1), four(3)].concat());
    let spelled = PIECES.concat();
    head.extend((spelled.len() as u64).to_le_bytes());
    let ends = PIECES.iter().scan(0, |end, piece| {
        *end += piece.len();
        Some(*end)
    });
    head.extend([0].into_iter().chain(ends).flat_map(four));
    head.extend((0..PIECES.len()).flat_map(|at| (-(at as f32)).to_le_bytes()));
    head.extend(spelled.as_bytes());
    head.extend([four(0), four(0)].concat());
    let tensors = tensors();
    head.extend(four(tensors.len()));
    let length: usize = tensors.iter().map(|(name, _)| 2 + name.len() + 1 + 4 + 16).sum();
    let mut offset = head.len() + length;
    for (name, bytes) in &tensors {
        head.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        head.extend([name.as_bytes(), &[0; 5], &(offset as u64).to_le_bytes(), &[0; 8]].concat());
        offset += bytes.len();
    }
    (head, tensors.into_iter().flat_map(|(_, bytes)| bytes).collect())
}

fn open(bytes: &[u8]) -> Result<E5, Damaged> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    E5::open(bytes, file)
}

#[test]
fn a_text_becomes_a_vector_of_length_1() {
    let (head, tensors) = file();
    let model = open(&[head, tensors].concat()).unwrap();
    assert_eq!(model.pieces_of("가 가x"), [4, 5, 4, 5, 3]);
    let vector = model.embed("가", Kind::Passage).unwrap();
    let length: f32 = vector.iter().map(|number| number * number).sum();
    assert!((length - 1.0).abs() < 1e-4 && vector.len() == WIDTH, "{length}");
    let longer = "가".repeat(100);
    assert_eq!(
        model.embed(&longer, Kind::Query).unwrap(),
        model.embed(&[&longer, "나"].concat(), Kind::Query).unwrap(),
        "what is beyond its positions is cut off"
    );
}

#[test]
fn a_file_that_ends_early_or_was_changed_is_refused_or_read_and_breaks_nothing() {
    let (head, tensors) = file();
    let whole = [head.clone(), tensors].concat();
    for length in (0..head.len()).chain([head.len() + 100, whole.len() - 1]) {
        assert!(open(&whole[..length]).is_err(), "{length}");
    }
    let mut changed = whole.clone();
    for at in 0..head.len() {
        for bits in [0xff, 0x80] {
            changed[at] ^= bits;
            if let Ok(model) = open(&changed) {
                let _vector_or_none = model.embed("가 x", Kind::Query);
            }
            changed[at] ^= bits;
        }
    }
}

#[test]
fn weights_that_are_no_numbers_give_no_vector() {
    let (head, mut tensors) = file();
    let words = PIECES.len() * four_bit::row_bytes(WIDTH);
    tensors[words..words + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let model = open(&[head.clone(), tensors.clone()].concat()).unwrap();
    assert!(matches!(model.embed("가", Kind::Query), Err(Failed::Damaged(_))));
    // The file is cut while it is open.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let (head, tensors) = file();
    let whole = [head.clone(), tensors].concat();
    fs::write(&path, &whole).unwrap();
    let model = E5::open(&whole, File::open(&path).unwrap()).unwrap();
    File::options().write(true).open(&path).unwrap().set_len(head.len() as u64).unwrap();
    assert!(matches!(model.embed("가", Kind::Query), Err(Failed::Read(_))));
}
