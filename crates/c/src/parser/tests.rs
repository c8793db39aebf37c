//! What is read, as trees; what is refused is in `examples/c-reject`, and there are more inputs in `tests/c/limits.rs`.

use super::{parse, tree_text};
use crate::diagnostics::render;
use bumpalo::Bump;

fn tree_of(text: &str, snippet: bool) -> (String, Vec<String>) {
    let arena = Bump::new();
    let reading = parse(&arena, text, snippet);
    let messages = reading.diagnostics.iter().map(|item| item.message.clone()).collect();
    match reading.product {
        Some(unit) => (tree_text::unit(&unit), messages),
        None => panic!("{}", render(&reading.diagnostics, "test.c", text)),
    }
}

fn tree(text: &str) -> String {
    let (tree, messages) = tree_of(text, false);
    assert_eq!(messages, Vec::<String>::new(), "{text}");
    tree
}

/// The tree of a function's body.
fn body(text: &str) -> String {
    let whole = tree(&format!("void f(void) {{ {text} }}"));
    let start = "(function Void f() {".len();
    whole[start..whole.len() - 2].to_string()
}

#[test]
fn operators_bind_as_in_c() {
    for (text, expected) in [
        (
            "a = b = c + d * e - f;",
            "(= a (= b (Subtract (Add c (Multiply d e)) f)))",
        ),
        (
            "a || b && c | d ^ e & f == g;",
            "(|| a (&& b (BitOr c (BitXor d (BitAnd e (Equal f g))))))",
        ),
        ("a ? b : c ? d : e;", "(? a b (? c d e))"),
        ("a ?: b;", "(? a _ b)"),
        ("a <<= b >> c, d;", "(, (ShiftLeft= a (ShiftRight b c)) d)"),
        (
            "-a[1]++ + *p->q.r(x, y)--;",
            "(Add (Minus (PostIncrement ([] a 1))) (Dereference (PostDecrement (call (. (-> p q) r) x y))))",
        ),
        (
            "sizeof a + sizeof(int) * sizeof(int[3]);",
            "(Add (sizeof a) (Multiply (sizeof type Int _) (sizeof type Int _[3])))",
        ),
        ("sizeof (a)[1];", "(sizeof ([] a 1))"),
        ("(a) + (b)(c);", "(Add a (call b c))"),
        ("!~+-x;", "(Not (BitNot (Plus (Minus x))))"),
    ] {
        assert_eq!(body(text), expected, "{text}");
    }
}

