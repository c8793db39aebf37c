//! What is proved by induction of the functions and measures that a model defines by recursion, as comments beside it: who checks the model needs
//! it, as the clauses alone do not follow from the definitions. Each line is `; lemma FORMULA` and how it is proved: `:by x`, by induction over the
//! variable `x`, `:ranks (t …)`, by induction over the first of these integers that changes, or nothing, if it follows from definitions and the lemmas before it.

use crate::evidence::{Certificate, Lemma};
use crate::terms::{SmtlibNames, TermId, Terms, smtlib_symbol};

/// The lemmas of a certificate, and what is true of all measures that its formulas, which are given, and its lemmas speak of: a line each. The table
/// is the one that the formulas are of, made of the certificate's.
pub(super) fn lemma_lines(terms: &mut Terms, certificate: &Certificate, formulas: &[TermId]) -> String {
    let truths = terms
        .measure_truths(formulas)
        .into_iter()
        .map(|(variables, formula)| Lemma {
            by: variables.first().copied(),
            variables,
            formula,
            cases: None,
            ranks: Vec::new(),
        });
    let mut lemmas: Vec<Lemma> = truths.collect();
    lemmas.extend(certificate.lemmas.iter().cloned());
    lemmas.iter().map(|lemma| line(terms, lemma)).collect()
}

fn line(terms: &Terms, lemma: &Lemma) -> String {
    let names = SmtlibNames::new(terms, &lemma.variables);
    let name_of = |variable: TermId| names.get(variable).to_string();
    let written = |term: TermId| terms.smtlib(term, &name_of);
    let symbol = |variable: TermId| smtlib_symbol(names.get(variable));
    let bound: Vec<String> = lemma
        .variables
        .iter()
        .map(|variable| format!("({} {})", symbol(*variable), terms.smtlib_sort(terms.sort(*variable))))
        .collect();
    let formula = match &bound[..] {
        [] => written(lemma.formula),
        _ => format!("(forall ({}) {})", bound.join(" "), written(lemma.formula)),
    };
    let how = match (lemma.by, &lemma.ranks[..]) {
        (Some(variable), _) => format!(" :by {}", symbol(variable)),
        (None, []) => String::new(),
        (None, ranks) => {
            let ranks: Vec<String> = ranks.iter().map(|rank| written(*rank)).collect();
            format!(" :ranks ({})", ranks.join(" "))
        }
    };
    format!("  ; lemma {formula}{how}\n")
}
