//! Functions that a certificate defines by recursion, and what is true of them, as text.

use crate::evidence::{Certificate, Lemma};

/// The functions that a certificate's formulas may speak of, and its lemmas; nothing where there are none.
pub(super) fn write_definitions(text: &mut String, certificate: &Certificate) {
    let terms = &certificate.terms;
    if !terms.functions().is_empty() {
        text.push_str("\nFunctions\n");
    }
    for function in terms.functions() {
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|one| terms.display(*one).to_string())
            .collect();
        let head = format!("{}({})", function.name, parameters.join(", "));
        match function.body {
            Some(body) => text.push_str(&format!("  {head} is\n      {}\n", terms.display(body))),
            None => text.push_str(&format!("  {head} is any function\n")),
        }
    }
    if !certificate.lemmas.is_empty() {
        text.push_str("\nLemmas\n");
    }
    for lemma in &certificate.lemmas {
        text.push_str(&format!(
            "  {}{}\n",
            terms.display(lemma.formula),
            by(certificate, lemma)
        ));
    }
}

/// How a lemma is proved.
fn by(certificate: &Certificate, lemma: &Lemma) -> String {
    let named = |term| certificate.terms.display(term).to_string();
    match (lemma.by, &lemma.ranks[..]) {
        (Some(variable), _) => format!("; by induction over {}", named(variable)),
        (None, []) => String::new(),
        (None, ranks) => {
            let ranks: Vec<String> = ranks.iter().map(|rank| named(*rank)).collect();
            format!("; by induction over {}", ranks.join(", then "))
        }
    }
}
