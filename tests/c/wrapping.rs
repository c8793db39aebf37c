//! Signed integers that wrap round, as with `-fwrapv`, and what they have to say about runs that go on after an overflow.

use clausal::c::options::{Arithmetic, Checks, Options as COptions};
use clausal::engine::{Options, Verdict};
use clausal::evidence::{CheckLimits, check_certificate, replay};
use clausal::source_level::{Method, Verification, verify_c_by};

fn verified(text: &str, arithmetic: Arithmetic) -> Verification {
    let c_options = COptions {
        arithmetic,
        ..COptions::default()
    };
    let reading = verify_c_by(
        text,
        &c_options,
        Method::Automatic,
        &Options::default(),
        &|translation, options| clausal::turns::verify(&translation.program, options),
    );
    let verification = reading.product.expect("it is C");
    let program = &verification.translation.program;
    match &verification.outcome.verdict {
        Verdict::Safe(certificate) => {
            check_certificate(program, certificate, CheckLimits::default()).expect("it is a proof");
        }
        Verdict::Unsafe(derivation) => assert_eq!(replay(program, derivation), Ok(()), "{text}"),
        Verdict::Unknown(_) => {}
    }
    verification
}

fn is_safe(text: &str, arithmetic: Arithmetic) -> Option<bool> {
    match verified(text, arithmetic).outcome.verdict {
        Verdict::Safe(_) => Some(true),
        Verdict::Unsafe(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn signed_results_are_those_of_wrap_around() {
    let numbers = [i32::MIN, i32::MIN + 1, -65536, -1, 0, 1, 46341, i32::MAX];
    let text = |lines: &str| {
        format!(
            "int input(void); void reach_error(void);
             int main(void) {{ int a = input(); {lines} return 0; }}"
        )
    };
    for a in numbers {
        let mut lines = vec![format!(
            "if (a == {a}LL && -a != {}LL) reach_error();",
            a.wrapping_neg()
        )];
        for b in numbers {
            for (operator, result) in [
                ("+", a.wrapping_add(b)),
                ("-", a.wrapping_sub(b)),
                ("*", a.wrapping_mul(b)),
            ] {
                let minimum = i64::from(b);
                lines.push(format!(
                    "if (a == {a}LL && a {operator} (int) {minimum}LL != {result}LL) reach_error();"
                ));
            }
        }
        assert_eq!(
            is_safe(&text(&lines.join("\n")), Arithmetic::Wrapping),
            Some(true),
            "{a}"
        );
    }
    let overflow = text("if (a > 0 && a + 1 < 0) reach_error();");
    assert_eq!(is_safe(&overflow, Arithmetic::Wrapping), Some(false));
    assert_eq!(is_safe(&overflow, Arithmetic::Machine), Some(true));
    let long = text("long c = a; c = (c << 31) * 2; if (a == 1 << 30 && c + c < 0) reach_error();");
    assert_eq!(is_safe(&long, Arithmetic::Wrapping), Some(false));
}

#[test]
fn a_counter_that_is_right_until_it_overflows_is_safe() {
    let text = |condition: &str| {
        format!(
            "void reach_error(void);
             int main(void) {{ int twice = 0; unsigned int n = 0;
               while (1) {{ twice += 2; n++; if ({condition}) reach_error(); }} }}"
        )
    };
    // As mathematical integers they differ after two thousand million turns; where signed ones wrap round they never do.
    let found = verified(&text("twice != 2 * n"), Arithmetic::Machine);
    assert!(
        matches!(found.outcome.verdict, Verdict::Safe(_)),
        "{:?}",
        found.outcome.verdict
    );
    // This error comes after the overflow, whatever that does.
    let found = verified(&text("n > 3000000000u && twice != 7"), Arithmetic::Machine);
    assert!(
        matches!(found.outcome.verdict, Verdict::Unknown(_)),
        "{:?}",
        found.outcome.verdict
    );
    let found = verified(&text("n > 3000000000u && twice != 7"), Arithmetic::Wrapping);
    assert!(
        matches!(found.outcome.verdict, Verdict::Unsafe(_)),
        "{:?}",
        found.outcome.verdict
    );
}

/// What wraps round are sums, differences and products; bits of negative numbers are shifted. A quotient that no number is stops
/// the machine.
#[test]
fn checks_ask_for_what_is_still_undefined() {
    let checked = |line: &str, check: &str| {
        let text =
            format!("int input(void); int main(void) {{ int a = input(), b = input(); int c = {line}; return c; }}");
        let options = COptions {
            arithmetic: Arithmetic::Wrapping,
            checks: Checks::named(check).expect("it is a check"),
            ..COptions::default()
        };
        let reading = verify_c_by(
            &text,
            &options,
            Method::Automatic,
            &Options::default(),
            &|translation, options| clausal::turns::verify(&translation.program, options),
        );
        match reading.product.expect("it is C").outcome.verdict {
            Verdict::Safe(_) => Some(true),
            Verdict::Unsafe(_) => Some(false),
            Verdict::Unknown(_) => None,
        }
    };
    for line in ["a + b", "a - b", "-a", "a << 4", "a << 31"] {
        for check in ["overflow", "shifts", "undefined"] {
            assert_eq!(checked(line, check), Some(true), "{line}, {check}");
        }
    }
    for line in ["a << b", "a >> b"] {
        assert_eq!(checked(line, "shifts"), Some(false), "{line}");
        assert_eq!(checked(line, "overflow"), Some(true), "{line}");
    }
    for line in ["b != 0 ? a / b : 0", "b != 0 ? a % b : 0"] {
        assert_eq!(checked(line, "overflow"), Some(false), "{line}");
        assert_eq!(checked(line, "div-by-zero"), Some(true), "{line}");
    }
    for condition in ["a / b < 0", "a / b != 7", "a % b == 0", "a % b != 7"] {
        let text = format!(
            "int input(void); void reach_error(void);
             int main(void) {{ int a = input(), b = input(); if (a != -2147483647 - 1 || b != -1) return 0;
               if ({condition}) reach_error(); return 0; }}"
        );
        assert_ne!(is_safe(&text, Arithmetic::Wrapping), Some(false), "{condition}");
        assert_ne!(is_safe(&text, Arithmetic::Machine), Some(false), "{condition}");
    }
}

/// The sum under the condition does not overflow where the condition holds; elsewhere it may, and nobody calculates it.
#[test]
fn what_holds_of_a_sum_under_a_condition_holds_only_there() {
    let text = |lines: &str| {
        format!(
            "int input(void); void reach_error(void);
             int main(void) {{ int a = input(), b = input(), c = input(); {lines} return 0; }}"
        )
    };
    for lines in [
        "unsigned u = (unsigned)a + 1u; unsigned v = c ? (unsigned)(a + 1) : 0u; if (u == 2147483648u && v == 0u) reach_error();",
        "unsigned v = c ? (unsigned)(a + 1) : 0u; unsigned u = (unsigned)a + 1u; if (u == 2147483648u && v == 0u) reach_error();",
        "unsigned u = (unsigned)((long long)a + b); unsigned v = c ? (unsigned)(a + b) : 0u;
         if (u == 0u && a < 0 && b < 0 && v == 0u) reach_error();",
    ] {
        assert_eq!(is_safe(&text(lines), Arithmetic::Machine), Some(false), "{lines}");
    }
    let never = "unsigned u = (unsigned)a + 1u; if (u == 0u && a != -1) reach_error();";
    assert_eq!(is_safe(&text(never), Arithmetic::Machine), Some(true));
}

/// Compiled, it comes to the error: what most compilers make of the overflow is the least integer.
#[test]
fn a_signed_sum_that_overflowed_before_it_lost_its_sign_is_not_taken_to_be_in_its_type() {
    for lines in [
        "unsigned v = (unsigned)(x + 1);",
        "int y = x + 1; unsigned v = (unsigned)y;",
    ] {
        let text = format!(
            "int input(void); void reach_error(void);
             int main(void) {{ int x = input(); {lines} if (v == 2147483648u) reach_error(); return 0; }}"
        );
        assert_eq!(is_safe(&text, Arithmetic::Machine), None, "{lines}");
    }
}
