use super::*;

fn with(known: &str, new: &Query) -> Option<String> {
    Query::read(known)?.merged(new, false).map(|query| query.written())
}

fn by(field: &str) -> Query {
    let order = super::super::Order { field: field.to_owned(), down: false };
    Query { order: Some(order), ..Query::default() }
}

fn below(field: &str, value: &str) -> Query {
    let filter = vec![Filter::compare(field, Op::Below, value)];
    Query { filter, ..Query::default() }
}

#[test]
fn fields_an_order_and_a_number_of_rows_stand_for_those_that_were_there() {
    let known = "[.[] | select(.price < 5)]";
    let fields = Query { fields: vec!["name".to_owned(), "price".to_owned()], ..Query::default() };
    let kept = "[.[] | select(.price < 5) | {name, price}]";
    assert_eq!(with(known, &fields).unwrap(), kept);
    let sorted = "[.[] | select(.price < 5)] | sort_by(.stock) | map({name, price})";
    assert_eq!(with(kept, &by("stock")).unwrap(), sorted);
    let three = sorted.replace(" | map", " | .[:3] | map");
    assert_eq!(with(sorted, &Query::first(3)).unwrap(), three);
    // Of which order are they the first?
    assert_eq!(with(&three, &by("price")), None);
    assert_eq!(with(&three, &Query::of(Aggregate::Count)), None);
    assert_eq!(with("[.[]] | length", &fields), None);
    assert_eq!(with("[.[]] | length", &by("price")), None);
}

#[test]
fn a_condition_stands_for_the_one_on_its_field() {
    let known = "[.[] | select(.name == \"a | b] \\\" c\") | select(.price <= 3)] | .[:2]";
    assert_eq!(with(known, &below("price", "2")).unwrap(), known.replace("<= 3", "< 2"));
    let more = known.replace("[.[] | ", "[.[] | select(.stock < 1) | ");
    assert_eq!(with(known, &below("stock", "1")).unwrap(), more);
}

#[test]
fn what_is_not_clear_is_not_changed() {
    let range = "[.[] | select(.price > 1) | select(.price < 3)]";
    assert_eq!(with(range, &below("price", "2")), None);
    assert_eq!(with("map(.name)", &below("price", "2")), None);
}
