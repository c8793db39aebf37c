//! Property tests of the CLP language: printing and reading are inverse to each other, and no text makes the reader panic.

use clausal::clp;
use clausal::rules::{Atom, PredicateId, Program, Rule};
use clausal::terms::{Operator, Rational, Sort, SortId, TermId, Terms};
use proptest::prelude::*;

/// Decisions, taken from a list of numbers that proptest can shrink; after its end everything is zero.
struct Choices {
    numbers: Vec<u16>,
    position: usize,
}

impl Choices {
    fn next(&mut self, count: usize) -> usize {
        let number = self.numbers.get(self.position).copied().unwrap_or(0);
        self.position += 1;
        usize::from(number) % count
    }
}

/// Builds random programs: many sorts, all operators, local variables.
struct Builder {
    choices: Choices,
    program: Program,
    sorts: Vec<SortId>,
    /// The variables of the current rule.
    variables: Vec<TermId>,
}

impl Builder {
    fn new(numbers: Vec<u16>) -> Builder {
        let mut program = Program::new();
        let terms = &mut program.terms;
        let integers = terms.array_sort(SortId::INT, SortId::INT);
        let booleans = terms.array_sort(SortId::REAL, SortId::BOOL);
        let nested = terms.array_sort(SortId::INT, integers);
        let list = terms.declare_datatypes(&["list(int)"])[0];
        terms.add_constructor(list, "nil(int)", &[]);
        terms.add_constructor(list, "cons(int)", &[("head(int)", SortId::INT), ("tail(int)", list)]);
        terms.mark_as_list(list);
        let colour = terms.declare_datatypes(&["a Colour"])[0];
        terms.add_constructor(colour, "red", &[]);
        terms.add_constructor(colour, "min", &[]);
        terms.add_constructor(colour, "it's", &[]);
        let tree = terms.declare_datatypes(&["Tree"])[0];
        terms.add_constructor(tree, "Leaf", &[]);
        let fields = [
            ("left", tree),
            ("Flag", SortId::BOOL),
            ("numbers", list),
            ("max", colour),
        ];
        terms.add_constructor(tree, "node", &fields);
        let by_colour = terms.array_sort(colour, tree);
        let by_truth = terms.array_sort(SortId::BOOL, SortId::REAL);
        Builder {
            choices: Choices { numbers, position: 0 },
            program,
            sorts: vec![
                SortId::INT,
                SortId::INT,
                SortId::REAL,
                SortId::BOOL,
                integers,
                booleans,
                nested,
                list,
                colour,
                tree,
                by_colour,
                by_truth,
            ],
            variables: Vec::new(),
        }
    }

    fn build(mut self) -> Program {
        let names = ["p", "p", "q", "strange name", "min", "Q'\\"];
        let count = 1 + self.choices.next(5);
        for (index, name) in names.into_iter().enumerate().take(count) {
            // Distinct names, or distinct points of one name.
            let point = (index < 2).then(|| index.to_string());
            let mut parameters = Vec::new();
            for _ in 0..self.choices.next(4) {
                parameters.push(("X", self.any_sort()));
            }
            if index == 1 {
                let first = PredicateId::from_index(2);
                let arity = self.program.predicate(first).parameters.len();
                parameters.resize(arity, ("X", SortId::INT));
            }
            self.program.add_predicate(name, point.as_deref(), &parameters);
        }
        let count = 1 + self.choices.next(6);
        for index in 0..count {
            self.variables.clear();
            let head = match index {
                0 => PredicateId::QUERY,
                _ => self.predicate(),
            };
            let head = self.atom(head);
            let constraint = (0..self.choices.next(4)).map(|_| self.term(SortId::BOOL, 4)).collect();
            let body = match (index, self.choices.next(4)) {
                (0, _) | (_, 0 | 1) => {
                    let goal = self.predicate();
                    vec![self.atom(goal)]
                }
                (_, 2) => vec![self.atom(PredicateId::ERROR)],
                _ => Vec::new(),
            };
            self.program.add_rule(Rule {
                head,
                constraint,
                body,
                location: None,
            });
        }
        self.program
    }

    fn any_sort(&mut self) -> SortId {
        self.sorts[self.choices.next(self.sorts.len())]
    }

    fn predicate(&mut self) -> PredicateId {
        PredicateId::from_index(2 + self.choices.next(self.program.predicates().len() - 2))
    }

    fn atom(&mut self, predicate: PredicateId) -> Atom {
        let parameters = self.program.predicate(predicate).parameters.clone();
        let sorts: Vec<SortId> = parameters
            .iter()
            .map(|parameter| self.program.terms.sort(*parameter))
            .collect();
        let arguments = sorts.into_iter().map(|sort| self.term(sort, 2)).collect();
        Atom { predicate, arguments }
    }

