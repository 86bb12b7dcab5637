use super::{EXPR_TOKENS_MAX, check_expr, count_tokens};

fn code(expr: &str) -> &'static str {
    check_expr(expr).map_or_else(|e| e.code(), |()| "ok")
}

#[test]
fn the_language_is_jq_without_the_world() {
    for expr in [
        ".",
        ".items[] | select(.price > 10) | {name, price}",
        "[.items[] | .name] | sort | join(\", \")",
        "reduce .[] as $x (0; . + $x)",
        "@base64 \"\\(.a)\"",
        "map(.at | fromdateiso8601)",
        "test(\"^a\"; \"i\")",
        "def f: f; f",
        "[range(1e12)]",
    ] {
        assert_eq!(code(expr), "ok", "{expr}");
    }
    for expr in [
        "now",
        "env",
        "$ENV",
        "$__loc__",
        "input",
        "inputs",
        "debug",
        "stderr",
        "halt",
        "halt_error",
        "localtime",
        "strflocaltime(\"%H\")",
        "strptime(\"%H\")",
        "input_filename",
        "nosuch",
    ] {
        assert_eq!(code(expr), "JQ_UNKNOWN", "{expr}");
    }
    for expr in ["", ".[", "import \"a\" as a; .", "include \"a\"; .", ". |", "if . then"] {
        assert_eq!(code(expr), "JQ_SYNTAX", "{expr}");
    }
    assert_eq!(code(&".a".repeat(2049)), "JQ_TOO_LONG");
    assert_eq!(code(&"[".repeat(513)), "JQ_TOO_COMPLEX");
}

#[test]
fn the_deepest_expressions_fit_the_parsers_stack() {
    let shapes = [
        ("[", "]"),
        ("(", ")"),
        ("{a:", "}"),
        ("-", ""),
        ("try ", ""),
        (".|", ""),
        (".,", ""),
        ("1+", ""),
        ("def f:", ";."),
        ("if . then ", " end"),
        ("\"\\(", ")\""),
        ("reduce . as $x (.;", ")"),
        ("label $f|", ""),
        (".[", "]"),
    ];
    for (open, close) in shapes {
        let depth = EXPR_TOKENS_MAX / count_tokens(&format!("{open}{close}")) - 1;
        let expr = format!("{}.{}", open.repeat(depth), close.repeat(depth));
        assert_ne!(code(&expr), "JQ_TOO_COMPLEX", "{open}");
    }
}
