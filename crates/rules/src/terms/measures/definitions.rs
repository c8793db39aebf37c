//! The definitions of measures for other tools, as SMT-LIB writes functions that recur.

use super::{Measure, measure_name};
use crate::terms::{SortId, TermId, Terms, smtlib_symbol};

impl Terms {
    /// The measures that formulas speak of and that their equations lead to, each with the body of its definition, a term of a table
    /// that has the variable `x!` in it.
    fn measure_definitions(&self, formulas: &[TermId]) -> (Terms, Vec<(SortId, Measure, TermId)>) {
        let mut terms = self.clone();
        let mut defined: Vec<(SortId, Measure, TermId)> = Vec::new();
        let mut waiting: Vec<(SortId, Measure)> = Vec::new();
        for (measure, term) in self.measured_terms(formulas) {
            waiting.push((self.sort(term), measure));
        }
        while let Some((sort, measure)) = waiting.pop() {
            if defined
                .iter()
                .any(|(other, same, _)| (*other, *same) == (sort, measure))
            {
                continue;
            }
            // What is true of every maximum speaks of the minimum.
            if measure == Measure::Maximum {
                waiting.push((sort, Measure::Minimum));
            }
            let whole = terms.fresh_variable("x!", sort);
            let constructors = self.datatype(sort).map_or(&[][..], |datatype| &datatype.constructors);
            let mut body = None;
            for constructor in constructors.iter().rev() {
                let fields = self.constructor(*constructor).fields.clone();
                let fields: Vec<TermId> = fields.into_iter().map(|field| terms.field_of(field, whole)).collect();
                let equation = terms.equation(measure, *constructor, &fields, &mut |terms, measure, part| {
                    waiting.push((terms.sort(part), measure));
                    terms.measure_of(measure, part)
                });
                let made = terms.is_made_by(*constructor, whole);
                body = Some(body.map_or(equation, |other| terms.if_then_else(made, equation, other)));
            }
            defined.extend(body.map(|body| (sort, measure, body)));
        }
        defined.sort();
        (terms, defined)
    }

    /// The name of a measure of terms of a sort, that sort and the sort of its values, as SMT-LIB writes them.
    fn smtlib_measure(&self, sort: SortId, measure: Measure) -> [String; 3] {
        let name = self.datatype(sort).map_or("", |datatype| &datatype.name);
        let function = smtlib_symbol(&measure_name(measure, name));
        [function, self.smtlib_sort(sort), self.smtlib_sort(measure.sort())]
    }

    /// What is true of the measures that formulas speak of whatever they measure, and is proved by induction over the one variable of each; the
    /// size of a natural number also tells which one it is, which has a second variable.
    pub fn measure_truths(&mut self, formulas: &[TermId]) -> Vec<(Vec<TermId>, TermId)> {
        let (_, defined) = self.measure_definitions(formulas);
        let mut truths = Vec::new();
        for (sort, measure, _) in defined {
            let whole = self.fresh_variable("x!", sort);
            truths.extend(self.bounds_of(measure, whole).map(|bounds| (vec![whole], bounds)));
            if measure == Measure::Size && self.is_natural(sort) {
                let other = self.fresh_variable("y!", sort);
                let sizes = [whole, other].map(|one| self.measure_of(measure, one));
                let (same_size, same) = (self.equal(sizes[0], sizes[1]), self.equal(whole, other));
                truths.push((vec![whole, other], self.implies(same_size, same)));
            }
        }
        truths
    }

    /// Declarations of all measures that the formulas and their unfoldings speak of, a line each.
    pub fn smtlib_measure_declarations(&self, formulas: &[TermId]) -> String {
        let (_, defined) = self.measure_definitions(formulas);
        let lines = defined.into_iter().map(|(sort, measure, _)| {
            let [function, from, to] = self.smtlib_measure(sort, measure);
            format!("(declare-fun {function} ({from}) {to})\n")
        });
        lines.collect()
    }

    /// The definitions of all measures that the formulas speak of, as SMT-LIB writes functions that recur; `None` if there are none.
    pub fn smtlib_measures(&self, formulas: &[TermId]) -> Option<String> {
        let (terms, defined) = self.measure_definitions(formulas);
        let (mut heads, mut bodies) = (Vec::new(), Vec::new());
        for (sort, measure, body) in &defined {
            let [function, from, to] = self.smtlib_measure(*sort, *measure);
            heads.push(format!("({function} ((x! {from})) {to})"));
            bodies.push(terms.smtlib(*body, &|_| "x!".to_string()).to_string());
        }
        let written = format!("(define-funs-rec ({}) ({}))", heads.join(" "), bodies.join(" "));
        (!defined.is_empty()).then_some(written)
    }
}
