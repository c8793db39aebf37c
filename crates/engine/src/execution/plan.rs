//! Plans: how a rule is evaluated, found out once. A plan is a list of instructions over slots: each computes a term, solves
//! an equation for its one unknown variable, reads an input, or checks a constraint, as early as possible.

use super::cell::Cell;
use super::waiting::{Condition, Ready, Waiting};
use crate::rules::{PredicateId, Rule};
use crate::terms::{FloatOperator, LinearForm, Operator, Rational, Sort, SortId, TermId, Terms, WordOperator};
use hashbrown::{HashMap, HashSet};
use num_traits::{One, Signed, Zero};

/// Where an operand is found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    /// Computed by an instruction before.
    Slot(usize),
    /// A number or truth value.
    Constant(usize),
    /// An argument of the goal.
    Argument(usize),
}

/// What is done with operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    Copy,
    Add,
    Multiply,
    Divide,
    IntegerDivide,
    Modulo,
    Floor,
    IfThenElse,
    /// A value by cases: conditions and values in turn.
    Cases,
    Select,
    Store,
    ConstantArray,
    Equal,
    LessOrEqual,
    Less,
    Not,
    And,
    Or,
    /// An operation on machine words: the width of the first argument, and the result's sort.
    Word(WordOperator, u32, Sort),
    /// An operation on floating-point numbers: the sorts of the first argument and of the result.
    Float(FloatOperator, Sort, Sort),
}

/// One instruction of a plan.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    /// The slot gets the result.
    Compute(usize, Operation, Vec<Operand>),
    /// The slot gets the next input, which is that of this variable.
    Input(usize, TermId),
    /// The slot gets a value for this variable, which is none of the named inputs but is not determined either.
    Unnamed(usize, TermId),
    /// The first case that holds has defined this variable; others may hold, too. Conditions and values are in turn.
    FirstOf(TermId, Vec<Operand>),
    /// The rule applies only if this is true.
    Check(Operand),
    /// The rule applies only if this is an integer.
    CheckInteger(Operand),
}

/// How a rule is evaluated.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub instructions: Vec<Instruction>,
    pub constants: Vec<Cell>,
    pub slots: usize,
    /// The body's predicate and arguments; `None` for a rule that ends the run.
    pub body: Option<(PredicateId, Vec<Operand>)>,
    /// The rule's variables, ascending.
    pub variables: Vec<(TermId, Operand)>,
    /// Why the rule cannot be run, if it cannot.
    pub obstacle: Option<String>,
}

/// How a variable is found that is defined by cases.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// The conditions are about other variables, as where a value is calculated from them.
    Forward,
    /// The conditions may be about the variable itself: what it was, told from what has been made of it.
    Backward,
}

struct Planner<'a> {
    terms: &'a Terms,
    plan: Plan,
    known: HashMap<TermId, Operand>,
    waiting: Waiting,
    inputs: HashSet<TermId>,
}

impl Plan {
    /// The plan of a rule. With `inputs`, these variables are read in this order; without, every variable that no equation
    /// determines is.
    pub fn new(terms: &Terms, rule: &Rule, inputs: Option<&[TermId]>) -> Plan {
        let mut planner = Planner {
            terms,
            plan: Plan {
                instructions: Vec::new(),
                constants: Vec::new(),
                slots: 0,
                body: None,
                variables: Vec::new(),
                obstacle: None,
            },
            known: HashMap::new(),
            waiting: Waiting::default(),
            inputs: inputs.unwrap_or_default().iter().copied().collect(),
        };
        planner.fill(rule, inputs);
        planner.plan
    }
}

