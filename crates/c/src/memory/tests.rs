//! Small programs of each construct and the flat programs they become.

use crate::diagnostics::Diagnostic;
use crate::flat::{FlatInstructionKind, FlatProgram, FlatTerminator};
use crate::options::{Checks, Options, Undefined};
use crate::program::{ErrorKind, Program};
use crate::{flatten, parser, semantics};
use bumpalo::Bump;

fn typed(text: &str, options: &Options) -> Program {
    let arena = Bump::new();
    let unit = parser::parse(&arena, text, false)
        .product
        .expect("a text without mistakes for the parser");
    semantics::lower(&unit, options)
        .product
        .expect("a program without mistakes")
}

fn flat(text: &str, options: &Options) -> Result<FlatProgram, Vec<Diagnostic>> {
    flatten(&typed(text, options), options)
}

fn check_with(name: &str, text: &str, options: &Options) {
    let program = flat(text, options).expect("a program of moderate size");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/c-flat");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_description(text);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, program.to_string()));
}

fn check(name: &str, text: &str) {
    check_with(name, text, &Options::default());
}

fn unsupported(program: &FlatProgram) -> Vec<&str> {
    let mut found = Vec::new();
    for instruction in program.blocks.iter().flat_map(|block| &block.instructions) {
        if let FlatInstructionKind::Unsupported { what, .. } = &instruction.kind {
            found.push(what.as_str());
        }
    }
    found
}

#[test]
fn calls_are_copies_with_variables_of_their_own() {
    let text = "int twice(int x) { int y = x + x; return y; }\nint unknown();\n\
                int main() { int x = twice(unknown()); x = twice(x); return x; }";
    check("calls", text);
}

#[test]
fn functions_are_called_through_pointers() {
    let text = "int nondet();\nint one(int x) { return x + 1; }\nint two(int x) { return x + 2; }\n\
                int main() { int (*f)(int) = nondet() ? one : two; return f(3); }";
    check("function_pointers", text);
}

#[test]
fn pointers_to_variables_are_numbers() {
    let text = "int nondet();\nvoid set(int *p, int v) { *p = v; }\n\
                int main() { int x, y; int *p = nondet() ? &x : &y; set(p, 1); set(&x, *p); return p == &x; }";
    check("pointers", text);
    let goes_on = Options {
        undefined: Undefined::GoesOn,
        ..Options::default()
    };
    check_with("pointers_unguarded", text, &goes_on);
}

#[test]
fn structs_are_their_leaves() {
    let text = "struct inner { int a; char b[3]; };\nstruct outer { struct inner i; struct outer *next; };\n\
                int main() { struct outer s, t; int k; s.i.a = 1; s.next = &t; t.i.b[k] = 2; s.next->i.b[1] = 3;\n\
                t = s; return (s.next == &t && s.next->i.a > 0) ? s.i.b[0] : 0; }";
    check("structs", text);
}

#[test]
fn arrays_are_numbered_through() {
    let text = "struct pair { int a; int b; };\nint m[3][4];\nstruct pair p[5];\n\
                int main() { int i, j; int *q = m[1]; m[i][j] = 1; q[j]++; p[i].b = *(q + 2); \n\
                struct pair *r = p + i; r->a = 1; r++; return r - p; }";
    check("arrays", text);
}

#[test]
fn arrays_of_variable_length_are_bounded_by_it() {
    check(
        "variable_length",
        "int main() { int n = 3; int a[n]; int i; a[i] = 1; int *p = a; return p[i]; }",
    );
}

#[test]
fn small_arrays_at_constant_indices_are_scalars() {
    check(
        "small_arrays",
        "int main() { int a[2] = {1, 2}; int b[2]; b[1] = a[0] + a[1]; return b[1]; }",
    );
}

#[test]
fn lists_are_arrays_of_nodes() {
    let text = "void *malloc(unsigned long);\nstruct node { int v; struct node *next; };\n\
                int main() { struct node *l = 0; int i; for (i = 0; i < 3; i++) {\n\
                struct node *n = malloc(sizeof(struct node)); n->v = i; n->next = l; l = n; }\n\
                return l->next->next->v; }";
    check("list", text);
}

#[test]
fn allocated_arrays_have_their_length() {
    let text = "void *malloc(unsigned long);\nvoid *calloc(unsigned long, unsigned long);\n\
                int main() { unsigned n; int *a = malloc(n * sizeof(int)); int *b = calloc(3, sizeof(int)); \n\
                a[n - 1] = 1; return a[0] + b[n]; }";
    check("allocated_arrays", text);
}

#[test]
fn untyped_memory_has_the_type_of_its_accesses() {
    let text = "void *malloc(unsigned long);\nstruct s { int a; long b; };\n\
                void *get(unsigned long n) { return malloc(n); }\n\
                int main() { struct s *p = get(sizeof(struct s)); p->b = 1; return p->a; }";
    check("untyped_memory", text);
}

