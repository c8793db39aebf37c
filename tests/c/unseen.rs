//! Code that is not there to be read: functions called through pointers and under other names, inline assembly, functions
//! without a body, the compiler's own. Each program here fails, or does not, when it is compiled and run; the answer is the
//! same, or a refusal.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::{External, Options as COptions};

const PROGRAMS: &[Case] = &[
    (
        "error_callback",
        Answer::Unsafe,
        true,
        "static void call(void (*f)(void)) { f(); } int main(void) { call(reach_error); return 0; }",
    ),
    (
        "function_that_never_returns",
        Answer::Safe,
        false,
        "_Noreturn void __stack_chk_fail(void); int main(void) { __stack_chk_fail(); reach_error(); return 0; }",
    ),
    (
        "function_that_never_returns_declared_inside",
        Answer::Safe,
        false,
        "int main(void) { void __stack_chk_fail(void) __attribute__((noreturn)); __stack_chk_fail(); reach_error(); return 0; }",
    ),
    (
        "function_that_never_returns_by_its_type",
        Answer::Safe,
        false,
        "typedef void last(void) __attribute__((noreturn)); extern last __stack_chk_fail;
         int main(void) { __stack_chk_fail(); reach_error(); return 0; }",
    ),
    (
        "function_that_never_returns_through_pointer",
        Answer::Safe,
        false,
        "void __stack_chk_fail(void) __attribute__((__noreturn__)); void (*way)(void) = __stack_chk_fail;
         int main(void) { way(); reach_error(); return 0; }",
    ),
    (
        "end_of_a_program_by_a_function_that_never_returns",
        Answer::Unsafe,
        true,
        "void errx(int, const char *, ...) __attribute__((noreturn)); int done;
         __attribute__((destructor)) void end(void) { if (!done) reach_error(); }
         int main(void) { errx(0, \"end\"); done = 1; return 0; }",
    ),
    (
        "union_without_a_value",
        Answer::Refused,
        false,
        "void *malloc(unsigned long); union u { int all; unsigned char first; };
         int main(void) { union u *p = malloc(sizeof *p); if (p && p->all == 5 && p->first != 5) reach_error(); return 0; }",
    ),
    (
        "union_of_zeros",
        Answer::Safe,
        false,
        "union u { int all; unsigned char first; } u; int main(void) { if (u.all != u.first) reach_error(); return 0; }",
    ),
    (
        "number_of_the_library_as_int",
        Answer::Refused,
        true,
        "int main(void) { long n = strtol(\"5000000000\", 0, 10); if (n == 705032704) reach_error(); return 0; }",
    ),
    (
        "number_of_the_library_declared_as_int",
        Answer::Refused,
        true,
        "int strtol(); int main(void) { long n = strtol(\"5000000000\", 0, 10); if (n == 705032704) reach_error(); return 0; }",
    ),
    (
        "place_in_a_text_as_int",
        Answer::Refused,
        true,
        "int main(void) { char text[] = \"a b\"; char *found = strtok(text, \" \"); if (found != text) reach_error(); return 0; }",
    ),
    (
        "place_in_an_array_as_int",
        Answer::Refused,
        true,
        "int cmp(const int *a, const int *b) { return *a - *b; }
         int main(void) { int a[2] = { 1, 2 }, k = 2; int *found = bsearch(&k, a, 2, 4, cmp); if (found != a + 1) reach_error(); return 0; }",
    ),
    (
        "place_that_the_compiler_declares",
        Answer::Safe,
        false,
        "int main(void) { char text[] = \"a b\"; char *found = strchr(text, 'b'); if (found != text + 2) reach_error(); return 0; }",
    ),
    (
        "place_behind_a_copy_that_the_compiler_declares",
        Answer::Refused,
        false,
        "int main(void) { char text[4]; char *end = mempcpy(text, \"ab\", 2); if (end != text + 2) reach_error(); return 0; }",
    ),
    (
        "int_of_the_library",
        Answer::Safe,
        false,
        "int main(void) { if (atoi(\"12\") != 12) reach_error(); return 0; }",
    ),
    (
        "error_in_table",
        Answer::Unsafe,
        true,
        "void fine(void) {} void (*table[2])(void) = { fine, reach_error }; int main(void) { table[1](); return 0; }",
    ),
    (
        "error_through_dereference",
        Answer::Unsafe,
        true,
        "int main(void) { (*&reach_error)(); return 0; }",
    ),
    (
        "exit_through_pointer",
        Answer::Safe,
        false,
        "void exit(int); void (*leave)(int) = exit; int main(void) { leave(0); reach_error(); return 0; }",
    ),
    (
        "absolute_value_through_pointer",
        Answer::Unsafe,
        true,
        "int abs(int); int (*f)(int) = abs; int main(void) { if (f(-3) == 3) reach_error(); return 0; }",
    ),
    (
        "function_alias",
        Answer::Unsafe,
        true,
        "static int g; void set(int x) { g = x; } void other(int x) __attribute__((alias(\"set\")));
         int main(void) { other(7); if (g == 7) reach_error(); return 0; }",
    ),
    (
        "function_by_assembler_name",
        Answer::Unsafe,
        true,
        "int g; void set(void) { g = 1; } void other(void) __asm__(\"set\");
         int main(void) { other(); if (g) reach_error(); return 0; }",
    ),
    (
        "error_by_assembler_name",
        Answer::Unsafe,
        true,
        "void stop(void) __asm__(\"reach_error\"); int main(void) { stop(); return 0; }",
    ),
    (
        "variable_alias",
        Answer::Unsafe,
        true,
        "int a = 1; extern int b __attribute__((alias(\"a\"))); int main(void) { b = 7; if (a == 7) reach_error(); return 0; }",
    ),
    (
        "variable_by_assembler_name",
        Answer::Unsafe,
        true,
        "int a = 1; extern int b __asm__(\"a\"); int main(void) { b = 7; if (a == 7) reach_error(); return 0; }",
    ),
    (
        "constructor",
        Answer::Unsafe,
        true,
        "int x; __attribute__((constructor)) static void start(void) { x = 1; }
         int main(void) { if (x) reach_error(); return 0; }",
    ),
    (
        "constructors_in_order",
        Answer::Safe,
        false,
        "int x; __attribute__((constructor(202))) void second(void) { x = x * 2; }
         __attribute__((constructor(201))) void first(void) { x = 3; }
         int main(void) { if (x != 6) reach_error(); return 0; }",
    ),
    (
        "destructor",
        Answer::Unsafe,
        true,
        "__attribute__((destructor)) void end(void) { reach_error(); } int main(void) { return 0; }",
    ),
    (
        "cleanup",
        Answer::Unsafe,
        true,
        "void end(int *x) { reach_error(); } int main(void) { int x __attribute__((cleanup(end))) = 1; return 0; }",
    ),
    (
        "assembly_output",
        Answer::Refused,
        true,
        "int main(void) { int x = 0; __asm__(\"movl $5, %0\" : \"=r\"(x)); if (x == 5) reach_error(); return 0; }",
    ),
    (
        "assembly_memory",
        Answer::Refused,
        true,
        "int g; int main(void) { int *p = &g; __asm__ volatile(\"movl $6, (%0)\" : : \"r\"(p) : \"memory\");
         if (g == 6) reach_error(); return 0; }",
    ),
    (
        "assembly_jump",
        Answer::Refused,
        true,
        "int main(void) { __asm__ goto(\"jmp %l[bad]\" : : : : bad); return 0; bad: reach_error(); return 0; }",
    ),
    (
        "assembly_side_effect",
        Answer::Unsafe,
        true,
        "int main(void) { int i = 0; __asm__ volatile(\"\" : : \"r\"(i++)); if (i == 1) reach_error(); return 0; }",
    ),
    (
        "assembly_same_register",
        Answer::Unsafe,
        true,
        "int x; int main(void) { int *q; __asm__(\"\" : \"=r\"(q) : \"0\"(&x)); *q = 5; if (x == 5) reach_error(); return 0; }",
    ),
    (
        "assembly_barrier",
        Answer::Safe,
        false,
        "int g = 1; int main(void) { __asm__ volatile(\"\" : \"+r\"(g) : : \"memory\"); if (g != 1) reach_error(); return 0; }",
    ),
    (
        "assembly_outside",
        Answer::Refused,
        true,
        "int g(void); __asm__(\".globl g\\ng: movl $5, %eax\\nret\"); int main(void) { if (g() == 5) reach_error(); return 0; }",
    ),
    (
        "library_writes_string",
        Answer::Unsafe,
        true,
        "char b[10]; int main(void) { __builtin_strcpy(b, \"hi\"); if (b[0] == 'h') reach_error(); return 0; }",
    ),
    (
        "library_writes_other_type",
        Answer::Refused,
        true,
        "void memfrob(void *, unsigned long); int main(void) { int x = 0; memfrob(&x, sizeof x); if (x) reach_error(); return 0; }",
    ),
    (
        "library_clears",
        Answer::Unsafe,
        true,
        "void bzero(void *, unsigned long); int main(void) { int x = 5; bzero(&x, sizeof x); if (x == 0) reach_error(); return 0; }",
    ),
    (
        "library_clears_some_elements",
        Answer::Safe,
        false,
        "void bzero(void *, unsigned long); int main(int count, char **strings) { char a[4] = \"abc\"; if (count < 0 || count > 2) return 0;
         bzero(a, count); if (a[2] != 'c' || (count && a[0])) reach_error(); return 0; }",
    ),
    (
        "library_writes_member",
        Answer::Unsafe,
        true,
        "void bzero(void *, unsigned long); struct s { int a, b; } s = { 1, 2 };
         int main(void) { bzero(&s.a, sizeof s); if (s.b == 0) reach_error(); return 0; }",
    ),
    (
        "library_scans_text",
        Answer::Unsafe,
        true,
        "int sscanf(const char *, const char *, ...);
         int main(void) { int x = 0; sscanf(\"5\", \"%d\", &x); if (x == 5) reach_error(); return 0; }",
    ),
    (
        "library_finds",
        Answer::Unsafe,
        true,
        "char *strchr(const char *, int); int main(void) { char s[4] = \"a=b\"; char *p = strchr(s, '=');
         if (p) *p = 0; if (s[1] == 0) reach_error(); return 0; }",
    ),
    (
        "library_calls_back",
        Answer::Refused,
        true,
        "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); int n;
         int compare(const void *a, const void *b) { n++; return 0; }
         int main(void) { int a[3] = { 3, 2, 1 }; qsort(a, 3, sizeof *a, compare); if (n) reach_error(); return 0; }",
    ),
    (
        "library_calls_back_through_a_pointer",
        Answer::Refused,
        true,
        "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); int n, calls; int order(int x) { calls++; return -x; }
         int (*by)(int) = order; int compare(const void *a, const void *b) { n++; return by(*(const int *)a); }
         int main(void) { int a[3] = { 3, 2, 1 }; qsort(a, 3, sizeof *a, compare); if (calls) reach_error(); return 0; }",
    ),
    (
        "library_calls_back_through_a_pointer_beside_the_error",
        Answer::Safe,
        false,
        "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); int n, k = 1; int order(int x) { n++; return -x; }
         int (*by)(int) = order; int compare(const void *a, const void *b) { return by(*(const int *)a); }
         int main(void) { int a[3] = { 3, 2, 1 }; qsort(a, 3, sizeof *a, compare); if (k != 1) reach_error(); return n == 0; }",
    ),
    (
        "library_measures",
        Answer::Safe,
        false,
        "unsigned long strlen(const char *); int main(void) { if (strlen(\"abc\") != 3) reach_error(); return 0; }",
    ),
    (
        "result_is_a_number",
        Answer::Unsafe,
        true,
        "int snprintf(char *, unsigned long, const char *, ...);
         int main(void) { char b[8]; int n = snprintf(b, 8, \"%d\", 5); if (n == 1) reach_error(); return 0; }",
    ),
    (
        "printing_writes",
        Answer::Refused,
        true,
        "int printf(const char *, ...); int main(void) { int x = 0; printf(\"ab%n\", &x); if (x == 2) reach_error(); return 0; }",
    ),
    (
        "printing_does_not_write",
        Answer::Safe,
        false,
        "int printf(const char *, ...); int main(void) { int x = 0; printf(\"ab%p %%n\", (void *)&x); if (x) reach_error(); return 0; }",
    ),
    (
        "arguments_without_meaning",
        Answer::Unsafe,
        true,
        "void srand(unsigned); int main(void) { int i = 0; srand(i++); __builtin_prefetch((i++, &i)); if (i == 2) reach_error(); return 0; }",
    ),
    (
        "constant_for_the_compiler",
        Answer::Unsafe,
        true,
        "int main(void) { int i = 0; if (__builtin_constant_p(3) && !i) { __builtin_constant_p(i++); if (!i) reach_error(); } return 0; }",
    ),
    (
        "atomic_addition",
        Answer::Unsafe,
        true,
        "int main(void) { int x = 0; int old = __sync_fetch_and_add(&x, 12); if (x == 12 && !old) reach_error(); return 0; }",
    ),
    (
        "atomic_operations",
        Answer::Safe,
        false,
        "int main(void) { int x = 6, e = 1;
         if (__sync_add_and_fetch(&x, 1) != 7 || __sync_fetch_and_and(&x, 3) != 7 || x != 3) reach_error();
         if (__sync_bool_compare_and_swap(&x, 4, 9) || x != 3 || !__sync_bool_compare_and_swap(&x, 3, 9) || x != 9) reach_error();
         if (__sync_val_compare_and_swap(&x, 9, 8) != 9 || x != 8) reach_error();
         if (__sync_lock_test_and_set(&x, 2) != 8 || x != 2) reach_error();
         if (__atomic_exchange_n(&x, 5, 0) != 2 || __atomic_load_n(&x, 0) != 5) reach_error();
         if (__atomic_compare_exchange_n(&x, &e, 7, 0, 0, 0) || e != 5 || x != 5) reach_error();
         if (!__atomic_compare_exchange_n(&x, &e, 7, 0, 0, 0) || x != 7) reach_error();
         __atomic_store_n(&x, 3, 0); if (__atomic_fetch_sub(&x, 4, 0) != 3 || x != -1) reach_error();
         __sync_lock_release(&x); if (x) reach_error(); return 0; }",
    ),
    (
        "overflow_is_told",
        Answer::Safe,
        false,
        "int main(void) { int r; if (!__builtin_add_overflow(2147483647, 1, &r) || r != -2147483647 - 1) reach_error();
         if (__builtin_mul_overflow(3, 4, &r) || r != 12) reach_error(); return 0; }",
    ),
    (
        "bits_of_constants",
        Answer::Safe,
        false,
        "int main(void) { if (__builtin_clz(1) != 31 || __builtin_ctzll(8) != 3 || __builtin_popcount(255) != 8) reach_error();
         if (__builtin_bswap32(1) != 0x1000000 || __builtin_ffs(0) || __builtin_parity(7) != 1) reach_error(); return 0; }",
    ),
    (
        "unknown_builtin",
        Answer::Refused,
        true,
        "int main(void) { char a[1] = { 1 }, b[1] = { 0 }; __builtin___memmove_chk(b, a, 1, 1); __atomic_test_and_set(a, 0);
         __atomic_clear(a, 0); if (!a[0]) reach_error(); return 0; }",
    ),
    (
        "volatile_function_pointer",
        Answer::Refused,
        true,
        "int a; void g(void) { a = 5; } void (*volatile f)(void) = g; int main(void) { f(); if (a == 5) reach_error(); return 0; }",
    ),
    (
        "size_of_parameter",
        Answer::Safe,
        false,
        "void f(int a, int b[a++]) { if (a != 2) reach_error(); } int main(void) { int e[10]; f(1, e); return 0; }",
    ),
    (
        // Whether an error counts that needs an allocation to fail is for the user to say.
        "memory_may_run_out",
        Answer::Refused,
        false,
        "void *malloc(unsigned long); int main(void) { int *p = malloc(4); if (!p) reach_error(); return 0; }",
    ),
    (
        "variable_argument",
        Answer::Unsafe,
        true,
        "void f(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); int *p = __builtin_va_arg(ap, int *); *p = 5;
         __builtin_va_end(ap); } int main(void) { int x = 0; f(1, &x); if (x == 5) reach_error(); return 0; }",
    ),
    (
        "list_that_a_call_changes",
        Answer::Refused,
        true,
        "struct q { struct q *next, *prev; int n; }; void insque(void *, void *);
         int main(void) { struct q a = { 0 }, b = { 0 }; insque(&b, &a); if (a.next == &b) reach_error(); return 0; }",
    ),
    (
        "write_through_a_pointer_that_a_call_has_put_there",
        Answer::Refused,
        true,
        "struct q { struct q *next, *prev; int n; }; void insque(void *, void *);
         int main(void) { struct q a = { 0 }, b = { 0 }; insque(&b, &a); if (a.next) a.next->n = 5; if (b.n == 5) reach_error(); return 0; }",
    ),
    (
        "pointer_kept_by_code_that_is_not_there",
        Answer::Refused,
        true,
        "struct q { struct q *next, *prev; int n; }; void insque(void *, void *); void remque(void *);
         int main(void) { struct q a = { 0 }, b = { 0 }, c = { 0 }; insque(&b, &a); insque(&c, &b); remque(&b);
         if (a.next) a.next->n = 5; if (c.n == 5) reach_error(); return 0; }",
    ),
    (
        "count_of_a_list_that_a_call_changes",
        Answer::Safe,
        false,
        "struct q { struct q *next, *prev; int n; }; void insque(void *, void *);
         int main(int argc, char **argv) { struct q a = { 0 }, b = { 0 }; int k = 0; insque(&b, &a);
         for (struct q *p = &a; p; p = p->next) if (k < argc) k++; if (k > argc) reach_error(); return 0; }",
    ),
    (
        "object_that_no_call_knows",
        Answer::Safe,
        false,
        "struct q { struct q *next, *prev; int n; }; void insque(void *, void *);
         int main(int argc, char **argv) { struct q a = { 0 }, b = { 0 }, c = { 0 }; struct q *p = &c; if (argc > 7) p = &a;
         insque(&b, &a); if (argc <= 7) p->n = argc; if (a.next) a.next->n = 9; if (argc <= 7 && c.n != argc) reach_error(); return 0; }",
    ),
    (
        "error_whatever_a_call_changes",
        Answer::Unsafe,
        true,
        "struct q { struct q *next, *prev; int n; }; void insque(void *, void *);
         int main(int argc, char **argv) { struct q a = { 0 }, b = { 0 }; int k = argc; insque(&b, &a);
         if (argc > 0) k++; if (k > argc) reach_error(); return a.next == 0; }",
    ),
];

