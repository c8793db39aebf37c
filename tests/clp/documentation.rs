//! Every example in `docs/language.md` is read without a remark, and its grammar names what the reader knows.

use clausal::clp;
use clausal::diagnostics::render;

fn document() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/language.md");
    std::fs::read_to_string(path).expect("the description of the language")
}

#[test]
fn every_example_is_read_and_printed_again() {
    let document = document();
    let examples: Vec<&str> = document
        .split("```clp\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert!(examples.len() >= 5);
    for example in examples {
        let reading = clp::read_with_calls(example);
        let remarks = render(&reading.diagnostics, "language.md", example);
        assert!(reading.diagnostics.is_empty(), "{remarks}");
        let text = clp::print(&reading.product.expect("a program"));
        let again = clp::read_with_calls(&text).product.expect("the printed program");
        assert_eq!(clp::print(&again), text);
    }
}

#[test]
fn the_message_in_the_description_is_the_one_given() {
    let source = "?- loop(0).\nloop(X) :- X < 10, lop(X + 1).\n";
    let text = render(&clp::read(source).diagnostics, "count.clp", source);
    let trimmed = |text: &str| {
        text.lines()
            .map(|line| line.trim_end().to_string())
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert!(trimmed(&document()).contains(trimmed(&text).trim_end()), "{text}");
}