    fn variable(&mut self, sort: SortId) -> TermId {
        let terms = &mut self.program.terms;
        let known: Vec<TermId> = self
            .variables
            .iter()
            .copied()
            .filter(|known| terms.sort(*known) == sort)
            .collect();
        let choice = self.choices.next(3);
        if let Some(variable) = known.get(choice) {
            return *variable;
        }
        let letter = ["X", "Y", "_Z"][choice];
        let variable = terms.fresh_variable(&format!("{letter}{}", self.variables.len()), sort);
        self.variables.push(variable);
        variable
    }

    fn number(&mut self) -> i64 {
        let digits = self.choices.next(12) as i64;
        [digits, -digits, digits * 1_000_003, 1][self.choices.next(4)]
    }

    fn term(&mut self, sort: SortId, depth: usize) -> TermId {
        if depth == 0 || self.choices.next(4) == 0 {
            return self.leaf(sort);
        }
        if self.choices.next(6) == 0 && sort != SortId::BOOL {
            let condition = self.term(SortId::BOOL, depth - 1);
            let (left, right) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
            return self.program.terms.if_then_else(condition, left, right);
        }
        match self.program.terms.sort_of_id(sort) {
            Sort::Int => self.integer(depth - 1),
            Sort::Real => self.real(depth - 1),
            Sort::Bool => self.formula(depth - 1),
            Sort::Array(index, element) => {
                if self.choices.next(3) == 0 {
                    let value = self.term(element, depth - 1);
                    return self.program.terms.constant_array(sort, value);
                }
                let array = self.term(sort, depth - 1);
                let (index, value) = (self.term(index, depth - 1), self.term(element, depth - 1));
                self.program.terms.store(array, index, value)
            }
            Sort::Datatype(_) => self.constructed(sort, depth - 1),
            // The language has no others.
            Sort::Word(_) | Sort::Float(_) => self.variable(sort),
        }
    }

    /// A constructed term, or the field of another one.
    fn constructed(&mut self, sort: SortId, depth: usize) -> TermId {
        if self.choices.next(4) == 0 {
            return self.field(sort, depth).unwrap_or_else(|| self.variable(sort));
        }
        let constructors = self
            .program
            .terms
            .datatype(sort)
            .expect("a datatype")
            .constructors
            .clone();
        let constructor = constructors[self.choices.next(constructors.len())];
        let fields = self.program.terms.constructor(constructor).fields.clone();
        let sorts: Vec<SortId> = fields
            .iter()
            .map(|field| self.program.terms.field(*field).sort)
            .collect();
        let arguments: Vec<TermId> = sorts.into_iter().map(|sort| self.term(sort, depth)).collect();
        self.program.terms.construct(constructor, &arguments)
    }

    fn field(&mut self, sort: SortId, depth: usize) -> Option<TermId> {
        let terms = &self.program.terms;
        let datatypes = terms.datatypes().iter();
        let fields = datatypes
            .flat_map(|one| &one.constructors)
            .flat_map(|id| &terms.constructor(*id).fields);
        let field = *fields.into_iter().find(|field| terms.field(**field).sort == sort)?;
        let whole = terms.constructed_sort(terms.field(field).constructor);
        let whole = self.term(whole, depth);
        Some(self.program.terms.field_of(field, whole))
    }

    fn question(&mut self, depth: usize) -> TermId {
        let datatypes = self.program.terms.datatypes();
        let (sort, constructors) = {
            let chosen = &datatypes[self.choices.next(datatypes.len())];
            (chosen.sort, chosen.constructors.clone())
        };
        let constructor = constructors[self.choices.next(constructors.len())];
        let whole = self.term(sort, depth);
        self.program.terms.is_made_by(constructor, whole)
    }

    fn leaf(&mut self, sort: SortId) -> TermId {
        if self.choices.next(3) > 0 {
            return self.variable(sort);
        }
        let number = self.number();
        let terms = &mut self.program.terms;
        match terms.sort_of_id(sort) {
            Sort::Int => terms.integer(number),
            Sort::Real => {
                let denominator = [1, 2, 3, 40][self.choices.next(4)];
                terms.real(Rational::new(number.into(), denominator.into()))
            }
            Sort::Bool => terms.boolean(number > 3),
            Sort::Array(..) | Sort::Word(_) | Sort::Float(_) | Sort::Datatype(_) => self.variable(sort),
        }
    }

