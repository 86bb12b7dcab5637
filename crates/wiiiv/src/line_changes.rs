//! What one text changes of another, line by line.

/// One line that only one of the two texts has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineChange<'a> {
    Added(&'a str),
    Removed(&'a str),
}

/// The fewest lines that make `new` of `old`, from top to bottom. For texts of a few thousand lines at most: each
/// line of the one is compared with each of the other.
pub fn line_changes<'a>(old: &'a str, new: &'a str) -> Vec<LineChange<'a>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let common = common(&old, &new);
    // How many lines both have behind these two places.
    let behind = |at: usize, other: usize| {
        let row = common.get(old.len().saturating_sub(at));
        row.and_then(|row| row.get(new.len().saturating_sub(other))).copied().unwrap_or_default()
    };
    let (mut at, mut other, mut found) = (0, 0, Vec::new());
    loop {
        match (old.get(at).copied(), new.get(other).copied()) {
            (Some(line), Some(same)) if line == same => {
                at += 1;
                other += 1;
            }
            (Some(_), Some(line)) if behind(at + 1, other) < behind(at, other + 1) => {
                found.push(LineChange::Added(line));
                other += 1;
            }
            (Some(line), _) => {
                found.push(LineChange::Removed(line));
                at += 1;
            }
            (None, Some(line)) => {
                found.push(LineChange::Added(line));
                other += 1;
            }
            (None, None) => return found,
        }
    }
}

/// By the number of last lines of the one, then of the other: how many of those they have in common.
fn common(old: &[&str], new: &[&str]) -> Vec<Vec<u16>> {
    let mut rows = vec![vec![0_u16; new.len() + 1]];
    for line in old.iter().rev() {
        let below = rows.last().map_or(&[][..], Vec::as_slice);
        let (mut row, mut best) = (vec![0_u16], 0_u16);
        for (other, pair) in new.iter().rev().zip(below.windows(2)) {
            if let [without_both, without_line] = pair {
                best = if line == other {
                    without_both.saturating_add(1)
                } else {
                    best.max(*without_line)
                };
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::{LineChange, line_changes};

    fn found(old: &str, new: &str) -> String {
        let line = |change: LineChange<'_>| match change {
            LineChange::Added(line) => format!("+{line}"),
            LineChange::Removed(line) => format!("-{line}"),
        };
        line_changes(old, new).into_iter().map(line).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_fewest_lines_are_told_in_their_order() {
        for (old, new, due) in [
            ("", "", ""),
            ("", "a\nb", "+a +b"),
            ("a\nb", "", "-a -b"),
            ("a\nb\nc", "a\nb\nc", ""),
            ("a\nb\nc", "a\nx\nc", "-b +x"),
            ("a\nb\nc", "b\nc\nd", "-a +d"),
            ("a\nc", "a\nb\nc", "+b"),
            ("a\na\nb", "a\nb\nb", "-a +b"),
            ("a\n\nb", "a\nb", "-"),
        ] {
            assert_eq!(found(old, new), due, "{old:?} {new:?}");
        }
    }
}
