//! Compares the linear layer with Z3 on random conjunctions.

use super::generator::Generator;
use clausal::solver::{Answer, Layer, LinearLayer, Z3Layer, is_contradiction};
use clausal::terms::{TermId, Terms};

/// What happened.
#[derive(Default)]
pub struct Counts {
    /// Conjunctions asked about.
    pub conjunctions: u64,
    /// Those with a model.
    pub satisfiable: u64,
    /// Those without.
    pub unsatisfiable: u64,
    /// Those that the layer left to Z3.
    pub unknown: u64,
    /// Unsatisfiable ones that Z3 gave up.
    pub only_here: u64,
    /// Cores checked.
    pub cores: u64,
    /// Combinations of Farkas checked.
    pub combinations: u64,
}

/// How many checks a walk has, unless it is to show what a long history does.
pub const SHORT_WALK: usize = 12;

/// One table of terms, one solver, and a walk of pushes and pops over it, with a check at each of `steps`: every answer must be Z3's, every model must satisfy what was
/// asked, every core must be unsatisfiable, and every combination of Farkas must be a contradiction.
pub fn walk(seed: u64, steps: usize, counts: &mut Counts) -> Result<(), String> {
    let mut generator = Generator::new(seed);
    let mut linear = LinearLayer::default();
    let mut oracle = Z3Layer::new(200_000);
    let mut assumed: Vec<TermId> = Vec::new();
    for step in 0..steps {
        while !assumed.is_empty() && generator.random.chance(30) {
            let count = 1 + generator.random.below(assumed.len() as u64) as usize;
            linear.pop(count);
            oracle.pop(count);
            assumed.truncate(assumed.len() - count);
        }
        for _ in 0..1 + generator.random.below(3) {
            let depth = generator.random.below(4) as u32;
            let formula = generator.formula(depth);
            linear.push();
            linear.assume(&generator.terms, formula);
            oracle.push();
            oracle.assume(&generator.terms, formula);
            assumed.push(formula);
        }
        let here = || format!("seed {seed}, step {step}");
        check(&generator.terms, &mut linear, &mut oracle, &assumed, counts).map_err(|what| {
            let shown: Vec<String> = assumed
                .iter()
                .map(|f| generator.terms.display(*f).to_string())
                .collect();
            format!("{}: {what}\n{}", here(), shown.join("\n"))
        })?;
    }
    Ok(())
}

fn check(
    terms: &Terms,
    linear: &mut LinearLayer,
    oracle: &mut Z3Layer,
    assumed: &[TermId],
    counts: &mut Counts,
) -> Result<(), String> {
    counts.conjunctions += 1;
    match linear.check(terms) {
        Answer::Unknown => counts.unknown += 1,
        Answer::Satisfiable => {
            counts.satisfiable += 1;
            let variables = terms.variables_of_all(assumed);
            let values = linear.model(terms, &variables).ok_or("no model")?;
            // Evaluation is all it takes: a model that satisfies everything leaves Z3 nothing to say.
            for formula in assumed {
                if terms.holds(*formula, &values) == Some(false) {
                    return Err(format!("the model violates {}", terms.display(*formula)));
                }
                if terms.holds(*formula, &values).is_none() && oracle.check(terms) == Answer::Unsatisfiable {
                    return Err("satisfiable, but not for Z3".to_string());
                }
            }
        }
        Answer::Unsatisfiable => {
            counts.unsatisfiable += 1;
            match oracle.check(terms) {
                Answer::Satisfiable => return Err("unsatisfiable, but not for Z3".to_string()),
                Answer::Unknown => counts.only_here += 1,
                Answer::Unsatisfiable => {}
            }
            let mut alone = Z3Layer::new(200_000);
            for position in linear.conflict() {
                alone.assume(terms, assumed[position]);
            }
            counts.cores += 1;
            if alone.check(terms) == Answer::Satisfiable {
                return Err(format!("the core {:?} is satisfiable", linear.conflict()));
            }
            if let Some(combination) = linear.farkas(terms) {
                counts.combinations += 1;
                if !is_contradiction(terms, &combination) {
                    return Err("the combination is no contradiction".to_string());
                }
                let belongs = |position: usize, atom| terms.conjuncts(assumed[position]).contains(&atom);
                if !combination.iter().all(|part| belongs(part.position, part.atom)) {
                    return Err("the combination is of other atoms".to_string());
                }
            }
        }
    }
    Ok(())
}
