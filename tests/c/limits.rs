//! Hostile C: whatever the parser is given, it ends with a tree or with diagnostics, in time that grows with the text; and
//! the rules of a long program are not many more than it has branches.

use bumpalo::Bump;
use clausal::c::options::Options;
use clausal::c::parser::parse;
use clausal::c::translate;
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Parses on the stack that threads have by default. Gives the first message; none if there is a tree.
fn message(text: &str, snippet: bool) -> Option<String> {
    let arena = Bump::new();
    let reading = parse(&arena, text, snippet);
    assert!(reading.diagnostics.len() <= 40);
    assert_eq!(
        reading.product.is_none(),
        !reading.diagnostics.is_empty(),
        "{:?}",
        reading.diagnostics
    );
    reading.diagnostics.first().map(|first| first.message.clone())
}

/// Something nested, each time as: what is before, what is repeated, the innermost, what is repeated after it, the rest.
const NESTED: [[&str; 5]; 23] = [
    ["int x = ", "(", "1", ")", ";"],
    ["int x = ", "-", "1", "", ";"],
    ["int x = ", "!(int)", "1", "", ";"],
    ["int x = ", "f(", "1", ")", ";"],
    ["int x = ", "a[", "1", "]", ";"],
    ["int x = ", "1 ? 2 : ", "3", "", ";"],
    ["int x = ", "1 ? ", "2", " : 3", ";"],
    ["int x = ", "1 + (", "1", ")", ";"],
    ["int x = ", "sizeof(int[", "1", "]){0}", ";"],
    ["int x = ", "({", "1;", "});", ""],
    ["int x = ", "{", "1", "}", ";"],
    ["int x = ", "{ [0].a[1] = {", "1", "}}", ";"],
    ["void f(void) { ", "x = ", "1", "", "; }"],
    ["void f(void) { ", "{", "", "}", " }"],
    ["void f(void) { ", "if (x) { for (;;) ", ";", "}", " }"],
    ["void f(void) { ", "do ", ";", " while (1);", " }"],
    ["void f(void) { ", "int f(void) { ", "", "}", " }"],
    ["void f(void) { ", "switch (x) case 1: ", ";", "", " }"],
    ["int ", "(", "x", ")", ";"],
    ["int ", "(*", "x", ")(void)", ";"],
    ["int f(", "int (*a)(", "void", ")", ");"],
    ["", "struct { ", "int x;", "} a;", ""],
    ["", "typeof(", "int", ")", " x;"],
];

#[test]
fn nesting_has_a_limit() {
    for [before, opening, innermost, closing, after] in NESTED {
        for count in [40, 10_000, 100_000] {
            for closings in [count, 0] {
                let text = format!(
                    "{before}{}{innermost}{}{after}",
                    opening.repeat(count),
                    closing.repeat(closings)
                );
                let start = Instant::now();
                let message = message(&text, false);
                let shown = &text[..60.min(text.len())];
                assert!(start.elapsed() < Duration::from_secs(60), "{shown} takes too long");
                if count == 40 && closings == count {
                    assert!(message.is_none(), "{shown}: {message:?}");
                }
                if count > 40 {
                    assert!(message.is_some(), "{shown}");
                }
            }
        }
    }
}

/// Something that leans: what is before, what is repeated, the rest.
const LEANING: [[&str; 3]; 13] = [
    ["int x = 1", " + 1", ";"],
    ["int x = 1", " && 1 | 1", ";"],
    ["int x = (1", ", 1", ");"],
    ["int x = a", ".b", ";"],
    ["int x = a", "->b[1]", ";"],
    ["int x = a", "()", ";"],
    ["int x = a", "++", ";"],
    ["int x = (int){1}", "[0]", ";"],
    ["void f(void) { if (x) ; ", "else if (x) ;", " }"],
    ["void f(void) { ", "l: ", "; }"],
    ["void f(void) { switch (x) { ", "case 1: ", "; } }"],
    ["int x", "[1]", ";"],
    ["int ", "*", "x;"],
];

#[test]
fn chains_have_a_limit() {
    for [before, link, after] in LEANING {
        for count in [90, 100_000] {
            let text = format!("{before}{}{after}", link.repeat(count));
            let start = Instant::now();
            let message = message(&text, false);
            assert_eq!(message.is_some(), count > 90, "{before}{link}: {message:?}");
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "{before}{link} takes too long"
            );
        }
    }
    // Chains inside chains count together.
    let chain = |inner: &str| format!("({inner}{})", " + 1".repeat(400));
    let nested = (0..10).fold("1".to_string(), |inner, _| chain(&inner));
    assert_eq!(
        message(&format!("int x = {nested};"), false).as_deref(),
        Some("nested too deeply")
    );
}

