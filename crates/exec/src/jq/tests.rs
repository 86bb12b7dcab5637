use super::{JqFault, Values, evaluate, is_json, is_plain};

const CAP: usize = 1000;

fn text(expr: &str, input: &str) -> Result<String, JqFault> {
    let Values { lines, count } = evaluate(expr, input.as_bytes(), CAP)?;
    Ok(format!("{count}: {}", String::from_utf8_lossy(&lines)))
}

#[test]
fn values_are_written_one_a_line() {
    let table = [
        (".", "{\"b\":1,\"a\":[true,null]}", "1: {\"b\":1,\"a\":[true,null]}"),
        (".a", "{\"a\":\"가\\n\"}", "1: \"가\\n\""),
        (".[] | . * 2", "[1,2]", "2: 2\n4"),
        ("empty", "1", "0: "),
        (
            "[.items[] | select(.p < 10) | .n]",
            "{\"items\":[{\"p\":1,\"n\":\"x\"},{\"p\":10}]}",
            "1: [\"x\"]",
        ),
        (".n", "{\"n\":12345678901234567890123}", "1: 12345678901234567890123"),
        (".n", "{\"n\":1.10}", "1: 1.10"),
        (".missing", "{}", "1: null"),
        ("0 | todate", "null", "1: \"1970-01-01T00:00:00Z\""),
    ];
    for (expr, input, expected) in table {
        assert_eq!(text(expr, input).as_deref(), Ok(expected), "{expr}");
    }
}

#[test]
fn what_cannot_be_answered_says_why() {
    let table = [
        (".[", "1", JqFault::Syntax),
        ("now", "1", JqFault::Syntax),
        ("env", "1", JqFault::Syntax),
        ("$ENV", "1", JqFault::Syntax),
        ("input", "1", JqFault::Syntax),
        ("strptime(\"%Q\")", "\"x\"", JqFault::Syntax),
        ("import \"a\" as a; .", "1", JqFault::Syntax),
        (".", "", JqFault::Input),
        (".", "NaN", JqFault::Input),
        (".", "1 2", JqFault::Input),
        (".a", "[1]", JqFault::Failed),
        ("error(\"x\")", "1", JqFault::Failed),
        ("nan", "1", JqFault::Output),
        ("{(1): 2}", "1", JqFault::Output),
        ("tobytes", "\"a\"", JqFault::Output),
        ("[range(1000)]", "1", JqFault::TooLarge),
        ("repeat(1)", "1", JqFault::TooLarge),
    ];
    for (expr, input, expected) in table {
        assert_eq!(text(expr, input), Err(expected), "{expr}");
    }
}

#[test]
fn deep_input_is_refused_before_it_is_read() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(is_json(nested(128).as_bytes()));
    assert!(!is_json(nested(129).as_bytes()));
    assert!(!is_json(nested(1_000_000).as_bytes()));
    assert!(is_json("\"[[[[\\\"[[\"".as_bytes()));
    assert!(!is_json(b"\"\xff\""));
}

/// A plain path never gives more than its input holds.
#[test]
fn plain_paths_give_one_part_of_the_input() {
    let input = "{\"a\":[{\"b\":\"x\"},[1,2,3]],\"c d\":{\"e\":null}}";
    for expr in [".", ".a", ".a[0].b", ".a[-1]", ".a[99]", ".\"c d\".e", ".a[1][2]"] {
        assert!(is_plain(expr));
        let values = evaluate(expr, input.as_bytes(), CAP).expect("a value");
        assert_eq!(values.count, 1, "{expr}");
        assert!(values.lines.len() <= input.len(), "{expr}");
    }
}

/// `hlx` makes the same check before a plan is drawn: both know the same words.
#[test]
fn what_a_plan_may_say_is_what_can_be_evaluated() {
    for expr in [
        ".",
        "keys",
        "now",
        "env",
        "localtime",
        "strptime(\"%H\")",
        "strflocaltime(\"%H\")",
        "halt",
        "halt_error",
        "debug",
        "debug(1)",
        "stderr",
        "input",
        "inputs",
        "input_filename",
        "$ENV",
        "$__loc__",
        "@base64",
        "@sh",
        "test(\"a\")",
        "splits(\"a\")",
        "todate",
        "mktime",
        "gmtime",
        "strftime(\"%H\")",
        "limit(1; .)",
        "import \"a\" as a; .",
        "include \"a\"; .",
        "getpath([])",
        "ltrimstr(\"a\")",
        "tojson",
        "fromjson",
        "tobytes",
        "ascii",
        "error",
        "halt(1)",
        "nosuch",
    ] {
        let checked = wiiiv_hlx::check_expr(expr).is_ok();
        let evaluated = evaluate(expr, b"null", CAP) != Err(JqFault::Syntax);
        assert_eq!(checked, evaluated, "{expr}");
    }
}
