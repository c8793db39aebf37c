//! Small programs of each construct and what becomes of them, and mistakes with what is said about them.

use super::lower;
use crate::diagnostics::{Reading, Severity, render};
use crate::options::Options;
use crate::parser::parse;
use crate::program::Program;
use bumpalo::Bump;

fn read(text: &str, options: &Options) -> Reading<Program> {
    let arena = Bump::new();
    let reading = parse(&arena, text, options.snippet);
    let unit = reading.product.expect("a text without mistakes for the parser");
    lower(&unit, options)
}

/// The program as text, and what was said about it.
fn shown(text: &str, options: &Options) -> String {
    let reading = read(text, options);
    let program = reading.product.map(|program| program.to_string());
    let remarks = render(&reading.diagnostics, "t.c", text);
    format!(
        "{}{}{remarks}",
        program.unwrap_or_default(),
        if remarks.is_empty() { "" } else { "\n" }
    )
}

fn check(name: &str, text: &str, options: &Options) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/c-semantics");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_description(text);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, shown(text, options)));
}

const PROGRAMS: &[(&str, &str)] = &[
    (
        "arithmetic",
        "unsigned char c; unsigned u; long l; _Bool b; double d;
         int main() {
           int x = 7, y = -x;
           c += 100; c = c << 1; u = -1; u = u / x; l = u + x; l = x * 3L;
           b = x; b = y > 3; x = 'a' + 010 + 0x1F + 0b11; y = 2147483647 + 0; l = 2147483648; u = 4294967295;
           x = !c; x = ~y; x ^= c & 3 | 1; x >>= u; x %= 5; d = x / 2.5; x = d; x = sizeof(int[4]) / sizeof x;
           return x >= y;
         }",
    ),
    (
        "side_effects",
        "int g; int f(int a, int b) { g = a; return b; }
         int main() {
           int x = 0, y, a[3];
           y = x++; y = ++x; x += y = 2; x = f(x++, g) + 1; y = g + f(1, 2) * g; a[x++] = x; a[g] += f(3, 4);
           y = x = 5; x++, y--; y = (x++, y + 1); x = f(0, 1);
           return 0;
         }",
    ),
    (
        "conditions",
        "int f(void); int g(int x) { return x; }
         int main() {
           int x = f(), *p = &x;
           if (x > 0 && *p / x == 1 || !x) x = 1;
           if (x && g(x) || x++) x = 2; else x = 3;
           x = x && g(x); x = p ? *p : 0; x = x ? g(1) : g(2); x = g(x) ?: 4;
           x || g(5); x ? g(1) : (void)0;
           while (1) { if (g(x) == 3) break; }
           return !p;
         }",
    ),
    (
        "loops",
        "int main() {
           int s = 0;
           for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 5) break; s += i; }
           do s--; while (s > 0 && s != 7);
           for (;;) { while (s) s--; goto out; }
           s = 99;
           out: return s;
         }",
    ),
    (
        "switch",
        "int main() {
           int x, y = 0;
           switch (x) { case 1: y = 1; case 'b': y = 2; break; case 3 ... 5: y = 3; break; default: y = 4; }
           switch (x) { case 0: do { y++; case 1: y++; } while (x-- > 0); }
           switch (2) { case 1: y = 5; break; case 2: y = 6; }
           return y;
         }",
    ),
    (
        "jumps_past_declarations",
        "int main() {
           int x;
           if (x) goto in;
           { int y = 1; in: x = y; }
           switch (x) { int z; case 0: z = 1; break; case 1: x = z; }
           return x;
         }",
    ),
    (
        "pointers",
        "struct s { int v; struct s *next; int a[2][3]; } g; int m[2][3]; int (*row)[3] = m; void *v;
         int main() {
           int x, *p = &x, **q = &p, a[5];
           *p = 3; **q = *p + 1; p = a; p = &a[2]; *(a + 1) = 2[a]; p[x] = *p++; x = p - a; x = p < &a[4];
           struct s *n = &g; n->next = n; n->next->a[1][x] = (*n).v; row[1][2] = *(m[1] + 2); row++;
           v = n; n = v; n = 0; x = !n; x = (long)p; p = &*p; x = *&x; p = (int *)v + 1; p -= 1; p += x;
           return n == (void *)0;
         }",
    ),
    (
        "structs",
        "struct p { int x, y; union { int i; char c; }; struct { unsigned b : 3; int s : 2; _Bool t : 1; unsigned o : 1; } f; };
         struct p make(int x) { struct p r = { x, .f = { 1, -1 }, .i = 4 }; return r; }
         int main() {
           struct p a = make(1), b, *q = &b; int n;
           b = a; *q = make(2); a.c = 'x'; a.i = a.c; n = make(3).y; a.f.b = n; a.f.s += 1; a.f.t = n; a.f.o = n; n = -a.f.b;
           b = n ? a : *q; n = sizeof(struct p) + __builtin_offsetof(struct p, f); n = ((struct p){ 7 }).x;
           return a.f.s;
         }",
    ),
    (
        "initializers",
        "int a[] = { 1, 2, [4] = 5 }, b[2][2] = { 1, 2, 3 }, z = 0, n = 3; char s[] = \"ab\", t[5] = \"c\", *u = \"d\";
         struct q { int x; int y[2]; } q[2] = { { 1, { 2 } }, 3, [1].y[1] = 4 }; extern int e; static int st; int r[9] = { [1 ... 3] = 7 };
         int main() { int l[2] = { a[0], n }, k[3] = { 0 }; static int c = 5; char w[3] = \"x\"; int one = { 1 }; return sizeof a; }",
    ),
    (
        "functions",
        "int twice(int x) { return 2 * x; } int (*table[2])(int) = { twice, &twice };
         int old(a, b) int a; char b; { return a + b; } void nothing(void) { return; } int forgets(void) { }
         static inline long wide(short s, ...) { return s; }
         int main(int argc, char **argv) {
           int (*f)(int) = twice; int r = f(1) + (*f)(2) + table[0](3) + old(1, 300) + later(4); nothing(); r = wide(70000, r);
           return r;
         }
         short later(char c) { return c; }",
    ),
    (
        "conventions",
        "extern void __assert_fail(const char *, const char *, unsigned, const char *); extern unsigned __VERIFIER_nondet_uint(void);
         void reach_error(void) { __assert_fail(\"0\", \"f\", 1, \"g\"); }
         void __VERIFIER_assert(int c) { if (!c) { ERROR: reach_error(); } }
         int main() {
           int x = __VERIFIER_nondet_int(); unsigned y = __VERIFIER_nondet_uint(); long z = unknown3(); unsigned char k = nondet_uchar();
           __VERIFIER_assume(x > 0); _TRACER_assume(y < 3); __VERIFIER_assert(x); assert(x < y); _TRACER_abort(x == 3); _ABORT(y);
           if (x == 1) error(); if (x == 2) exit(1); if (__BLAST_NONDET) abort(); sassert(z); x = rand(); _TRACER_abstract(x, y);
           BUGST_IGNORE_UNINITIALISED_INT(&x); y = BUGST_ARBITRARY_INT(); other(x); x = __builtin_expect(x, 1);
           return 0;
         }",
    ),
    (
        "library",
        "struct s { int x; char c[4]; long l; } a, b; typedef unsigned long size_t; void *malloc(size_t); int n; char buf[8];
         int main() {
           struct s *p = malloc(sizeof(struct s)), *q = (struct s *)calloc(n, sizeof *q); int *i = (int *)malloc(n * sizeof(int));
           void *v = malloc(3 * sizeof(long)); char *c = malloc(10); int *w = malloc(4 * 5), *k = malloc(7);
           memset(&a, 0, sizeof a); memset(buf, 0, 8); memset(buf, 'x', 3); memset(i, 0, n * sizeof(int)); memset(i, 1, 8);
           memcpy(&b, &a, sizeof b); memcpy(i, w, 20); memcpy(p, q, 4); memcpy(p, q, (long)&((struct s *)0)->c); n = (long)&((struct s *)0)->l; memcpy(c, buf, n); strcpy(buf, \"y\");
           printf(\"%d %s\\n\", n, c); n = printf(\"x\"); scanf(\"%d\", &n); scanf(\"%s\", c); free(p); n = abs(n); n = strlen(c);
           return 0;
         }",
    ),
    (
        "arrays_of_variable_length",
        "int f(int n, int p[n]) { int a[n], b[n][n + 1]; a[0] = sizeof a; b[1][n] = p[1]; return sizeof(b); }
         int main() { return f(3, 0); }",
    ),
    (
        "statics_and_scopes",
        "int x = 1; enum e { A, B = 5, C }; typedef int T; volatile int v; extern int w;
         int f(void) { static int x = A; x++; { int x = C; return x; } }
         int main() { int T = 3; extern int x; { enum { A = 9 }; x = A; } x = v + v; v = 2; x = w; return T + f(); }",
    ),
    (
        "enumerations",
        "enum a { A1, A2 } a; enum b { B1 = -1 } b; enum c { C1 = 0x80000000u, C2 = 1 } c; enum e *forward;
         enum __attribute__((packed)) d { D = 200 } d; enum f { F1 = -1, F2 = 0xffffffffu } f;
         int main() { a = A2; b = B1; c = C1; d = D; f = F2; a = c + C2; forward = 0; enum a z = b; return z - 1 < F2; }",
    ),
    (
        "volatile_pointers",
        "int x; int *volatile p = &x; volatile int *q = &x; int *volatile a[2]; int *const volatile *r;
         int main() { x = *p; x = *q; x = *a[1]; p = q; r = 0; return x; }",
    ),
    (
        "bit_fields",
        "struct s { unsigned long a : 40; int b : 1; long c : 20; unsigned d : 32; } s;
         int main() { s.a = s.a + 1; s.b = s.c; s.c = s.b << 2; s.d -= s.a; return s.a > s.d; }",
    ),
    (
        "bytes",
        "int n[2][2]; struct s { short x; char y[2]; } s; _Bool b[2]; int i;
         int main() { memset(n, -1, sizeof n); memset(&s, i, sizeof s); memset(b, 1, 2); memset(n, 2, i); memcpy(&s, n, 4); memcpy(n, n[1], i); return 0; }",
    ),
    (
        "statement_expressions",
        "int g(int x) { return x; }
         int main() { int y = 2, x = ({ int z = y; z += 2; z; }) + 1; ({ y++; }); __typeof__(x) w = ({ if (x) y = 1; else y = 2; g(y); }); return w; }",
    ),
];

#[test]
fn programs() {
    for (name, text) in PROGRAMS {
        check(name, text, &Options::default());
    }
}

#[test]
fn snippets() {
    let options = Options {
        snippet: true,
        ..Options::default()
    };
    check(
        "snippet",
        "x=0; while (x<n) { x++; if (*) a[x] = y; } assert(x>=0);",
        &options,
    );
    check(
        "snippet_with_declarations",
        "int f(int k) { g = k; return k; } int x = *, y; x = f(y); assert(g == y);",
        &options,
    );
}

const MISTAKES: &[(&str, &str)] = &[
    (
        "names",
        "int counter; struct s { int first; } s;
         int main() { countr = 1; countr = 2; s.frist = 1; s->first = 1; int counter, counter; goto nwo; now: return missing; }",
    ),
    (
        "types",
        "struct later; struct s { int x; } s; void nothing(void); int f(int a) { return a; }
         int main() { int x, *p; x(); *x; x[1]; s + 1; x = s; x = nothing(); f(); f(1, 2); p * 2; if (s) x = 1; 3 = x; &3;
           struct later l; int a[-1]; x = 1.5 % 2; switch (p) { } p = 1.5; return 0; }",
    ),
    (
        "control",
        "int main() { int n; break; continue; switch (n) { case 1: case 2 ... 3: case 3: default: default: ; case n: ; }
           l: ; l: ; goto *&n; case 4: ; return 0; }",
    ),
    ("twice", "int f(void) { return 1; } int f(void) { return 2; } int x; char x; int main() { return x; }"),
    ("refused", "int main() { void *p = &&l; setjmp(p); l: return 0; }"),
    ("no_main", "int mian() { return 0; }"),
];

#[test]
fn mistakes() {
    for (name, text) in MISTAKES {
        check(&format!("mistake_{name}"), text, &Options::default());
    }
}

#[test]
fn a_product_and_errors_exclude_each_other() {
    for (_, text) in PROGRAMS.iter().chain(MISTAKES) {
        let reading = read(text, &Options::default());
        let has_errors = reading.diagnostics.iter().any(|one| one.severity == Severity::Error);
        assert_eq!(reading.product.is_none(), has_errors, "{text}");
    }
}

#[test]
fn the_users_names_count() {
    let options = Options {
        error_functions: vec!["oops".to_string()],
        assume_functions: vec!["require".to_string()],
        error_labels: vec!["BAD".to_string()],
        entry: "start".to_string(),
        ..Options::default()
    };
    let text = "void oops(void) { } int start(int *p, unsigned n) { require(n); if (n == 1) oops(); BAD: return 0; }";
    check("users_names", text, &options);
}