#[test]
fn long_texts_take_time_in_proportion() {
    let size = 5_000_000;
    let long = |piece: &str| piece.repeat(size / piece.len());
    for (text, is_read) in [
        (format!("int a[] = {{{}}};", long("1, 2, ")), true),
        (long("int f(int x) { return x + 1; }\n"), true),
        (long(" \n"), true),
        (format!("/*{}", long("* /")), false),
        (format!("char *s = \"{}", long("ab")), false),
        (format!("char *s = {};", long("\"ab\" ")), true),
        (format!("int {};", long("x")), true),
        (format!("int x = {};", long("1")), false),
        (long("}"), false),
        (long("("), false),
        (long("x y "), false),
        (long("if ("), false),
        (long("\\"), false),
        (long("# 1 \"a\"\n"), true),
        (long("T * x; "), true),
        (long("f(;"), false),
        (long("__extension__ "), false),
        (long("__attribute__(("), false),
    ] {
        let start = Instant::now();
        let arena = Bump::new();
        for snippet in [false, true] {
            let reading = parse(&arena, &text, snippet);
            assert_eq!(reading.product.is_some(), is_read, "{}", &text[..40]);
        }
        assert!(
            start.elapsed() < Duration::from_secs(300),
            "{}: {:?}",
            &text[..40],
            start.elapsed()
        );
    }
}

/// Translates on the stack that threads have by default, in bounded time. Gives the first message; none if there are rules.
fn refusal(text: &str) -> Option<String> {
    let start = Instant::now();
    let reading = translate(text, &Options::default());
    let shown = text.char_indices().nth(80).map_or(text, |(end, _)| &text[..end]);
    assert!(start.elapsed() < Duration::from_secs(120), "{shown} takes too long");
    if reading.product.is_some() {
        return None;
    }
    let is_error = |item: &&clausal::diagnostics::Diagnostic| item.severity == clausal::diagnostics::Severity::Error;
    let message = reading
        .diagnostics
        .iter()
        .find(is_error)
        .map(|first| first.message.clone());
    Some(message.expect("what is refused has an error"))
}

/// Types that are made of each other: what the first one is, and how the next is made.
const CHAINS: [[&str; 3]; 5] = [
    ["typedef int T0;", "typedef T# *T@;", "T@ x;"],
    ["typedef int T0;", "typedef T# T@[1];", "T@ x;"],
    ["typedef int T0;", "typedef T# (*T@)(T#);", "T@ x;"],
    ["struct T0 { int x; };", "struct T@ { struct T# x; };", "struct T@ x;"],
    [
        "struct T0 { int x; };",
        "struct T@ { int y; struct T# x[1]; };",
        "struct T@ x;",
    ],
];

#[test]
fn types_made_of_each_other_have_a_limit() {
    for [first, next, last] in CHAINS {
        for count in [300, 30_000] {
            let number = |pattern: &str, this: usize| {
                let before = this.wrapping_sub(1).to_string();
                pattern.replace('#', &before).replace('@', &this.to_string())
            };
            let chain: String = (1..=count).map(|this| number(next, this) + "\n").collect();
            let text = format!(
                "void reach_error(void); {first}\n{chain}{} int main(void) {{ if (sizeof x == 3) reach_error(); }}",
                number(last, count)
            );
            let message = refusal(&text);
            match count {
                300 => assert_eq!(message, None, "{next}"),
                _ => assert_eq!(message.as_deref(), Some("the type is nested too deeply"), "{next}"),
            }
        }
    }
}

