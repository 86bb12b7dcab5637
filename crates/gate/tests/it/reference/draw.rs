//! One case's choices: bytes of a seed or of a tape. 0 is always the plainest choice, so a case
//! grows plainer as bytes of its tape become 0.

/// Case by case: how often something odd is drawn, of 256.
const ODDS: [u8; 4] = [2, 6, 16, 60];

/// How often each byte is made plainer.
const ROUNDS: u8 = 4;

pub struct Draw {
    tape: Vec<u8>,
    at: usize,
    seed: Option<u64>,
    odds: u8,
}

impl Draw {
    pub fn seeded(seed: u64) -> Self {
        Self::new(Vec::with_capacity(512), Some(seed))
    }
    /// What is not on the tape is 0.
    pub fn from_tape(tape: Vec<u8>) -> Self {
        Self::new(tape, None)
    }
    fn new(tape: Vec<u8>, seed: Option<u64>) -> Self {
        let mut draw = Self { tape, at: 0, seed, odds: 0 };
        draw.odds = draw.of(&ODDS);
        draw
    }
    /// Every byte that was drawn.
    pub fn into_tape(self) -> Vec<u8> {
        self.tape
    }
    fn byte(&mut self) -> u8 {
        if let (Some(seed), true) = (&mut self.seed, self.at == self.tape.len()) {
            *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            self.tape.push(mixed(*seed).to_be_bytes()[0]);
        }
        self.at += 1;
        self.tape.get(self.at - 1).copied().unwrap_or(0)
    }
    pub fn below(&mut self, end: u8) -> u8 {
        self.byte() % end
    }
    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::from(self.byte()) % all.len()]
    }
    /// In half of all draws.
    pub fn half(&mut self) -> bool {
        self.byte() & 1 == 1
    }
    /// Seldom; in some cases more often.
    pub fn odd(&mut self) -> bool {
        self.byte() > u8::MAX - self.odds
    }
    pub fn maybe<T>(&mut self, some: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.half().then(|| some(self))
    }
    /// Each of them unless something odd is drawn.
    pub fn most<T: Copy, C: FromIterator<T>>(&mut self, all: &[T]) -> C {
        all.iter().copied().filter(|_| !self.odd()).collect()
    }
}

/// SplitMix64.
pub const fn mixed(seed: u64) -> u64 {
    let seed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let seed = (seed ^ (seed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    seed ^ (seed >> 31)
}

/// A plainer tape on which `fails` still holds.
pub fn shrunk(mut tape: Vec<u8>, fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    for _ in 0..ROUNDS {
        for at in 0..tape.len() {
            for plainer in [0, tape[at] / 2] {
                let was = std::mem::replace(&mut tape[at], plainer);
                if was == plainer || !fails(&tape) {
                    tape[at] = was;
                }
            }
        }
    }
    tape
}
