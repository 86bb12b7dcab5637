use super::*;

const CHEAP: &str = "[.[] | select(.price < 9)] | sort_by(.price) | .[:5] | map({name})";

fn shown(known: &str) -> Query {
    Query::read(known).unwrap()
}

fn written(query: Option<Query>) -> Option<String> {
    query.map(|query| query.written())
}

#[test]
fn rows_are_leafed_through() {
    let is = |query, jq: &str| assert_eq!(written(query).as_deref(), Some(jq));
    is(shown(CHEAP).row(2, false), &CHEAP.replace("[:5]", "[1:2]"));
    let whole = "[.[] | select(.price < 9)] | sort_by(.price) | .[1:2]";
    is(shown(CHEAP).row(2, true), whole);
    is(shown(whole).row(3, true), &whole.replace("[1:2]", "[2:3]"));
    assert_eq!(shown(CHEAP).row(6, false), None);
    is(shown(CHEAP).next(), &CHEAP.replace("[:5]", "[5:10]"));
    is(shown(CHEAP).rest(), &CHEAP.replace("[:5]", "[5:]"));
    is(shown(CHEAP).whole(), &CHEAP.replace(" | .[:5]", ""));
    is(Query::default().row(0, false), "[.[]] | .[-1:]");
    assert_eq!(Query::default().whole().and_then(|query| query.jq()), None);
}

#[test]
fn where_there_is_no_more_nothing_is_made_up() {
    assert_eq!(Query::default().next(), None);
    assert_eq!(Query::default().rest(), None);
    assert_eq!(shown("[.[]] | length").row(1, false), None);
    // Do the conditions go, or is it the same once more?
    assert_eq!(shown("[.[] | select(.price < 9)]").whole(), None);
}

#[test]
fn an_order_is_turned_round() {
    let (up, down) = ("[.[]] | sort_by(.price)", "[.[]] | sort_by(.price) | reverse");
    assert_eq!(written(shown(up).opposite()).as_deref(), Some(down));
    assert_eq!(written(shown(down).opposite()).as_deref(), Some(up));
    assert_eq!(shown(CHEAP).opposite(), None);
    assert_eq!(Query::default().opposite(), None);
}