    fn element(&mut self, sort: SortId, depth: usize) -> Option<TermId> {
        let position = self.sorts.iter().position(
            |candidate| matches!(self.program.terms.sort_of_id(*candidate), Sort::Array(_, element) if element == sort),
        )?;
        let array_sort = self.sorts[position];
        let Sort::Array(index, _) = self.program.terms.sort_of_id(array_sort) else {
            return None;
        };
        let array = self.term(array_sort, depth);
        let index = self.term(index, depth);
        Some(self.program.terms.select(array, index))
    }

    fn integer(&mut self, depth: usize) -> TermId {
        let choice = self.choices.next(9);
        if choice == 7 {
            let real = self.term(SortId::REAL, depth);
            return self.program.terms.to_integer(real);
        }
        if choice == 8 {
            return self.element(SortId::INT, depth).unwrap_or(TermId::TRUE);
        }
        let (a, b) = (self.term(SortId::INT, depth), self.term(SortId::INT, depth));
        let terms = &mut self.program.terms;
        match choice {
            0 => terms.add(a, b),
            1 => terms.subtract(a, b),
            2 => terms.multiply(a, b),
            3 => terms.integer_divide(a, b),
            4 => terms.modulo(a, b),
            5 => terms.minimum(a, b),
            _ => terms.absolute(a),
        }
    }

    fn real(&mut self, depth: usize) -> TermId {
        let choice = self.choices.next(5);
        if choice == 4 {
            let integer = self.term(SortId::INT, depth);
            return self.program.terms.to_real(integer);
        }
        let (a, b) = (self.term(SortId::REAL, depth), self.term(SortId::REAL, depth));
        let terms = &mut self.program.terms;
        match choice {
            0 => terms.add(a, b),
            1 => terms.multiply(a, b),
            2 => terms.divide(a, b),
            _ => terms.negate(a),
        }
    }

    fn formula(&mut self, depth: usize) -> TermId {
        let choice = self.choices.next(10);
        match choice {
            8 => self.question(depth),
            9 => self.field(SortId::BOOL, depth).unwrap_or(TermId::TRUE),
            0..=2 => {
                let sort = [SortId::INT, SortId::REAL][self.choices.next(2)];
                let (a, b) = (self.term(sort, depth), self.term(sort, depth));
                match choice {
                    0 => self.program.terms.less(a, b),
                    1 => self.program.terms.less_or_equal(a, b),
                    _ => self.program.terms.equal(a, b),
                }
            }
            3 => {
                let sort = self.any_sort();
                let (a, b) = (self.term(sort, depth), self.term(sort, depth));
                self.program.terms.equal(a, b)
            }
            4 => {
                let formula = self.term(SortId::BOOL, depth);
                self.program.terms.not(formula)
            }
            5 => self.element(SortId::BOOL, depth).unwrap_or(TermId::TRUE),
            _ => {
                let parts = [
                    self.term(SortId::BOOL, depth),
                    self.term(SortId::BOOL, depth),
                    self.term(SortId::BOOL, depth),
                ];
                match choice {
                    6 => self.program.terms.and(&parts),
                    _ => self.program.terms.or(&parts),
                }
            }
        }
    }
}

/// A term as a text that shows its structure, whatever the ids are: operands that may be swapped are sorted, and so are the
/// two ways to write the sign of an equality.
fn structure(terms: &Terms, term: TermId) -> String {
    let parts =
        |arguments: &[TermId]| -> Vec<String> { arguments.iter().map(|part| structure(terms, *part)).collect() };
    let arguments = terms.arguments(term);
    let name = match terms.operator(term) {
        Operator::Variable(_) => return format!("{}:{}", terms.variable_name(term), sort(terms, terms.sort(term))),
        Operator::Number(_) => {
            return format!("{:?}:{}", terms.number_value(term), sort(terms, terms.sort(term)));
        }
        Operator::Equal if terms.sort(arguments[0]).is_numeric() => {
            let form = terms.linear_atom(term).expect("an arithmetic equality").form;
            let side = |sign: i64| {
                let sign = Rational::from_integer(sign.into());
                let scaled = form.scaled(&sign);
                let mut parts: Vec<String> = scaled
                    .terms
                    .iter()
                    .map(|(atom, factor)| format!("{factor}*{}", structure(terms, *atom)))
                    .collect();
                parts.sort();
                format!("{} + {}", parts.join(" + "), scaled.constant)
            };
            return format!("zero({})", side(1).min(side(-1)));
        }
        Operator::ConstantArray => format!("constant:{}", sort(terms, terms.sort(term))),
        Operator::Construct(id) => format!("{}:{}", terms.constructor(id).name, sort(terms, terms.sort(term))),
        Operator::Field(id) => format!("field {}", terms.field(id).name),
        Operator::IsMadeBy(id) => format!("is {}", terms.constructor(id).name),
        operator => format!("{operator:?}"),
    };
    let mut parts = parts(arguments);
    if matches!(
        terms.operator(term),
        Operator::Add | Operator::Multiply | Operator::Equal | Operator::And | Operator::Or
    ) {
        parts.sort();
    }
    format!("{name}({})", parts.join(", "))
}

