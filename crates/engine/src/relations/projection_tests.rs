//! Projection of arrays, datatypes and words beside what it has to be.

use super::implicant::implicant;
use super::projection::project;
use crate::random::Generator;
use crate::solver::{Answer, AssumptionSolver};
use crate::steps::model::Model;
use crate::terms::{SortId, TermId, Terms, Theory};
use crate::test_support::samples::{Samples, formula};

/// Random formulas over two variables of each of the sorts, and models of them: what is projected to the first of each sort
/// holds in the model, speaks of these alone, and each of its solutions (some are tried) can be completed to one of the formula.
fn projections(seed: u64, count: u64, sorts: &dyn Fn(&mut Terms) -> Vec<SortId>) {
    let mut random = Generator(seed);
    let (mut models, mut points, mut unknown) = (0, 0, 0);
    for round in 0..count {
        let mut terms = Terms::new();
        let (mut variables, mut kept) = (Vec::new(), Vec::new());
        for sort in sorts(&mut terms) {
            kept.push(terms.fresh_variable("K", sort));
            variables.extend(kept.last());
            variables.push(terms.fresh_variable("X", sort));
        }
        let parts: Vec<TermId> = (0..3)
            .map(|_| formula(&mut terms, &variables, &mut random, 2))
            .collect();
        let whole = terms.and(&parts);
        let mut solver = AssumptionSolver::new(Theory::General, 2_000_000);
        solver.assert(&terms, whole);
        if solver.check(&terms, &[]) != Answer::Satisfiable {
            continue;
        }
        // Functions that Z3 does not write as arrays with finitely many elements have no exact value.
        let Some(values) = solver.model(&terms, &variables) else {
            continue;
        };
        let mut model = Model::new(values);
        // Where a field of another constructor matters, nothing follows from the model.
        let Some(literals) = implicant(&mut terms, &[whole], &mut model) else {
            continue;
        };
        let text = terms.display(whole).to_string();
        for literal in &literals {
            assert_eq!(model.holds(&terms, *literal), Some(true), "round {round}: {text}");
        }
        models += 1;
        let keep = |variable: TermId| kept.contains(&variable);
        let Some(projected) = project(&mut terms, &literals, &mut model, &keep) else {
            unknown += 1;
            continue;
        };
        let projected = terms.and(&projected);
        let shown = terms.display(projected).to_string();
        assert_eq!(
            model.holds(&terms, projected),
            Some(true),
            "round {round}: {text}: {shown}"
        );
        assert!(
            terms.variables(projected).into_iter().all(keep),
            "round {round}: {text}: {shown}"
        );
        // Points of the projection, the first anywhere and others away from it.
        let mut others = AssumptionSolver::new(Theory::General, 2_000_000);
        others.assert(&terms, projected);
        for _ in 0..4 {
            if others.check(&terms, &[]) != Answer::Satisfiable {
                break;
            }
            let Some(point) = others.model(&terms, &kept) else {
                break;
            };
            let mut at_point = AssumptionSolver::new(Theory::General, 2_000_000);
            at_point.assert(&terms, whole);
            let mut same = Vec::new();
            for variable in &kept {
                let value = terms.value_term(&point[variable], terms.sort(*variable));
                same.push(terms.equal(*variable, value));
            }
            let same = terms.and(&same);
            at_point.assert(&terms, same);
            let answer = at_point.check(&terms, &[]);
            assert_ne!(
                answer,
                Answer::Unsatisfiable,
                "round {round}: {text}: {shown}: {}",
                terms.display(same)
            );
            let elsewhere = terms.not(same);
            others.assert(&terms, elsewhere);
            points += 1;
        }
    }
    assert!(
        points > count / 2 && unknown * 10 < models,
        "{points} points, {unknown} of {models} models"
    );
}

#[test]
fn projections_of_arrays_are_implicants_of_the_projection() {
    projections(21, 200, &|terms| {
        let row = terms.array_sort(SortId::INT, SortId::INT);
        let flags = terms.array_sort(SortId::INT, SortId::BOOL);
        vec![row, flags, SortId::INT, SortId::BOOL]
    });
}

#[test]
fn projections_of_arrays_of_arrays_are_implicants_of_the_projection() {
    projections(22, 150, &|terms| {
        let row = terms.array_sort(SortId::INT, SortId::INT);
        vec![row, terms.array_sort(SortId::INT, row), SortId::INT]
    });
}

#[test]
fn projections_of_words_are_implicants_of_the_projection() {
    for (seed, width) in [(23, 8), (24, 32), (25, 2)] {
        projections(seed, 120, &|terms| {
            vec![terms.word_sort(width), terms.word_sort(width), SortId::BOOL]
        });
    }
}

#[test]
fn projections_of_words_and_integers_are_implicants_of_the_projection() {
    projections(26, 120, &|terms| vec![terms.word_sort(4), SortId::INT]);
}

#[test]
fn projections_of_datatypes_are_implicants_of_the_projection() {
    projections(27, 150, &|terms| {
        let samples = Samples::new(terms);
        vec![samples.list, samples.color, SortId::INT]
    });
    projections(28, 150, &|terms| {
        let samples = Samples::new(terms);
        vec![samples.record, SortId::INT, SortId::BOOL]
    });
    projections(29, 150, &|terms| {
        let samples = Samples::new(terms);
        vec![samples.tree, samples.forest, samples.color, SortId::INT]
    });
}

#[test]
fn projections_of_everything_together_are_implicants_of_the_projection() {
    projections(30, 150, &|terms| {
        let samples = Samples::new(terms);
        let byte = terms.word_sort(8);
        let memory = terms.array_sort(byte, byte);
        let table = terms.array_sort(samples.list, samples.color);
        vec![byte, memory, table, samples.list, samples.color, SortId::INT]
    });
}

#[test]
fn projections_of_arrays_with_few_indices_are_implicants_of_the_projection() {
    projections(31, 150, &|terms| {
        let samples = Samples::new(terms);
        let flags = terms.array_sort(SortId::BOOL, SortId::INT);
        let colors = terms.array_sort(samples.color, SortId::BOOL);
        vec![flags, colors, samples.color, SortId::INT, SortId::BOOL]
    });
}
