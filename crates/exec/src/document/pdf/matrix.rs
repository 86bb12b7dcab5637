//! Places on a page.

/// `[a b c d e f]` of the PDF standard: what is written at a point of a text, and how large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix(pub(super) [f64; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) const fn moved(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// First this one, then the other.
    pub(super) fn then(self, other: Self) -> Self {
        let Self([a, b, c, d, e, f]) = self;
        let Self([oa, ob, oc, od, oe, of]) = other;
        Self([
            a * oa + b * oc,
            a * ob + b * od,
            c * oa + d * oc,
            c * ob + d * od,
            e * oa + f * oc + oe,
            e * ob + f * od + of,
        ])
    }

    /// How much larger it makes what is upright.
    pub(super) fn height(self) -> f64 {
        let Self([_, _, c, d, _, _]) = self;
        c.hypot(d)
    }

    /// Its origin along the direction of writing and across it, upwards, and that direction in quarters of a
    /// turn: text that stands on its side is read along its own lines.
    pub(super) fn origin(self) -> (f64, f64, u8) {
        let Self([a, b, _, _, x, y]) = self;
        let quarter =
            if a.abs() >= b.abs() { u8::from(a < 0.0) * 2 } else { 1 + u8::from(b < 0.0) * 2 };
        match quarter {
            1 => (y, -x, 1),
            2 => (-x, -y, 2),
            3 => (-y, x, 3),
            _ => (x, y, 0),
        }
    }
}