impl Planner<'_> {
    fn fill(&mut self, rule: &Rule, inputs: Option<&[TermId]>) {
        let mut roots = rule.head.arguments.clone();
        roots.extend_from_slice(&rule.constraint);
        roots.extend(rule.body.iter().flat_map(|atom| &atom.arguments));
        let variables = self.terms.variables_of_all(&roots);
        let equations = self.head(rule);
        let formulas = rule
            .constraint
            .iter()
            .flat_map(|formula| self.terms.conjuncts(*formula))
            .map(|left| Condition { left, argument: None });
        let conditions: Vec<Condition> = equations.into_iter().chain(formulas).collect();
        for condition in conditions {
            let known = &self.known;
            self.waiting
                .add(self.terms, condition, &|variable| known.contains_key(&variable));
        }
        self.settle();
        for variable in inputs.unwrap_or_default() {
            self.read(*variable, true);
            self.settle();
        }
        self.settle_backward();
        for variable in &variables {
            if !self.known.contains_key(variable) {
                self.read(*variable, inputs.is_none());
                self.settle_backward();
            }
        }
        match &rule.body[..] {
            [] => {}
            [atom] => {
                let arguments = atom.arguments.iter().map(|argument| self.compute(*argument)).collect();
                self.plan.body = Some((atom.predicate, arguments));
            }
            _ => self.plan.obstacle = Some("it has several body atoms".to_string()),
        }
        let known = &self.known;
        self.plan.variables = variables.iter().filter_map(|v| Some((*v, *known.get(v)?))).collect();
    }

    /// Takes the head's arguments that are variables for known; the others are equations.
    fn head(&mut self, rule: &Rule) -> Vec<Condition> {
        let mut equations = Vec::new();
        for (position, argument) in rule.head.arguments.iter().enumerate() {
            if self.terms.is_variable(*argument) && !self.known.contains_key(argument) {
                self.known.insert(*argument, Operand::Argument(position));
            } else {
                equations.push(Condition {
                    left: *argument,
                    argument: Some(position),
                });
            }
        }
        equations
    }

    fn read(&mut self, variable: TermId, is_input: bool) {
        let slot = self.slot();
        self.plan.instructions.push(match is_input {
            true => Instruction::Input(slot, variable),
            false => Instruction::Unnamed(slot, variable),
        });
        self.inputs.remove(&variable);
        self.learn(variable, Operand::Slot(slot));
    }

    /// This is where the variable is found.
    fn learn(&mut self, variable: TermId, operand: Operand) {
        self.known.insert(variable, operand);
        self.waiting.learn(variable);
    }

    /// As [`Planner::settle`], with what can only be solved backward when nothing else can: two cases may hold then.
    fn settle_backward(&mut self) {
        self.settle();
        while let Some((position, condition, unknown)) = self.waiting.next_unsolved() {
            if self.solve(condition, unknown, Direction::Backward) {
                self.waiting.finish(position);
                self.settle();
            }
        }
    }

    /// Checks and solves whatever the variables known so far suffice for.
    fn settle(&mut self) {
        let mut from = 0;
        while let Some((position, condition, ready)) = self.waiting.next(from) {
            from = position + 1;
            let is_done = match ready {
                Ready::Check => {
                    self.check(condition);
                    true
                }
                // A variable that is an input must be read: the equation is then a condition on what was read.
                Ready::Solve(unknown) => {
                    !self.inputs.contains(&unknown) && self.solve(condition, unknown, Direction::Forward)
                }
            };
            match is_done {
                true => self.waiting.finish(position),
                false => self.waiting.set_aside(position),
            }
        }
    }

    fn check(&mut self, condition: Condition) {
        let left = self.compute(condition.left);
        let formula = match condition.argument {
            None => left,
            Some(position) => self.push(Operation::Equal, vec![left, Operand::Argument(position)]),
        };
        self.plan.instructions.push(Instruction::Check(formula));
    }

    /// Solves an equation, or a choice of equations, for its only unknown variable, if that can be done.
    fn solve(&mut self, condition: Condition, unknown: TermId, direction: Direction) -> bool {
        let terms = self.terms;
        let value = match condition.argument {
            Some(_) if !terms.sort(condition.left).is_numeric() => None,
            Some(position) => self.solve_linear(terms.linear_form(condition.left), Some(position), unknown),
            None if terms.operator(condition.left) == Operator::Or => {
                return self.solve_cases(condition.left, unknown, direction);
            }
            None => self.solution(condition.left, unknown),
        };
        let Some((value, is_exact)) = value else {
            return false;
        };
        if !is_exact {
            self.plan.instructions.push(Instruction::CheckInteger(value));
        }
        self.learn(unknown, value);
        true
    }

    /// A variable that is defined by cases: it gets the value of the first case that holds with it.
    fn solve_cases(&mut self, formula: TermId, unknown: TermId, direction: Direction) -> bool {
        let terms = self.terms;
        let mut equations = Vec::new();
        for case in terms.arguments(formula) {
            let conjuncts = terms.conjuncts(*case);
            // A case without a condition is a choice, which is for the caller to make.
            let equation = conjuncts
                .iter()
                .copied()
                .find(|conjunct| self.is_equation(*conjunct, unknown));
            let Some(equation) = equation.filter(|_| conjuncts.len() > 1) else {
                return false;
            };
            let mut others = conjuncts.iter().filter(|conjunct| **conjunct != equation);
            let is_backward = others.any(|conjunct| terms.variables(*conjunct).contains(&unknown));
            if is_backward && direction == Direction::Forward {
                return false;
            }
            equations.push((equation, conjuncts));
        }
        let mut cases = Vec::new();
        for (equation, conjuncts) in equations {
            let Some((value, _)) = self.solution(equation, unknown) else {
                return false;
            };
            // What is computed with this value must not be taken for what the variable will have.
            let mut others = conjuncts.iter().filter(|conjunct| **conjunct != equation);
            let before = others
                .any(|conjunct| terms.variables(*conjunct).contains(&unknown))
                .then(|| self.known.clone());
            self.known.insert(unknown, value);
            let others = conjuncts.into_iter().filter(|conjunct| *conjunct != equation);
            let mut conditions: Vec<Operand> = others.map(|conjunct| self.compute(conjunct)).collect();
            if let Some(before) = before {
                self.known = before;
            }
            self.known.remove(&unknown);
            let condition = match conditions.pop() {
                None => self.constant_cell(Cell::Bool(true)),
                Some(only) if conditions.is_empty() => only,
                Some(last) => {
                    conditions.push(last);
                    self.push(Operation::And, conditions)
                }
            };
            cases.push((condition, value));
        }
        let operands = cases.into_iter().flat_map(|(condition, value)| [condition, value]);
        let operands: Vec<Operand> = operands.collect();
        let value = self.push(Operation::Cases, operands.clone());
        self.plan.instructions.push(Instruction::FirstOf(unknown, operands));
        self.learn(unknown, value);
        // Perhaps not even the last case holds.
        let formula = self.compute(formula);
        self.plan.instructions.push(Instruction::Check(formula));
        true
    }

    /// Whether this determines the variable, by whole numbers only.
    fn is_equation(&self, formula: TermId, unknown: TermId) -> bool {
        let terms = self.terms;
        match (terms.operator(formula), terms.arguments(formula)) {
            (Operator::Variable(_), _) => formula == unknown,
            (Operator::Not, [inner]) => *inner == unknown,
            (Operator::Equal, [left, right]) => {
                let defines = |one: TermId, other: TermId| one == unknown && !terms.variables(other).contains(&unknown);
                let is_linear = || {
                    terms.linear_atom(formula).is_some_and(|atom| {
                        let elsewhere = atom.form.terms.iter();
                        atom.form.coefficient(unknown).abs().is_one()
                            && !elsewhere
                                .filter(|(term, _)| *term != unknown)
                                .any(|(term, _)| terms.variables(*term).contains(&unknown))
                    })
                };
                defines(*left, *right) || defines(*right, *left) || (terms.sort(*left).is_numeric() && is_linear())
            }
            _ => false,
        }
    }

    /// The value that an equation gives to its only unknown variable, and whether it is one of the variable's sort for
    /// certain.
    fn solution(&mut self, formula: TermId, unknown: TermId) -> Option<(Operand, bool)> {
        let terms = self.terms;
        let value = match (terms.operator(formula), terms.arguments(formula)) {
            (Operator::Variable(_), _) => TermId::TRUE,
            (Operator::Not, [inner]) if *inner == unknown => TermId::FALSE,
            (Operator::Equal, [left, right]) if *left == unknown && !terms.variables(*right).contains(&unknown) => {
                *right
            }
            (Operator::Equal, [left, right]) if *right == unknown && !terms.variables(*left).contains(&unknown) => {
                *left
            }
            (Operator::Equal, [left, _]) if terms.sort(*left).is_numeric() => {
                let atom = terms.linear_atom(formula)?;
                return self.solve_linear(atom.form, None, unknown);
            }
            _ => return None,
        };
        Some((self.compute(value), true))
    }

    /// Solves `form = argument` (`form = 0` without one) for a variable, if it occurs in one place only.
    fn solve_linear(&mut self, form: LinearForm, argument: Option<usize>, unknown: TermId) -> Option<(Operand, bool)> {
        let coefficient = form.coefficient(unknown);
        let elsewhere = form
            .terms
            .iter()
            .any(|(term, _)| *term != unknown && self.terms.variables(*term).contains(&unknown));
        if coefficient.is_zero() || elsewhere {
            return None;
        }
        // unknown = argument/c - constant/c - (each other term)·its coefficient/c
        let mut parts = Vec::new();
        if !form.constant.is_zero() {
            parts.push(self.constant(-&form.constant / &coefficient));
        }
        if let Some(position) = argument {
            parts.push(self.scaled(Operand::Argument(position), coefficient.recip()));
        }
        for (term, factor) in &form.terms {
            if *term != unknown {
                let operand = self.compute(*term);
                parts.push(self.scaled(operand, -factor / &coefficient));
            }
        }
        let value = match parts[..] {
            [] => self.constant(Rational::zero()),
            [only] => only,
            _ => self.push(Operation::Add, parts),
        };
        let is_exact = self.terms.sort(unknown) != SortId::INT || coefficient.abs().is_one();
        Some((value, is_exact))
    }

    fn scaled(&mut self, operand: Operand, factor: Rational) -> Operand {
        if factor.is_one() {
            return operand;
        }
        let factor = self.constant(factor);
        self.push(Operation::Multiply, vec![factor, operand])
    }

    fn slot(&mut self) -> usize {
        self.plan.slots += 1;
        self.plan.slots - 1
    }

    fn constant(&mut self, value: Rational) -> Operand {
        self.constant_cell(Cell::number(value))
    }

    fn constant_cell(&mut self, cell: Cell) -> Operand {
        self.plan.constants.push(cell);
        Operand::Constant(self.plan.constants.len() - 1)
    }

    fn push(&mut self, operation: Operation, operands: Vec<Operand>) -> Operand {
        let slot = self.slot();
        self.plan
            .instructions
            .push(Instruction::Compute(slot, operation, operands));
        Operand::Slot(slot)
    }

    /// Where the value of a term will be; all its variables are known.
    fn compute(&mut self, term: TermId) -> Operand {
        // On an explicit stack: terms may be nested as deeply as an input likes.
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if self.known.contains_key(&current) {
                stack.pop();
                continue;
            }
            let arguments = self.terms.arguments(current);
            let missing: Vec<TermId> = arguments
                .iter()
                .copied()
                .filter(|a| !self.known.contains_key(a))
                .collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let operands = arguments
                .iter()
                .filter_map(|argument| self.known.get(argument).copied())
                .collect();
            let operand = self.operate(current, operands);
            self.known.insert(current, operand);
            stack.pop();
        }
        // The loop has put it there.
        self.known.get(&term).copied().unwrap_or(Operand::Slot(0))
    }

    fn sort(&self, term: TermId) -> Sort {
        self.terms.sort_of_id(self.terms.sort(term))
    }

    fn first_width(&self, term: TermId) -> u32 {
        match self.terms.arguments(term).first().map(|first| self.sort(*first)) {
            Some(Sort::Word(width)) => width,
            _ => 0,
        }
    }

    fn operate(&mut self, term: TermId, operands: Vec<Operand>) -> Operand {
        let operation = match self.terms.operator(term) {
            Operator::True => return self.constant_cell(Cell::Bool(true)),
            Operator::False => return self.constant_cell(Cell::Bool(false)),
            Operator::Number(_) => {
                if let Some(float) = self.terms.float_constant(term) {
                    return self.constant_cell(Cell::Float(float));
                }
                let value = self.terms.number_value(term).cloned().unwrap_or_else(Rational::zero);
                return self.constant(value);
            }
            // Never asked for: all variables are known.
            Operator::Variable(_) => return self.constant_cell(Cell::Undefined),
            Operator::Add => Operation::Add,
            Operator::Multiply => Operation::Multiply,
            Operator::Divide => Operation::Divide,
            Operator::IntegerDivide => Operation::IntegerDivide,
            Operator::Modulo => Operation::Modulo,
            Operator::ToReal => Operation::Copy,
            Operator::ToInteger => Operation::Floor,
            Operator::IfThenElse => Operation::IfThenElse,
            Operator::Select => Operation::Select,
            Operator::Store => Operation::Store,
            Operator::ConstantArray => Operation::ConstantArray,
            Operator::Equal => Operation::Equal,
            Operator::LessOrEqual => Operation::LessOrEqual,
            Operator::Less => Operation::Less,
            Operator::Not => Operation::Not,
            Operator::And => Operation::And,
            Operator::Or => Operation::Or,
            Operator::Word(operator) => Operation::Word(operator, self.first_width(term), self.sort(term)),
            Operator::Float(operator) => {
                let first = self
                    .terms
                    .arguments(term)
                    .first()
                    .map_or(Sort::Bool, |first| self.sort(*first));
                Operation::Float(operator, first, self.sort(term))
            }
            // A run that needs their values is given up there.
            Operator::Construct(_)
            | Operator::Field(_)
            | Operator::IsMadeBy(_)
            | Operator::Measure(_)
            | Operator::Apply(_) => {
                return self.constant_cell(Cell::Undefined);
            }
        };
        self.push(operation, operands)
    }
}
