//! Theorems 2 and 3 of seed 002 as properties: for random small programs the leaves of the compact tree, instantiated at small
//! numbers of iterations, are the leaves of the classic tree.

use super::context::Context;
use super::options::ExploreOptions;
use super::random_loops::{loops, nested, text, text_of_nested, text_of_ways, two_ways};
use super::search::{Edge, Ending, Search};
use super::state::{Condition, Location, Quantified, State};
use crate::rules::Program;
use crate::solver::{Answer, LayeredSolver};
use crate::steps::{Budget, BudgetWatch, Cancellation};
use crate::terms::{Substitution, TermId, Terms};
use proptest::prelude::*;

/// Numbers of iterations that are tried for each template.
const ITERATIONS: u32 = 9;
/// Steps of a turn of a loop, and before and after all turns.
const STEPS: usize = 2;

/// A leaf with its symbols named alike in both trees.
struct Leaf {
    location: Location,
    memory: Vec<TermId>,
    facts: Vec<TermId>,
}

/// A leaf of a tree, how many steps it is from the query but for iterations, and how many an iteration takes for each counter.
struct Found {
    state: State,
    steps: usize,
    turns: Vec<usize>,
}

/// What is compared, in one table of terms.
struct Leaves {
    terms: Terms,
    classic: Vec<Found>,
    compact: Vec<Found>,
    /// The symbols of the query's own variables, in each tree.
    classic_symbols: Vec<TermId>,
    compact_symbols: Vec<TermId>,
    horizon: usize,
    /// Whether there is a failed leaf, or a tree is not finished that should be.
    unfit: bool,
}

/// Both trees of a program; with `joint`, the compact one has templates in phases.
fn leaves(program: &Program, joint: bool) -> Leaves {
    let (budget, cancellation) = (Budget::default(), Cancellation::default());
    let budget = BudgetWatch::start(&budget, &cancellation);
    let mut options = ExploreOptions {
        covering: false,
        joint,
        order: super::options::Order::BreadthFirst,
        whole: true,
        retries: 0,
        ..ExploreOptions::default()
    };
    options.budget.states = Some(100);
    let mut compact = Search::new(Context::new(program, &budget, 1_000_000), &options);
    compact.run();
    let mut classic_options = options.clone();
    classic_options.templates = false;
    classic_options.budget.states = Some(400);
    let mut context = Context::new(program, &budget, 1_000_000);
    // Both begin alike, so that terms of the one are terms of the other.
    context.terms = compact.context.terms.clone();
    let mut classic = Search::new(context, &classic_options);
    classic.run();
    // Ways and histories of values have no numbers of iterations that they follow from.
    let chosen = compact.all_templates().any(|template| !template.symbols.is_empty());
    let unfit = |search: &Search, unfit: &dyn Fn(Ending) -> bool| search.nodes.iter().any(|node| unfit(node.ending));
    Leaves {
        unfit: chosen
            || unfit(&compact, &|ending| matches!(ending, Ending::Failed | Ending::Waiting))
            || unfit(&classic, &|ending| ending == Ending::Failed),
        horizon: horizon(&classic),
        classic: found(&classic),
        compact: found(&compact),
        classic_symbols: first_symbols(&classic),
        compact_symbols: first_symbols(&compact),
        terms: classic.context.terms.clone(),
    }
}

fn found(search: &Search) -> Vec<Found> {
    let ended = |node: &&super::search::Node| matches!(node.ending, Ending::End | Ending::Stuck);
    let leaves = search.nodes.iter().filter(ended);
    leaves
        .map(|node| {
            let (steps, turns) = length(search, node);
            Found {
                state: node.state.clone(),
                steps,
                turns,
            }
        })
        .collect()
}

fn length(search: &Search, node: &super::search::Node) -> (usize, Vec<usize>) {
    let (mut steps, mut turns) = (0, Vec::new());
    let mut current = node;
    loop {
        match &current.edge {
            Edge::Root | Edge::Fixed => {}
            Edge::Step(..) => steps += 1,
            Edge::Template(template, way, _) => {
                steps += template.exits[*way].path.len();
                for phase in template.phases.iter().rev() {
                    turns.insert(0, phase.cores[0].len());
                }
            }
        }
        match current.parent {
            Some(parent) => current = &search.nodes[parent],
            None => return (steps, turns),
        }
    }
}