#[test]
fn pointers_from_outside_point_outside() {
    let text = "struct s { int a; struct s *next; };\nstruct s *get();\n\
                int main() { struct s *p = get(); if (p) { p->a = 1; return p->next->a; } return 0; }";
    check("outside", text);
}

#[test]
fn members_of_unions_are_one_number_or_share_their_bytes() {
    let text = "union u { int i; unsigned u; char c[4]; };\n\
                int main() { union u x; x.i = -1; return x.u > 0; }";
    check("unions", text);
    let text = text.replace("x.u > 0", "x.c[0]");
    let program = flat(&text, &Options::default()).expect("a program of moderate size");
    assert!(unsupported(&program).is_empty(), "{program}");
    let text = text.replace("char c[4]", "float c").replace("x.c[0]", "x.c > 0");
    let program = flat(&text, &Options::default()).expect("a program of moderate size");
    assert!(unsupported(&program).is_empty(), "{program}");
    let text = text.replace("float c", "long double c");
    let program = flat(&text, &Options::default()).expect("a program of moderate size");
    assert_eq!(
        unsupported(&program),
        ["reading a member of a union of which another one is used"]
    );
}

#[test]
fn pointers_to_structs_are_pointers_to_their_first_members() {
    let text = "struct base { int kind; };\nstruct derived { struct base base; int x; };\n\
                int main() { struct derived d; struct base *b = (struct base *)&d; b->kind = 1;\n\
                ((struct derived *)b)->x = 2; return *(int *)b; }";
    let program = flat(text, &Options::default()).expect("a program of moderate size");
    assert!(unsupported(&program).is_empty(), "{program}");
    check("first_members", text);
}

#[test]
fn bytes_of_other_types_are_not_supported() {
    let text = "int main() { int x; char *p = (char *)&x; p[1] = 0; return x; }";
    let program = flat(text, &Options::default()).expect("a program of moderate size");
    assert_eq!(unsupported(&program).len(), 1, "{program}");
}

#[test]
fn pointers_that_may_point_to_other_types_are_not_supported() {
    let text = "int nondet();\nint main() { int x; char c; char *p = nondet() ? &c : (char *)&x; *p = 0; return x; }";
    let program = flat(text, &Options::default()).expect("a program of moderate size");
    assert_eq!(unsupported(&program).len(), 1, "{program}");
}

#[test]
fn allocations_whose_ends_are_unknown_cannot_be_checked() {
    let text = "void *malloc(unsigned long);\nint nondet();\n\
                int main() { int *p; do { p = malloc(4 * sizeof(int)); p[nondet()] = 1; } while (nondet()); return *p; }";
    let program = flat(text, &Options::default()).expect("a program of moderate size");
    assert!(unsupported(&program).is_empty(), "{program}");
    let options = Options {
        checks: Checks {
            bounds: true,
            ..Checks::default()
        },
        ..Options::default()
    };
    let program = flat(text, &options).expect("a program of moderate size");
    assert!(!unsupported(&program).is_empty(), "{program}");
}

#[test]
fn functions_that_recur_are_called() {
    let text = "void reach_error();\nint g;\nint f(int n) { g = n; if (n > 9) reach_error(); return n ? f(n - 1) : 0; }\n\
                int main() { return f(3); }";
    check("recursion", text);
}

#[test]
fn checks_are_branches() {
    let checks = Checks {
        null: true,
        bounds: true,
        ..Checks::default()
    };
    let options = Options {
        checks,
        ..Options::default()
    };
    let text = "int main() { int a[9]; int i; int *p = i ? &a[i] : 0; return *p; }";
    check_with("checks", text, &options);
    let program = flat(text, &options).expect("a program of moderate size");
    for kind in [ErrorKind::NullPointer, ErrorKind::Bounds] {
        assert!(
            program
                .blocks
                .iter()
                .any(|block| matches!(&block.terminator, FlatTerminator::Error(failure) if failure.kind == kind))
        );
    }
}

#[test]
fn what_is_not_evaluated_is_not_guarded() {
    check(
        "conditional",
        "struct s { int x; };\nint main() { struct s *p; return p && p->x ? p->x : 1; }",
    );
}

#[test]
fn programs_that_grow_without_end_are_refused() {
    let mut text = "int f0(int x) { return x; }\n".to_string();
    for level in 1..40 {
        let inner = level - 1;
        text.push_str(&format!("int f{level}(int x) {{ return f{inner}(f{inner}(x)); }}\n"));
    }
    text.push_str("int main() { return f39(1); }");
    let options = Options {
        copies: usize::MAX,
        maximal_size: 10_000,
        ..Options::default()
    };
    let diagnostics = flat(&text, &options).expect_err("two to the forty calls");
    assert!(
        diagnostics[0].message.contains("more than 10000 instructions"),
        "{}",
        diagnostics[0].message
    );
    assert!(
        diagnostics[0].label.contains("main → f39 → f38"),
        "{}",
        diagnostics[0].label
    );
}