#[test]
fn large_things_are_translated_or_refused() {
    let doubled: String = (1..=58)
        .map(|this| format!("struct S{this} {{ struct S{} a, b; }};\n", this - 1))
        .collect();
    let calls: String = (1..=60)
        .map(|this| format!("int f{this}(int x) {{ return f{0}(x) + f{0}(x + 1); }}\n", this - 1))
        .collect();
    for (declarations, body, is_refused) in [
        (
            "int a[1000000000000];",
            "int i = input(); a[i] = 3; if (a[2] == 3) reach_error();",
            false,
        ),
        ("int a[100000000000000000000];", "if (a[2] == 3) reach_error();", true),
        (
            "int a[1000000000] = { 1, [999999999] = 2 };",
            "if (a[5] == 3) reach_error();",
            false,
        ),
        (
            "int a[1000000000] = { [0 ... 999999999] = 2 };",
            "if (a[5] == 3) reach_error();",
            true,
        ),
        ("typedef T2 T1; typedef T1 T2; T1 x;", "if (x) reach_error();", true),
        (
            "typedef struct S S; struct S { S s; }; S x;",
            "if (x.s.s.s) reach_error();",
            true,
        ),
        (
            &format!("struct S0 {{ int x; }};\n{doubled}"),
            "struct S58 p, q; p = q; if (p.a.b.a.a.a.a == p.b) reach_error();",
            true,
        ),
        (
            // 2^60 calls, of functions that stay functions.
            &format!("int f0(int x) {{ return x > 3 ? x : 3; }}\n{calls}"),
            "if (f60(1) == 3) reach_error();",
            false,
        ),
        (
            "",
            "long x = input(); switch (x) { case -1 ... 0x7fffffffffffffff: reach_error(); }",
            false,
        ),
        (
            "",
            "unsigned long n = input(); if ((1ul << n) == 8 && 1 << 2000000000) reach_error();",
            false,
        ),
    ] {
        let text =
            format!("void reach_error(void); int input(void); {declarations}\nint main(void) {{ {body} return 0; }}");
        let message = refusal(&text);
        assert_eq!(message.is_some(), is_refused, "{declarations} {body}: {message:?}");
    }
    let long = format!(
        "void reach_error(void); char *s = \"{}\"; int main(void) {{ if (s[3] == 8) reach_error(); }}",
        "ab".repeat(2_500_000)
    );
    assert!(refusal(&long).is_some_and(|message| message.contains("5000000 characters")));
}

const PIECES: [&str; 78] = [
    "int",
    "x",
    "y",
    "T",
    "typedef",
    "struct",
    "union",
    "enum",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "=",
    "+",
    "-",
    "++",
    "&&",
    "==",
    "<",
    "?",
    ":",
    ".",
    "->",
    "...",
    "1",
    "0x1F",
    "1.5",
    "'a'",
    "\"s\"",
    "if",
    "else",
    "while",
    "do",
    "for",
    "switch",
    "case",
    "default",
    "break",
    "return",
    "goto",
    "sizeof",
    "static",
    "extern",
    "const",
    "volatile",
    "unsigned",
    "long",
    "char",
    "void",
    "__attribute__",
    "((",
    "))",
    "asm",
    "__extension__",
    "typeof",
    "_Static_assert",
    "({",
    "})",
    "inline",
    "__cdecl",
    "_Alignof",
    "__builtin_offsetof",
    "__builtin_va_arg",
    "&&x",
    "x:",
    "int x",
    "f(",
    "x = 1;",
    "*)",
    "'",
    "\"",
    "§",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn tokens_in_any_order_are_read_or_refused(
        pieces in prop::collection::vec(prop::sample::select(PIECES.as_slice()), 0..60),
        snippet in any::<bool>(),
    ) {
        let text = pieces.join(" ");
        let arena = Bump::new();
        let reading = parse(&arena, &text, snippet);
        let has_errors = reading.diagnostics.iter().any(|item| item.severity == clausal::diagnostics::Severity::Error);
        prop_assert_eq!(reading.product.is_none(), has_errors);
        clausal::diagnostics::render(&reading.diagnostics, "soup.c", &text);
    }

    #[test]
    fn characters_in_any_order_are_read_or_refused(text in "\\PC{0,200}", snippet in any::<bool>()) {
        let arena = Bump::new();
        let reading = parse(&arena, &text, snippet);
        clausal::diagnostics::render(&reading.diagnostics, "soup.c", &text);
        let map = clausal::c::lines::LineMap::new(&text);
        for byte in 0..text.len() + 2 {
            map.location(byte);
        }
    }
}

#[test]
fn branches_without_effect_do_not_multiply_rules() {
    let options = clausal::c::options::Options {
        slice: false,
        ..Default::default()
    };
    let branches = "if (x == 1) { if (nondet() == 2) ; }\n".repeat(40);
    let text = format!("int nondet(); void reach_error(); int main() {{ int x; {branches} if (x) reach_error(); }}");
    let translation = clausal::c::translate(&text, &options).product.expect("rules");
    let rules = translation.program.rules().len();
    assert!(rules < 400, "{rules} rules");
}
