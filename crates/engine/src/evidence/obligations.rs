//! The obligations of a certificate as an SMT-LIB 2 script, so that any solver can discharge them.

use super::conditions::{Condition, Conditions, Premise, Target};
use super::describe::{one_line, reached_text, rule_place, rule_text};
use super::lemmas::{Depth, Obligation};
use super::symbolic::SymbolicConditions;
use super::{Certificate, CheckError};
use crate::rules::{Program, RuleId};
use crate::terms::{SmtlibNames, TermId, Terms, smtlib_symbol};

/// The obligations as text: a scope for each, which says in a comment what it is about and ends in a `check-sat`. The
/// certificate proves the program safe if every answer is `unsat`.
///
/// # Errors
///
/// [`CheckError::Malformed`] if the certificate is not one for the program, or claims that [all runs](Certificate::all_runs) are over:
/// that is no question for a solver.
pub fn obligations_smtlib(program: &Program, certificate: &Certificate) -> Result<String, CheckError> {
    let program = &*certificate.subject(program);
    let mut conditions = Conditions::new(program, certificate).map_err(CheckError::Malformed)?;
    if certificate.all_runs.is_some() {
        let why = "the proof is that all runs are over, which is seen by running the program".to_string();
        return Err(CheckError::Malformed(why));
    }
    let mut text = String::from(
        "; The proof obligations of a certificate: the program is safe if every answer is unsat.\n(set-logic ALL)\n",
    );
    text.push_str(&program.terms.smtlib_datatypes());
    // Measures are functions of which each obligation says what it needs. That no minimum is above the maximum speaks of both.
    let invariants = certificate.invariants.iter().chain(&certificate.summaries);
    let mut formulas: Vec<TermId> = invariants
        .flat_map(|one| one.disjuncts.iter().flatten().copied())
        .collect();
    let functions = certificate.terms.functions().iter();
    formulas.extend(functions.flat_map(|one| one.body.iter().chain(&one.ranks).copied()));
    formulas.extend(certificate.lemmas.iter().map(|lemma| lemma.formula));
    text.push_str(&certificate.terms.smtlib_measure_declarations(&formulas));
    text.push_str(&certificate.terms.smtlib_function_declarations());
    let mut number = 0;
    let mut written = |terms: &Terms, obligation: &Obligation| {
        number += 1;
        text.push_str(&format!("\n; {number}: {}\n(push 1)\n", one_line(&obligation.text)));
        write_formulas(&mut text, terms, &[("", &obligation.formulas[..])]);
        Ok::<bool, CheckError>(true)
    };
    if !certificate.symbolic.is_empty() {
        let symbolic = SymbolicConditions::new(program, &certificate.symbolic);
        let mut written = |terms: &Terms, obligation: &Obligation| written(terms, obligation).map(|_| ());
        symbolic.obligations(&mut conditions.terms, &mut written)?;
        return Ok(text);
    }
    conditions
        .of_functions(certificate, &[Depth::Conditional], &mut written)?
        .map_err(CheckError::Malformed)?;
    for index in 0..program.rules().len() {
        for condition in conditions.of_rule(RuleId::from_index(index)) {
            for premise in &condition.premises {
                number += 1;
                write_obligation(&mut text, &conditions, &condition, premise, number);
            }
        }
        if let Some(fault) = conditions.fault() {
            return Err(CheckError::Internal(fault.to_string()));
        }
    }
    Ok(text)
}

fn write_obligation(
    text: &mut String,
    conditions: &Conditions<'_>,
    condition: &Condition,
    premise: &Premise,
    number: usize,
) {
    let (program, terms) = (conditions.program, &conditions.terms);
    let parts: [(&str, &[TermId]); 3] = [
        ("constraint", &condition.constraint),
        ("premise", &premise.formulas),
        ("denial", &condition.denial),
    ];
    let reached = match reached_text(program, &premise.reached_by) {
        text if text.is_empty() => text,
        text => format!("{text},"),
    };
    let disjuncts = condition.premises.iter().map(|other| other.disjunct + 1).max();
    let disjuncts = disjuncts.unwrap_or_default();
    let target = match condition.target {
        Target::Invariant(predicate) => format!("that of {}", one_line(&program.predicate_label(predicate))),
        Target::Summary(predicate) => format!("the summary of {}", one_line(&program.predicate_label(predicate))),
    };
    let mut line = |content: String| {
        text.push_str(&content);
        text.push('\n');
    };
    line(format!(
        "\n; {number}: {}, from disjunct {} of {} of the invariant of {}{} into {}",
        rule_place(program, condition.rule),
        premise.disjunct + 1,
        disjuncts,
        one_line(&program.predicate_label(program.rule(condition.rule).head.predicate)),
        reached,
        target,
    ));
    line(format!("; {}", rule_text(program, condition.rule)));
    line("(push 1)".to_string());
    write_formulas(text, terms, &parts);
}

/// Declares what formulas speak of, asserts them, and ends the scope with a question.
fn write_formulas(text: &mut String, terms: &Terms, parts: &[(&str, &[TermId])]) {
    let all: Vec<TermId> = parts.iter().flat_map(|(_, formulas)| *formulas).copied().collect();
    let variables = terms.variables_of_all(&all);
    let names = SmtlibNames::new(terms, &variables);
    let name_of = |variable: TermId| names.get(variable).to_string();
    let mut line = |content: String| {
        text.push_str(&content);
        text.push('\n');
    };
    for variable in &variables {
        let symbol = smtlib_symbol(names.get(*variable));
        line(format!(
            "(declare-const {symbol} {})",
            terms.smtlib_sort(terms.sort(*variable))
        ));
    }
    for (title, formulas) in parts {
        for (position, formula) in formulas.iter().enumerate() {
            let comment = if position == 0 && !title.is_empty() {
                format!(" ; {title}")
            } else {
                String::new()
            };
            line(format!("(assert {}){comment}", terms.smtlib(*formula, &name_of)));
        }
    }
    line("(set-info :status unsat)\n(check-sat)\n(pop 1)".to_string());
}
