use super::*;

#[test]
fn what_is_written_is_known_again() {
    for jq in [
        "[.[]] | length",
        "[.[] | select(.price < 5) | {name, price}]",
        "[.[] | select(.name == \"a | b] \\\" c or d\") | select(.price <= 3)] | .[:2]",
        "[.[] | select((.a < 1 or .b == true))] | sort_by(.a) | reverse | .[1:2] | map({a})",
        "[.[] | select(.id == 1 or .id == 2)] | .[-1:]",
        "[.[] | select(.a >= 1 and .a <= 2 or .a == 9)] | .[3:]",
        "[.[] | select((.name | tostring | ascii_downcase | contains(\"x (or) y\")))]",
        "[.[]] | [{sum: (map(.total) | add)}]",
        "[.[]] | group_by(.c) | map({c: .[0].c, count: length, average: (map(.p) | add / length)})",
        "[.[]] | group_by(.c) | map(sort_by(.p) | .[-1])",
    ] {
        assert_eq!(Query::read(jq).map(|query| query.written()).as_deref(), Some(jq));
    }
    for other in ["map(.name)", "[.[0]", ".[]", "[.[] | .name]", "[.[]] | reverse", ""] {
        assert_eq!(Query::read(other), None, "{other}");
    }
}
