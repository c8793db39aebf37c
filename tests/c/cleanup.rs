//! `--check cleanup`: what a program has allocated and not freed when it ends, on its way out and where others may have freed it.

use crate::answers::{Answer, answer};
use clausal::c::options::{Allocation, Checks, Options};

/// Whether allocations may fail, the answer, and what is in `main`.
const PROGRAMS: &[(bool, Answer, &str)] = &[
    (true, Answer::Unsafe, "malloc(4); return 0;"),
    (true, Answer::Safe, "free(malloc(4)); return 0;"),
    (
        false,
        Answer::Unsafe,
        "int *p = malloc(4); if (any()) free(p); return 0;",
    ),
    (
        false,
        Answer::Safe,
        "int *p = malloc(4); if (!p) return 1; int *q = malloc(4); if (!q) return 1; free(q); free(p); return 0;",
    ),
    (
        true,
        Answer::Unsafe,
        "int *p = malloc(4); if (!p) return 1; int *q = malloc(4); if (!q) return 1; free(q); free(p); return 0;",
    ),
    (
        true,
        Answer::Safe,
        "int *p = malloc(4), *q = realloc(p, 8); free(q ? q : p); return 0;",
    ),
    (
        true,
        Answer::Unsafe,
        "int *p = malloc(4), *q = realloc(p, 8); free(q); return 0;",
    ),
    (false, Answer::Safe, "free(strdup(\"text\")); return 0;"),
    (false, Answer::Unsafe, "return strdup(\"text\") == 0;"),
    (
        false,
        Answer::Safe,
        "int n = any(); for (int i = 0; i < n; i++) { int *p = malloc(4); free(p); } return 0;",
    ),
    (
        false,
        Answer::Unsafe,
        "int *a[3]; for (int i = 0; i < 3; i++) a[i] = malloc(4); for (int i = 1; i < 3; i++) free(a[i]); return 0;",
    ),
    (
        false,
        Answer::Safe,
        "void (*release)(void *) = free; release(malloc(4)); return 0;",
    ),
    (false, Answer::Unsafe, "malloc(4); exit(any());"),
    (false, Answer::Safe, "malloc(4); abort();"),
    (
        false,
        Answer::Safe,
        "char *p = __builtin_alloca(4); p[0] = 1; return 0;",
    ),
    (false, Answer::Safe, "kept = malloc(4); return 0;"),
    (
        false,
        Answer::Unsafe,
        "struct node *list = make(3); while (list && list->next) list = released(list); return 0;",
    ),
    (
        false,
        Answer::Safe,
        "struct node *list = make(3); while (list) list = released(list); return 0;",
    ),
    (false, Answer::Unsafe, "return depth(3, 2);"),
    (false, Answer::Safe, "return depth(3, 7);"),
    // Others may have freed it, or made it.
    (false, Answer::Refused, "sink(malloc(4)); return 0;"),
    (false, Answer::Unsafe, "malloc(4); elsewhere(); return 0;"),
    (false, Answer::Refused, "malloc(4); free(elsewhere()); return 0;"),
];

const BEFORE: &str = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long); void free(void *);
    void abort(void); void exit(int); char *strdup(const char *); int __VERIFIER_nondet_int(void); void sink(void *); void *elsewhere(void);
    static void *kept; static int any(void) { return __VERIFIER_nondet_int(); }
    __attribute__((destructor)) static void last(void) { free(kept); }
    struct node { struct node *next; };
    static struct node *make(int n) { struct node *list = 0; while (n--) { struct node *m = malloc(sizeof *m); m->next = list; list = m; } return list; }
    static struct node *released(struct node *n) { struct node *next = n->next; free(n); return next; }
    static int depth(int n, int kept) { int *p = malloc(4); int r = n > 0 ? depth(n - 1, kept) : 0; if (n != kept) free(p); return r; }";

#[test]
fn what_is_left_is_found_where_the_program_ends() {
    let mut wrong = Vec::new();
    for (may_fail, expected, body) in PROGRAMS {
        let options = Options {
            checks: Checks::named("cleanup").expect("it is a check"),
            allocation: match may_fail {
                true => Allocation::MayFail,
                false => Allocation::NeverFails,
            },
            ..Options::default()
        };
        let (found, why) = answer(&format!("{BEFORE}\nint main(void) {{ {body} }}"), &options);
        if found != *expected {
            wrong.push(format!("{body}: {found:?}, not {expected:?} {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A leak is no undefined behaviour.
#[test]
fn nothing_else_looks_for_it() {
    for name in ["undefined", "memory", "valid-free"] {
        let options = Options {
            checks: Checks::named(name).expect("it is a check"),
            allocation: Allocation::NeverFails,
            ..Options::default()
        };
        let text = format!("{BEFORE}\nint main(void) {{ int *p = malloc(4); *p = 1; return *p; }}");
        assert_eq!(answer(&text, &options).0, Answer::Safe, "{name}");
    }
}

#[test]
fn memory_is_freed_by_the_address_of_its_first_part() {
    let programs = [
        (Answer::Safe, "free(&s->links);"),
        (Answer::Unsafe, "free(&s->links); free(s);"),
        (Answer::Unsafe, "free(&s->links); s->text[0] = 1;"),
        (Answer::Unsafe, "free(&s->text);"),
        (Answer::Unsafe, "void *(*p)[2] = &s->links; free((*p) + 1);"),
        (Answer::Unsafe, "if (i != 1) free(&s->links);"),
        (Answer::Safe, "if (i != 1) free(&s->links); else free(s);"),
    ];
    let options = Options {
        checks: Checks {
            free: true,
            lifetime: true,
            cleanup: true,
            ..Checks::default()
        },
        allocation: Allocation::NeverFails,
        ..Options::default()
    };
    for (expected, body) in programs {
        let text = format!(
            "void *malloc(unsigned long); void free(void *); struct s {{ void *links[2]; char text[8]; }};
             int main(void) {{ for (int i = 0; i < 3; i++) {{ struct s *s = malloc(sizeof *s); {body} }} return 0; }}"
        );
        let (found, reason) = answer(&text, &options);
        assert_eq!(found, expected, "{body}: {reason}");
    }
}
