//! Addresses made of numbers that are not told by any flow of values: of bits that were compared, of bytes that were read in, of
//! counts. Such a number may be any address that has become a number. What is done there is done to the object, or the program
//! is refused.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "of_bits_that_are_asked_for",
        Answer::Refused,
        true,
        "static int x = 1; int main(void) { unsigned long u = (unsigned long)&x, l = 0;
         for (int i = 0; i < 48; i++) if (u >> i & 1) l |= 1ul << i; *(int *)l = 7; if (x == 7) reach_error(); }",
    ),
    (
        "of_comparisons",
        Answer::Refused,
        true,
        "static int x = 1; int main(void) { unsigned long u = (unsigned long)&x, l = 0;
         for (int i = 0; i < 48; i++) l |= (unsigned long)!!(u >> i & 1) << i; *(int *)l = 7; if (x == 7) reach_error(); }",
    ),
    (
        "of_places_in_a_table",
        Answer::Refused,
        true,
        "static int x = 1; static const unsigned char bit[2] = {0, 1};
         int main(void) { unsigned long u = (unsigned long)&x, l = 0;
         for (int i = 0; i < 48; i++) l |= (unsigned long)bit[u >> i & 1] << i; *(int *)l = 7; if (x == 7) reach_error(); }",
    ),
    (
        "of_distances",
        Answer::Refused,
        true,
        "static int x = 1; static char all[65536]; int main(void) { unsigned long u = (unsigned long)&x, l = 0;
         for (int i = 0; i < 3; i++) { char *c = all + (u >> 16 * i & 65535); l |= (unsigned long)(c - all) << 16 * i; }
         *(int *)l = 7; if (x == 7) reach_error(); }",
    ),
    (
        "of_results_of_functions",
        Answer::Refused,
        true,
        "static int x = 1; static int zero(void) { return 0; } static int one(void) { return 1; }
         static int (*const bit[2])(void) = {zero, one}; int main(void) { unsigned long u = (unsigned long)&x, l = 0;
         for (int i = 0; i < 48; i++) { unsigned long b = bit[u >> i & 1](); l |= b << i; }
         *(int *)l = 7; if (x == 7) reach_error(); }",
    ),
    (
        "of_counts",
        Answer::Refused,
        true,
        "static int x = 1; int main(void) { unsigned long u = (unsigned long)&x, l = 0;
         while (u) { int b = __builtin_ctzl(u); l |= 1ul << b; u &= ~(1ul << b); } *(int *)l = 7; if (x == 7) reach_error(); }",
    ),
    (
        "of_overflows",
        Answer::Refused,
        true,
        "static int x = 1; int main(void) { unsigned long u = (unsigned long)&x, l = 0;
         for (int i = 0; i < 64; i++) { unsigned long r; int o = __builtin_add_overflow(u, u, &r); l = l << 1 | o; u = r; }
         *(int *)l = 7; if (x == 7) reach_error(); }",
    ),
    (
        "of_bytes_that_are_read",
        Answer::Refused,
        true,
        "int pipe(int *); long write(int, const void *, unsigned long); long read(int, void *, unsigned long);
         static int x = 1; int main(void) { int *p = &x; int end[2]; if (pipe(end)) return 0; write(end[1], &p, 8);
         unsigned char bytes[8]; if (read(end[0], bytes, 8) != 8) return 0; unsigned long l = 0;
         for (int i = 7; i >= 0; i--) l = l << 8 | bytes[i]; *(int *)l = 7; if (x == 7) reach_error(); }",
    ),
    (
        "of_bytes_that_are_copied",
        Answer::Refused,
        true,
        "void *memcpy(void *, const void *, unsigned long); static int x = 1;
         int main(void) { int *p = &x; unsigned short part[4]; memcpy(part, &p, 8); unsigned long l = 0;
         for (int i = 3; i >= 0; i--) l = l << 16 | part[i]; *(int *)l = 7; if (x == 7) reach_error(); }",
    ),
    (
        "of_what_assembly_gives",
        Answer::Refused,
        true,
        "static int x = 1; int main(void) { unsigned long u = (unsigned long)&x; unsigned short a, b, c;
         __asm__(\"mov %w1, %0\" : \"=r\"(a) : \"r\"(u)); __asm__(\"mov %w1, %0\" : \"=r\"(b) : \"r\"(u >> 16));
         __asm__(\"mov %w1, %0\" : \"=r\"(c) : \"r\"(u >> 32));
         *(int *)(a | (unsigned long)b << 16 | (unsigned long)c << 32) = 7; if (x == 7) reach_error(); }",
    ),
    (
        "of_volatile_bytes",
        Answer::Unsafe,
        true,
        "static int x = 1; int main(void) { volatile unsigned char bytes[8]; unsigned long u = (unsigned long)&x, l = 0;
         for (int i = 0; i < 8; i++) bytes[i] = u >> 8 * i; for (int i = 0; i < 8; i++) l |= (unsigned long)bytes[i] << 8 * i;
         *(int *)l = 7; if (x == 7) reach_error(); }",
    ),
    (
        "of_a_function",
        Answer::Refused,
        true,
        "int main(void) { unsigned long u = (unsigned long)reach_error, l = 0;
         for (int i = 0; i < 48; i++) if (u >> i & 1) l |= 1ul << i; ((void (*)(void))l)(); }",
    ),
    (
        "numbers_that_are_handed_through",
        Answer::Safe,
        false,
        "static int x = 1; static int seen; static void note(void *number) { seen += (int)(long)number; }
         static void each(void (*call)(void *)) { for (long i = 0; i < 3; i++) call((void *)i); }
         int main(void) { each(note); if ((unsigned long)&x % 4 || seen != 3) reach_error(); return 0; }",
    ),
    (
        "numbers_that_are_looked_for",
        Answer::Unsafe,
        true,
        "static int x = 1, y = 2; static int *all[2] = {&x, &y}; int main(void) { unsigned long u = (unsigned long)&y; int k = 0;
         for (int i = 0; i < 2; i++) if ((unsigned long)all[i] == u) k = i; *all[k] = 7; if (y == 7) reach_error(); }",
    ),
];

#[test]
fn numbers_may_be_addresses() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("made_of_numbers", PROGRAMS);
}