fn sort(terms: &Terms, id: SortId) -> String {
    match terms.sort_of_id(id) {
        Sort::Array(index, element) => format!("[{}]{}", sort(terms, index), sort(terms, element)),
        Sort::Datatype(_) => terms
            .datatype(id)
            .map_or(String::new(), |datatype| datatype.name.clone()),
        basic => format!("{basic:?}"),
    }
}

fn atom_structure(program: &Program, atom: &Atom) -> String {
    let predicate = program.predicate(atom.predicate);
    let sorts: Vec<String> = predicate
        .parameters
        .iter()
        .map(|one| sort(&program.terms, program.terms.sort(*one)))
        .collect();
    let arguments: Vec<String> = atom
        .arguments
        .iter()
        .map(|one| structure(&program.terms, *one))
        .collect();
    format!("{:?} {:?} {sorts:?} {arguments:?}", predicate.name, predicate.point)
}

/// The rules as texts, one for each.
fn structures(program: &Program) -> Vec<String> {
    let rule = |rule: &Rule| {
        let mut conjuncts: Vec<String> = rule
            .constraint
            .iter()
            .flat_map(|formula| program.terms.conjuncts(*formula))
            .map(|formula| structure(&program.terms, formula))
            .collect();
        conjuncts.sort();
        let body: Vec<String> = rule.body.iter().map(|atom| atom_structure(program, atom)).collect();
        format!("{} :- {conjuncts:?} {body:?}", atom_structure(program, &rule.head))
    };
    program.rules().iter().map(rule).collect()
}

fn read(text: &str) -> Program {
    let reading = clp::read(text);
    let remarks = clausal::diagnostics::render(&reading.diagnostics, "printed.clp", text);
    reading
        .product
        .unwrap_or_else(|| panic!("cannot be read:\n{text}\n{remarks}"))
}

#[test]
fn the_recipes_reach_all_of_the_language() {
    let mut text = String::new();
    for seed in 0..200u16 {
        let mut state = u64::from(seed);
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 48) as u16
        };
        let numbers = (0..400).map(|_| next()).collect();
        text.push_str(&clp::print(&Builder::new(numbers).build()));
    }
    for expected in [
        ":- sort",
        "ite(",
        "store(",
        "constant(",
        " div ",
        " mod ",
        "\\+ ",
        "\\= ",
        " / ",
        "real(",
        "[",
        "'",
    ] {
        assert!(text.contains(expected), "no {expected} in any program");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn printing_and_reading_are_inverse(numbers in prop::collection::vec(any::<u16>(), 0..400)) {
        let program = Builder::new(numbers).build();
        let text = clp::print(&program);
        let again = read(&text);
        prop_assert_eq!(structures(&program), structures(&again), "{}", text);
        prop_assert_eq!(clp::print(&again), text);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}") {
        clp::read(&text);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        clp::read(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_tokens_make_the_reader_panic(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..60)) {
        let text = tokens.join(" ");
        let reading = clp::read(&text);
        // What can be read can be printed, and read again.
        if let Some(program) = reading.product {
            read(&clp::print(&program));
        } else {
            prop_assert!(!reading.diagnostics.is_empty());
        }
        clausal::diagnostics::render(&reading.diagnostics, "soup.clp", &text);
    }

    #[test]
    fn broken_programs_do_not_make_the_reader_panic(
        numbers in prop::collection::vec(any::<u16>(), 0..300), from in any::<u16>(), length in 0usize..8
    ) {
        let mut text: Vec<char> = clp::print(&Builder::new(numbers).build()).chars().collect();
        let start = usize::from(from) % (text.len() + 1);
        let end = (start + length).min(text.len());
        text.drain(start..end);
        clp::read(&text.into_iter().collect::<String>());
    }
}

const TOKENS: &[&str] = &[
    "p", "q", "p(X)", "q(1, X)", "error", "true", "false", "X", "Y", "_", "0", "1", "2.5", "(", ")", "[", "]", ",",
    ";", ".", ".", ".", ":-", ":-", "?-", "?-", "=", "\\=", "<", "=<", ">", ">=", "+", "-", "*", "/", "div", "mod",
    "\\+", "min", "ite", "select", "store", "constant", "sort", "int", "real", "array", "'a b'", "'", "/*", "*/", "%",
    "\n", "<=", "==",
];
