//! Work of many people, each in their turn: who asks for much waits for themselves, and nobody else for them.

use std::collections::VecDeque;
use wiiiv_domain::{IngestJobId, UserId};

/// Whose work it is. `None`: the administrator's folder's.
pub type Person = Option<UserId>;

/// A turn that is under way. `job`: of a file that was added.
pub struct Turning {
    pub person: Person,
    pub job: Option<IngestJobId>,
}

/// What waits, by person. The first one is the next.
#[derive(Debug)]
pub struct Turns<T> {
    people: VecDeque<(Person, VecDeque<T>)>,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self { people: VecDeque::new() }
    }
}

impl<T> Turns<T> {
    /// Behind what that person has waiting.
    pub fn push(&mut self, person: Person, work: T) {
        self.add(person, |works| works.push_back(work));
    }

    /// Before what that person has waiting; the person stays where they are.
    pub fn put_back(&mut self, person: Person, work: T) {
        self.add(person, |works| works.push_front(work));
    }

    fn add(&mut self, person: Person, put: impl FnOnce(&mut VecDeque<T>)) {
        if let Some((_, works)) = self.people.iter_mut().find(|(of, _)| *of == person) {
            return put(works);
        }
        let mut works = VecDeque::new();
        put(&mut works);
        self.people.push_back((person, works));
    }

    /// The oldest of the next person who is not busy. They are the last one then.
    pub fn next(&mut self, is_busy: impl Fn(Person) -> bool) -> Option<(Person, T)> {
        self.next_but(is_busy, |_| false)
    }

    /// The same, but for work that waits for something else.
    pub fn next_but(
        &mut self,
        is_busy: impl Fn(Person) -> bool,
        waits: impl Fn(&T) -> bool,
    ) -> Option<(Person, T)> {
        let free = |works: &VecDeque<T>| works.iter().position(|work| !waits(work));
        let find = |(at, (person, works)): (usize, &(Person, VecDeque<T>))| {
            if is_busy(*person) { None } else { Some((at, free(works)?)) }
        };
        let (at, nth) = self.people.iter().enumerate().find_map(find)?;
        let (person, mut works) = self.people.remove(at)?;
        let work = works.remove(nth)?;
        if !works.is_empty() {
            self.people.push_back((person, works));
        }
        Some((person, work))
    }

    /// By person, and not in the order of their turns.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.people.iter().flat_map(|(_, works)| works)
    }

    pub fn retain(&mut self, keeps: impl Fn(&T) -> bool) {
        for (_, works) in &mut self.people {
            works.retain(&keeps);
        }
        self.people.retain(|(_, works)| !works.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn person(nth: u128) -> Person {
        Some(Uuid::from_u128(nth).into())
    }

    #[test]
    fn many_works_of_one_person_do_not_starve_the_one_of_another() {
        let mut turns = Turns::default();
        for nth in 0..500 {
            turns.push(person(1), nth);
        }
        turns.push(person(2), 1_000);
        turns.push(None, 2_000);
        let next = |turns: &mut Turns<i32>| turns.next(|_| false).map(|(_, work)| work);
        let first: Vec<i32> = std::iter::from_fn(|| next(&mut turns)).take(4).collect();
        assert_eq!(first, [0, 1_000, 2_000, 1]);
        assert_eq!(turns.iter().count(), 498);
    }

    #[test]
    fn what_is_put_back_goes_on_in_that_persons_next_turn() {
        let mut turns = Turns::default();
        for (whose, work) in [(1, "a"), (1, "b"), (2, "c"), (2, "d")] {
            turns.push(person(whose), work);
        }
        let (whose, work) = turns.next(|_| false).unwrap();
        turns.put_back(whose, work);
        let order: Vec<&str> =
            std::iter::from_fn(|| turns.next(|_| false)).map(|of| of.1).collect();
        assert_eq!(order, ["c", "a", "d", "b"]);
    }

    #[test]
    fn who_is_busy_is_passed_over_and_what_is_gone_has_no_turn() {
        let mut turns = Turns::default();
        for (whose, work) in [(1, "a"), (2, "b")] {
            turns.push(person(whose), work);
        }
        assert_eq!(turns.next(|whose| whose == person(1)), Some((person(2), "b")));
        assert_eq!(turns.next(|whose| whose == person(1)), None);
        turns.retain(|work| *work != "a");
        assert_eq!(turns.next(|_| false), None);
    }

    #[test]
    fn what_waits_for_something_else_keeps_neither_that_person_nor_others_waiting() {
        let mut turns = Turns::default();
        for (whose, work) in [(1, "stalled"), (2, "stalled"), (1, "a"), (3, "b")] {
            turns.push(person(whose), work);
        }
        let next =
            |turns: &mut Turns<&'static str>| turns.next_but(|_| false, |work| *work == "stalled");
        assert_eq!(next(&mut turns), Some((person(1), "a")));
        assert_eq!(next(&mut turns), Some((person(3), "b")));
        assert_eq!(next(&mut turns), None);
        assert_eq!(turns.next(|_| false), Some((person(2), "stalled")), "it has its turn then");
        assert_eq!(turns.iter().count(), 1);
    }
}