/// So many steps from the query the classic tree is complete.
fn horizon(search: &Search) -> usize {
    let waiting = search.nodes.iter().filter(|node| node.ending == Ending::Waiting);
    waiting.map(|node| length(search, node).0).min().unwrap_or(usize::MAX)
}

fn first_symbols(search: &Search) -> Vec<TermId> {
    let first = search.nodes.iter().find_map(|node| match &node.edge {
        Edge::Step(_, symbols) if node.parent == Some(0) => Some(symbols.iter().map(|(_, symbol)| *symbol).collect()),
        _ => None,
    });
    first.unwrap_or_default()
}

/// The leaf at numbers of iterations, over the symbols of the other tree; every quantifier written out.
fn instance(terms: &mut Terms, state: &State, from: &[TermId], to: &[TermId], numbers: &[u32]) -> Leaf {
    let mut substitution = Substitution::of(terms, from, to);
    for (counter, number) in state.counters.iter().zip(numbers) {
        let number = terms.integer(*number);
        substitution.insert(terms, *counter, number);
    }
    let mut facts = Vec::new();
    let Condition {
        facts: solved,
        residual,
        ..
    } = &state.condition;
    for fact in solved {
        facts.push(terms.substitute(*fact, &substitution));
    }
    for Quantified { variable, bound, body } in residual {
        let bound = terms.substitute(*bound, &substitution);
        let body = terms.substitute_all(body, &substitution);
        for number in 0..ITERATIONS {
            let number = terms.integer(number);
            let inside = terms.less(number, bound);
            for formula in super::quantified::at(terms, &body, *variable, number) {
                facts.push(terms.implies(inside, formula));
            }
        }
    }
    Leaf {
        location: state.location,
        memory: terms.substitute_all(&state.memory, &substitution),
        facts,
    }
}

fn holds_always(terms: &Terms, solver: &mut LayeredSolver, facts: &[TermId], negated: TermId) -> bool {
    solver.check(terms, facts, &[negated]) == Answer::Unsatisfiable
}

/// Whether two leaves are equivalent program states.
fn equivalent(terms: &mut Terms, solver: &mut LayeredSolver, first: &Leaf, second: &Leaf) -> bool {
    if first.location != second.location {
        return false;
    }
    for (facts, others) in [(&first.facts, &second.facts), (&second.facts, &first.facts)] {
        let other = terms.and(others);
        let outside = terms.not(other);
        if !holds_always(terms, solver, facts, outside) {
            return false;
        }
    }
    first.memory.iter().zip(&second.memory).all(|(left, right)| {
        let differs = terms.not_equal(*left, *right);
        holds_always(terms, solver, &first.facts, differs)
    })
}

/// All numbers of iterations for so many counters.
fn valuations(counters: usize) -> Vec<Vec<u32>> {
    (0..counters).fold(vec![Vec::new()], |known, _| {
        let more = known.iter().flat_map(|numbers: &Vec<u32>| {
            (0..ITERATIONS).map(move |number| numbers.iter().copied().chain([number]).collect::<Vec<u32>>())
        });
        more.collect()
    })
}