#[test]
fn literals_have_values() {
    for (text, expected) in [
        (
            r"'a' + '\n' + '\0' + '\xff' + '\377' + 'ab' + L'\xff';",
            "(Add (Add (Add (Add (Add (Add '97 '10) '0) '-1) '-1) '24930) '255)",
        ),
        (r#""a\tb" "\x41\1012" "\u00e9";"#, "\"a\\tbAA2Ã©\""),
        (r#""a" L"ä";"#, "L\"aä\""),
        (
            "0x1Full + 010 + 1.5e-3f + .5 + 1. + 0x1p3 + 0b11;",
            "(Add (Add (Add (Add (Add (Add 0x1Full 010) 1.5e-3f) .5) 1.) 0x1p3) 0b11)",
        ),
    ] {
        assert_eq!(body(text), expected, "{text}");
    }
}

#[test]
fn declarators_read_from_the_name_outwards() {
    for (text, expected) in [
        (
            "int *a[3], (*b)[3], *(*c)(int, char *);",
            "(Int a[3]* b*[3] c*(Int _ char _*)*)",
        ),
        (
            "int (*signal(int s, void (*handler)(int)))(int);",
            "(Int signal(Int s Void handler*(Int _))*(Int _))",
        ),
        ("unsigned long long int const volatile x;", "(volatile ULongLong x)"),
        (
            "long unsigned a; short int b; signed char c; long double d;",
            "(ULong a)\n(Short b)\n(schar c)\n(LongDouble d)",
        ),
        (
            "extern void f(void); void g(); void h(int, ...);",
            "(Extern Void f())\n(Void g(?))\n(Void h(Int _ ...))",
        ),
        (
            "int a[] = {1, [3] = 2, [5 ... 7] = 3}; struct s b = {.x = 1, y: 2, .z[1].w = {0}};",
            "(Int a[] = {1 [3]2 [5...7]3})\n(struct s b = {.x1 .y2 .z[1].w{0}})",
        ),
        (
            "struct s { int a : 3, : 2; struct { char c; }; int d[]; } x; union u;",
            "(struct s { (Int a : 3 _ : 2) (struct { (char c)}) (Int d[])} x)\n(union u)",
        ),
        ("enum e { A, B = 3, } x; enum e y;", "(enum e { A B=3} x)\n(enum e y)"),
        ("struct {} empty;", "(struct {} empty)"),
        (
            "void f(int a[static 3], int b[*], int c[const]);",
            "(Void f(Int a[3] Int b[] Int c[]))",
        ),
    ] {
        assert_eq!(tree(text), expected, "{text}");
    }
}

#[test]
fn old_programs_are_read() {
    for (text, expected) in [
        ("main() { return 0; }", "(function implicit main(?) {(return 0)})"),
        (
            "static x; const y = 1; z, *w;",
            "(Static implicit x)\n(implicit y = 1)\n(implicit z w*)",
        ),
        (
            "f(a, b) int a; char *b; { }",
            "(function implicit f(a b) (Int a) (char b*) {})",
        ),
        (
            "int f(a) { register i; return a; }",
            "(function Int f(a) {(Register implicit i) (return a)})",
        ),
        (
            "long __cdecl f(void); void (__stdcall *g)(int); __declspec(dllimport) unsigned __int64 h;",
            "(Long f())\n(Void g*(Int _))\n(ULongLong h)",
        ),
    ] {
        assert_eq!(tree(text), expected, "{text}");
    }
}

#[test]
fn names_of_types_are_known_where_they_are_declared() {
    for (text, expected) in [
        ("typedef int T; T x; unsigned T;", "(Typedef Int T)\n(T x)\n(UInt T)"),
        (
            "typedef int T; void f(void) { T * x; { int T; T * x; } T y; }",
            "(Typedef Int T)\n(function Void f() {(T x*) {(Int T) (Multiply T x)} (T y)})",
        ),
        (
            "typedef int T; int f(T, int (T), T g(T)) { return (T)-1; }",
            "(Typedef Int T)\n(function Int f(T _ Int _(T _) T g(T _)) {(return (cast T _ (Minus 1)))})",
        ),
        (
            "typedef int T; void f(int T) { T = (T) - 1; }",
            "(Typedef Int T)\n(function Void f(Int T) {(= T (Subtract T 1))})",
        ),
        (
            "typedef struct s *T, U[2]; void f(void) { T: U: goto T; for (int T = 0; T;) T++; T x; }",
            "(Typedef struct s T* U[2])\n(function Void f() {(label T (label U (goto T))) (for (Int T = 0) T _ (PostIncrement T)) (T x)})",
        ),
        (
            "void f(void) { typedef int L; { L x; } } int L;",
            "(function Void f() {(Typedef Int L) {(L x)}})\n(Int L)",
        ),
        (
            "typedef int T; enum { E = sizeof(T) }; struct s { T T; };",
            "(Typedef Int T)\n(enum { E=(sizeof type T _)})\n(struct s { (T T)})",
        ),
    ] {
        assert_eq!(tree(text), expected, "{text}");
    }
}

#[test]
fn unknown_types_are_guessed() {
    for (text, expected) in [
        ("FOO x; FOO *y;", "(FOO x)\n(FOO y*)"),
        ("int f(FOO x, int y);", "(Int f(FOO x Int y))"),
        ("int f(int x, FOO);", "(Int f(Int x FOO _))"),
        (
            "static FOO *f(void) { return (FOO *)0; }",
            "(function Static FOO f()* {(return (cast FOO _* 0))})",
        ),
        (
            "void f(void) { FOO *x; FOO y = 1; }",
            "(function Void f() {(FOO x*) (FOO y = 1)})",
        ),
        ("int x = (FOO)1;", "(Int x = (cast FOO _ 1))"),
        ("typedef FOO BAR; BAR x;", "(Typedef FOO BAR)\n(BAR x)"),
    ] {
        let (tree, messages) = tree_of(text, false);
        assert_eq!(tree, expected, "{text}");
        assert_eq!(messages, [] as [String; 0], "{text}");
    }
}

#[test]
fn statements_nest() {
    for (text, expected) in [
        ("if (a) b; else if (c) d; else e;", "(if a b (if c d e))"),
        ("if (a) if (b) c; else d;", "(if a (if b c d))"),
        ("while (a) do b; while (c);", "(while a (do b c))"),
        ("for (;;) { break; continue; }", "(for () _ _ {break continue})"),
        (
            "for (i = 0, j = 1; i < n; i++) ;",
            "(for (, (= i 0) (= j 1)) (Less i n) (PostIncrement i) ())",
        ),
        (
            "switch (a) { case 1: case 2 ... 3: b; default: ; int c; }",
            "(switch a {(case 1 (case 2...3 b)) (default ()) (Int c)})",
        ),
        (
            "goto x; x: y: int a; z: ",
            "(goto x) (label x (label y (Int a))) (label z ())",
        ),
        ("return; return 1;", "(return _) (return 1)"),
        ("_Static_assert(1, \"x\"); ;", "() ()"),
    ] {
        assert_eq!(body(text), expected, "{text}");
    }
}

#[test]
fn extensions_are_read() {
    for (text, expected) in [
        ("__extension__ int x = __extension__ 1;", "(Int x = 1)"),
        (
            "int f(int) __attribute__((noreturn)), g __attribute__((aligned(8))) = 1;",
            "(Int f(Int _) g = 1)",
        ),
        (
            "struct __attribute__((packed)) s { int a; }; struct { char c; } __attribute__((__packed__)) t;",
            "(packed struct s { (Int a)})\n(packed struct { (char c)} t)",
        ),
        (
            "typedef unsigned u8 __attribute__((__mode__(__QI__))); typedef int w __attribute__((mode(DI)));",
            "(Typedef UInt u8)\n(Typedef Int w)",
        ),
        (
            "typeof(int *) a; __typeof__(a + 1) b; _Atomic(int) c; __builtin_va_list d;",
            "(typeof Int _* a)\n(typeof (Add a 1) b)\n(typeof Int _ c)\n(VaList d)",
        ),
        (
            "__int128 a; unsigned __int128 b; _Float128 c; double _Complex d; _Float64 e;",
            "(Int128 a)\n(UInt128 b)\n(Quadruple c)\n(complex Double d)\n(Double e)",
        ),
        (
            "int x = ({ int y = 1; y; }), *z = &(int){2};",
            "(Int x = (block {(Int y = 1) y}) z* = (AddressOf (literal Int _ {2})))",
        ),
        (
            "int a = sizeof(int[]){1, 2}; int b = _Alignof(int); int c = __alignof__(a);",
            "(Int a = (sizeof (literal Int _[] {1 2})))\n(Int b = (alignof Int _))\n(Int c = (preferred-alignof typeof a _))",
        ),
        (
            "int a = __builtin_offsetof(struct s, x.y[2]);",
            "(Int a = (offsetof struct s _ .x .y [2]))",
        ),
        (
            "int f(void) __asm__(\"g\") __attribute__((pure)); asm(\".text\");",
            "(Int f())\n(asm Some(\".text\") (out) (in) (clobbers) (labels))",
        ),
        (
            "static inline _Noreturn void f(void) __attribute__((cold)) { }",
            "(function Static Void f() {})",
        ),
        (
            "void f(void) { int g(int x) { return x; } asm volatile (\"\" : : \"r\" (\"(\")); a: __attribute__((unused)) goto *(&&a); }",
            "(function Void f() {(function Int g(Int x) {(return x)}) (asm volatile Some(\"\") (out) (in \"r\" \"(\") (clobbers) (labels)) (label a (goto* (&& a)))})",
        ),
        (
            "void f(int n, ...) { __label__ x; __builtin_va_arg(l, int *); __attribute__((fallthrough)); }",
            "(function Void f(Int n ...) {() (va_arg l Int _*) ()})",
        ),
    ] {
        assert_eq!(tree(text), expected, "{text}");
    }
}

#[test]
fn snippets_are_statements_with_unknown_values() {
    for (text, expected) in [
        (
            "x=0; while (x<n) x++; assert(x>=0);",
            "(= x 0)\n(while (Less x n) (PostIncrement x))\n(call assert (GreaterOrEqual x 0))",
        ),
        (
            "while (*) if (*) x = *; else f(*, (*), * && y, *p);",
            "(while unknown (if unknown (= x unknown) (call f unknown unknown (&& unknown y) (Dereference p))))",
        ),
        (
            "int x; f(a) { return a; } g(int a) { } f(x); ERROR: ;",
            "(Int x)\n(function implicit f(a) {(return a)})\n(function implicit g(Int a) {})\n(call f x)\n(label ERROR ())",
        ),
        (
            "{ x = 1; } goto ERROR; ERROR:",
            "{(= x 1)}\n(goto ERROR)\n(label ERROR ())",
        ),
        ("x = * ? 1 : 2; *p = 1;", "(= x (? unknown 1 2))\n(= (Dereference p) 1)"),
    ] {
        let (tree, messages) = tree_of(text, true);
        assert_eq!(tree, expected, "{text}");
        assert!(messages.is_empty(), "{text}: {messages:?}");
    }
}

#[test]
fn spans_cover_what_is_written() {
    let text = "int x = (a + b) * c;";
    let arena = Bump::new();
    let unit = parse(&arena, text, false).product.expect("a tree");
    let Some(crate::syntax::Item::Declaration(declaration)) = unit.items.first() else {
        panic!("no declaration");
    };
    assert_eq!(declaration.span.end as usize, text.len());
    let Some(crate::syntax::Initializer::Expression(value)) = declaration.declarators[0].initializer else {
        panic!("no initializer");
    };
    assert_eq!(&text[value.span.start as usize..value.span.end as usize], "(a + b) * c");
}