/// Functions that nobody can see: the same for the answers, but not for compiling.
const WITHOUT_BODIES: &[(&str, Answer, Answer, &str)] = &[
    (
        "writes",
        Answer::Refused,
        Answer::Safe,
        "void f(int *); int main(void) { int x = 0; f(&x); if (x) reach_error(); return 0; }",
    ),
    (
        "writes_what_does_not_matter",
        Answer::Safe,
        Answer::Safe,
        "void f(int *); int main(void) { int x = 0, y = 0; f(&x); if (y) reach_error(); return 0; }",
    ),
    (
        "writes_deep",
        Answer::Refused,
        Answer::Safe,
        "struct s { int *p; }; void f(struct s *); int main(void) { int x = 0; struct s s = { &x }; f(&s); if (x) reach_error(); return 0; }",
    ),
    (
        "gets_struct",
        Answer::Refused,
        Answer::Safe,
        "struct s { int *p; }; void f(struct s); int main(void) { int x = 0; struct s s = { &x }; f(s); if (x) reach_error(); return 0; }",
    ),
    (
        "moves_pointer",
        Answer::Refused,
        Answer::Safe,
        "struct s { int *p, *q; }; void f(struct s *); int main(void) { int x = 0, y = 0; struct s s = { &x, &y }; f(&s);
         x = 0; y = 0; *s.p = 1; if (y) reach_error(); return 0; }",
    ),
    (
        "returns_argument",
        Answer::Unsafe,
        Answer::Safe,
        "int *f(int *); int main(void) { int x = 0, *p = f(&x); x = 0; *p = 1; if (x) reach_error(); return 0; }",
    ),
    (
        "returns_argument_that_is_const",
        Answer::Unsafe,
        Answer::Safe,
        "const int *f(const int *); int main(void) { int x = 0, *p = (int *)f(&x); x = 0; *p = 1; if (x) reach_error(); return 0; }",
    ),
    (
        "returns_later_what_was_const",
        Answer::Unsafe,
        Answer::Safe,
        "void f(const int *); int *g(void); int main(void) { int x = 0; f(&x); *g() = 1; if (x) reach_error(); return 0; }",
    ),
    (
        "leaves_what_was_const",
        Answer::Safe,
        Answer::Safe,
        "void f(const int *); void g(void); int main(void) { int x = 0; f(&x); g(); f(&x); if (x) reach_error(); return 0; }",
    ),
    (
        "returns_bytes_of_a_number",
        Answer::Refused,
        Answer::Refused,
        "int *f(void); char *g(void); int main(void) { int *p = f(); char *q = g(); *p = 1; *q = 2; if (*p == 2) reach_error(); return 0; }",
    ),
    (
        "gets_a_list",
        Answer::Refused,
        Answer::Safe,
        "void f(__builtin_va_list); void g(int k, ...) { __builtin_va_list list; __builtin_va_start(list, k); f(list); }
         int main(void) { int x = 0; g(1, &x); if (x) reach_error(); return 0; }",
    ),
    (
        "reads",
        Answer::Safe,
        Answer::Safe,
        "void f(const char *, const int *); int main(void) { int x = 0; f(\"x\", &x); if (x) reach_error(); return 0; }",
    ),
    (
        "calls_back",
        Answer::Refused,
        Answer::Safe,
        "int x; void g(void) { x = 1; } void f(void (*)(void)); int main(void) { f(g); if (x) reach_error(); return 0; }",
    ),
    (
        "gets_nothing",
        Answer::Safe,
        Answer::Safe,
        "int f(int); int main(void) { int x = f(0); if (x != x) reach_error(); return 0; }",
    ),
    (
        "through_pointer",
        Answer::Refused,
        Answer::Safe,
        "void f(int *); void (*p)(int *) = f; int main(void) { int x = 0; p(&x); if (x) reach_error(); return 0; }",
    ),
    (
        "address_that_is_negative_as_a_number",
        Answer::Unsafe,
        Answer::Unsafe,
        "void *f(void); int main(void) { void *p = f(); if ((unsigned long)p > 5 && (long)p < 0) reach_error(); return 0; }",
    ),
    (
        "address_that_is_one_number",
        Answer::Refused,
        Answer::Refused,
        "void *f(void); int main(void) { void *p = f(); if ((long)p == 5 && p != (void *)5) reach_error(); return 0; }",
    ),
    (
        "variable_of_another_file",
        Answer::Unsafe,
        Answer::Safe,
        "extern int x; void f(void); int main(void) { x = 1; f(); if (x != 1) reach_error(); return 0; }",
    ),
    (
        "constant_of_another_file",
        Answer::Safe,
        Answer::Safe,
        "extern const int x; void f(void); int main(void) { int y = x; f(); if (x != y) reach_error(); return 0; }",
    ),
    (
        "variable_of_this_file",
        Answer::Safe,
        Answer::Safe,
        "extern int x; void f(void); int x; int main(void) { x = 1; f(); if (x != 1) reach_error(); return 0; }",
    ),
    (
        "variable_of_another_file_changed_through_pointer",
        Answer::Unsafe,
        Answer::Safe,
        "extern int x[]; extern void (*f)(void); int main(void) { x[2] = 1; f(); if (x[2] != 1) reach_error(); return 0; }",
    ),
    (
        "memory_of_another_file",
        Answer::Unsafe,
        Answer::Safe,
        "int *get(void); void f(void); int main(void) { int *p = get(); *p = 1; f(); if (*p != 1) reach_error(); return 0; }",
    ),
    (
        "address_in_a_variable_of_another_file",
        Answer::Refused,
        Answer::Safe,
        "extern int *p; void f(void); int main(void) { int x = 3; p = &x; f(); if (x != 3) reach_error(); return 0; }",
    ),
    (
        "function_in_a_variable_of_another_file",
        Answer::Refused,
        Answer::Safe,
        "extern void (*p)(void); void f(void); static int x; static void g(void) { x = 1; }
         int main(void) { p = g; f(); if (x) reach_error(); return 0; }",
    ),
    (
        "address_that_was_handed_over",
        Answer::Refused,
        Answer::Safe,
        "void f(int *); void g(void); int main(void) { int x; f(&x); x = 3; g(); if (x != 3) reach_error(); return 0; }",
    ),
    (
        "known_all_the_same",
        Answer::Refused,
        Answer::Refused,
        "long read(int, void *, unsigned long); int main(void) { char x = 0; read(0, &x, 1); if (x) reach_error(); return 0; }",
    ),
    (
        "an_error_whatever_was_written",
        Answer::Unsafe,
        Answer::Unsafe,
        "void f(int *); int main(void) { int x = 0; f(&x); long s = 0; for (int i = 0; i < 3; i++) s += x;
         if (s <= 3 * 2147483647L) reach_error(); return 0; }",
    ),
    (
        "an_error_by_what_was_written",
        Answer::Refused,
        Answer::Unsafe,
        "void f(int *); int main(void) { int x = 0; f(&x); if (x <= 2147483646) reach_error(); return 0; }",
    ),
    (
        "an_input_that_would_have_to_fit",
        Answer::Refused,
        Answer::Unsafe,
        "int input(void); void f(int *); int main(void) { int x = 3, n = input(); f(&x); if (n == x) reach_error(); return 0; }",
    ),
];

#[test]
fn what_is_not_seen_is_translated_or_refused() {
    assert_answers(PROGRAMS);
}

#[test]
fn functions_without_a_body_are_believed_only_on_request() {
    let pure = COptions {
        external: External::Pure,
        ..COptions::default()
    };
    let mut wrong = Vec::new();
    for (name, refusing, believing, text) in WITHOUT_BODIES {
        for (options, expected) in [(&COptions::default(), refusing), (&pure, believing)] {
            let (found, why) = answer(text, options);
            if found != *expected {
                wrong.push(format!(
                    "{name}, {:?}: {found:?}, not {expected:?} {why}",
                    options.external
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("unseen", PROGRAMS);
}