fn compare_trees(text: &str, joint: bool) -> Result<(), TestCaseError> {
    let program = crate::clp::read(text).product.expect("the generator writes rules");
    let mut both = leaves(&program, joint);
    // The theorems are about trees without failed leaves; and only a finished compact tree has all its leaves.
    prop_assume!(!both.unfit);
    let mut solver = LayeredSolver::new(1_000_000);
    let terms = &mut both.terms;
    let symbols = &both.classic_symbols;
    let classic: Vec<Leaf> = both
        .classic
        .iter()
        .map(|leaf| instance(terms, &leaf.state, symbols, symbols, &[]))
        .collect();
    let mut matched = vec![false; classic.len()];
    for leaf in &both.compact {
        for numbers in valuations(leaf.state.counters.len().min(2)) {
            let here = instance(terms, &leaf.state, &both.compact_symbols, symbols, &numbers);
            if solver.check(terms, &here.facts, &[]) != Answer::Satisfiable {
                continue;
            }
            let same = classic
                .iter()
                .position(|other| equivalent(terms, &mut solver, &here, other));
            // Completeness, as far as the classic tree was built.
            let iterations = numbers
                .iter()
                .zip(&leaf.turns)
                .map(|(number, turn)| *number as usize * turn);
            let few = leaf.steps + iterations.sum::<usize>() <= both.horizon;
            prop_assert!(
                same.is_some() || !few,
                "κ = {numbers:?} of a compact leaf is no classic leaf of\n{text}"
            );
            if let Some(position) = same {
                matched[position] = true;
            }
        }
    }
    // Soundness: so few steps are fewer iterations than were tried.
    for (leaf, matched) in both.classic.iter().zip(matched) {
        let iterations = leaf.steps / STEPS;
        prop_assert!(
            matched || iterations >= ITERATIONS as usize,
            "a classic leaf after {} steps is no instance of a compact leaf of\n{text}",
            leaf.steps
        );
    }
    Ok(())
}

/// Where a leaf is, and its memory, at each number of iterations at which its condition holds for these values.
fn outcomes(terms: &mut Terms, leaves: &[Found], symbols: &[TermId], values: &[i64]) -> Vec<String> {
    let mut outcomes = Vec::new();
    let values: Vec<TermId> = values.iter().map(|value| terms.integer(*value)).collect();
    for leaf in leaves {
        for numbers in valuations(leaf.state.counters.len()) {
            let here = instance(terms, &leaf.state, symbols, &values, &numbers);
            if here.facts.iter().all(|fact| *fact == TermId::TRUE) {
                let memory: Vec<String> = here
                    .memory
                    .iter()
                    .map(|term| terms.display(*term).to_string())
                    .collect();
                outcomes.push(format!("{:?} {}", here.location, memory.join(", ")));
            }
        }
    }
    outcomes.sort();
    outcomes.dedup();
    outcomes
}

/// A state behind an inner loop that is a single step stands for several of the classic tree, one for each number of iterations, so
/// that leaves are compared by what they say of values.
fn check_values(text: &str) -> Result<(), TestCaseError> {
    let program = crate::clp::read(text).product.expect("the generator writes rules");
    let mut both = leaves(&program, true);
    let counters = both.compact.iter().map(|leaf| leaf.state.counters.len());
    // An inner loop that is no single step is entered again and again, with a counter each time.
    prop_assume!(!both.unfit && counters.max().unwrap_or(0) <= 1 && both.horizon == usize::MAX);
    for point in 0..2 * 4 * 5 {
        let [i, n, m] = [point % 2, point / 2 % 4, point / 8 - 1];
        // The symbols are those of I, M, N and S, in whatever order.
        let names: Vec<String> = both
            .classic_symbols
            .iter()
            .map(|symbol| both.terms.variable_name(*symbol).to_string())
            .collect();
        let value = |name: &String| match name.as_str() {
            "I" => i,
            "N" => n,
            "M" => m,
            _ => 7,
        };
        let values: Vec<i64> = names.iter().map(value).collect();
        let classic = outcomes(&mut both.terms, &both.classic, &both.classic_symbols, &values);
        let compact = outcomes(&mut both.terms, &both.compact, &both.compact_symbols, &values);
        prop_assert!(!classic.is_empty(), "a finite tree has a leaf for every value");
        prop_assert_eq!(classic, compact, "at {:?} = {:?} in\n{}", names, values, text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn both_trees_have_the_same_leaves(loops in loops()) {
        compare_trees(&text(&loops), false)?;
    }

    #[test]
    fn phases_have_the_same_leaves(ways in two_ways()) {
        compare_trees(&text_of_ways(&ways), true)?;
    }

    #[test]
    fn inner_loops_as_steps_have_the_same_leaves(nested in nested()) {
        check_values(&text_of_nested(&nested))?;
    }
}
