//! Terms as SMT-LIB 2 text, for any solver to read: exact, without recursion, and never larger than the terms are.
//!
//! Subterms that occur more than once are bound by `let`, so that the text grows with the number of terms and not with the
//! number of paths through them. All bindings that need the same number of others before them share one `let`, which
//! keeps the nesting as shallow as the terms allow.

use super::measures::measure_name;
use super::{Datatype, Float, FloatOperator, Operator, Rational, Sort, SortId, TermId, Terms, WordOperator};
use crate::graphs::groups;
use hashbrown::{HashMap, HashSet};
use num_traits::{One, Signed};

/// Words that SMT-LIB reserves; as symbols they must be quoted.
const RESERVED: [&str; 12] = [
    "_",
    "!",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "STRING",
];

/// Different names for variables, as close to their own names as SMT-LIB allows.
///
/// Names of variables need not be unique, and some would be taken for functions of a theory. A name that starts with a
/// capital letter (after underscores) cannot be one and is kept; `!` is appended to any other.
///
/// ```
/// # use clausal_rules as clausal;
/// use clausal::terms::{SmtlibNames, SortId, Terms};
/// let mut terms = Terms::new();
/// let [a, b, c] = ["X", "X", "div"].map(|name| terms.fresh_variable(name, SortId::INT));
/// let names = SmtlibNames::new(&terms, &[a, b, c]);
/// assert_eq!([names.get(a), names.get(b), names.get(c)], ["X", "X!2", "div!"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SmtlibNames {
    names: HashMap<TermId, String>,
}

impl SmtlibNames {
    /// A name for each of the variables; the first of several with one name keeps it.
    pub fn new(terms: &Terms, variables: &[TermId]) -> SmtlibNames {
        let mut names = HashMap::new();
        // Where datatypes are declared, their functions have their names, and so have those that are defined.
        let mut used: HashSet<String> = terms.datatype_names().into_iter().collect();
        used.extend(terms.functions().iter().map(|function| function.name.clone()));
        let mut next: HashMap<String, usize> = HashMap::new();
        for variable in variables {
            let base = harmless_name(terms.variable_name(*variable));
            let count = next.entry(base.clone()).or_insert(1);
            let mut name = base.clone();
            while !used.insert(name.clone()) {
                *count += 1;
                name = format!("{base}!{count}");
            }
            names.insert(*variable, name);
        }
        SmtlibNames { names }
    }

    /// The name of one of the variables; the empty string for any other term.
    pub fn get(&self, variable: TermId) -> &str {
        self.names.get(&variable).map_or("", String::as_str)
    }
}

/// A name that no theory uses and that can be quoted.
fn harmless_name(name: &str) -> String {
    let unquotable = |c: char| c == '|' || c == '\\' || c.is_control();
    let mut clean: String = name.chars().map(|c| if unquotable(c) { '_' } else { c }).collect();
    let capital = |c: char| c.is_ascii_uppercase();
    if !clean.trim_start_matches('_').starts_with(capital) && !clean.ends_with('!') {
        clean.push('!');
    }
    clean
}

/// A symbol as SMT-LIB writes it: between bars where its characters or a reserved word require it.
pub fn smtlib_symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_with_digit = name.starts_with(|c: char| c.is_ascii_digit());
    if !name.is_empty() && name.chars().all(simple) && !starts_with_digit && !RESERVED.contains(&name) {
        name.to_string()
    } else {
        format!("|{name}|")
    }
}

/// A part of the text of a term.
enum Piece {
    Text(String),
    Term(TermId),
}

impl Terms {
    /// A sort as SMT-LIB writes it.
    pub fn smtlib_sort(&self, sort: SortId) -> String {
        enum Part {
            Text(&'static str),
            Sort(SortId),
        }
        let mut text = String::new();
        let mut stack = vec![Part::Sort(sort)];
        while let Some(part) = stack.pop() {
            let sort = match part {
                Part::Text(part) => {
                    text.push_str(part);
                    continue;
                }
                Part::Sort(sort) => sort,
            };
            match self.sort_of_id(sort) {
                Sort::Int => text.push_str("Int"),
                Sort::Real => text.push_str("Real"),
                Sort::Bool => text.push_str("Bool"),
                Sort::Word(width) => text.push_str(&format!("(_ BitVec {width})")),
                Sort::Float(format) => {
                    let (exponent, significand) = (format.exponent_bits(), format.significand_bits());
                    text.push_str(&format!("(_ FloatingPoint {exponent} {significand})"));
                }
                Sort::Datatype(_) => {
                    let name = self.datatype(sort).map_or("", |datatype| &datatype.name);
                    text.push_str(&smtlib_symbol(name));
                }
                Sort::Array(index, element) => {
                    text.push_str("(Array ");
                    stack.extend([Part::Text(")"), Part::Sort(element), Part::Text(" "), Part::Sort(index)]);
                }
            }
        }
        text
    }

    /// The declarations of all datatypes as SMT-LIB writes them, those first that others need; a line each.
    pub fn smtlib_datatypes(&self) -> String {
        let mut text = String::new();
        for together in self.datatypes_made_of_each_other() {
            let (mut names, mut bodies) = (Vec::new(), Vec::new());
            for datatype in together {
                names.push(format!("({} 0)", smtlib_symbol(&datatype.name)));
                let mut constructors = Vec::new();
                for id in &datatype.constructors {
                    let constructor = self.constructor(*id);
                    let fields = constructor.fields.iter().map(|field| {
                        let field = self.field(*field);
                        format!(" ({} {})", smtlib_symbol(&field.name), self.smtlib_sort(field.sort))
                    });
                    constructors.push(format!(
                        "({}{})",
                        smtlib_symbol(&constructor.name),
                        fields.collect::<String>()
                    ));
                }
                bodies.push(format!("({})", constructors.join(" ")));
            }
            text.push_str(&format!(
                "(declare-datatypes ({}) ({}))\n",
                names.join(" "),
                bodies.join(" ")
            ));
        }
        text
    }

    /// The datatypes in groups of those that are made of each other, each after those that it is made of, otherwise in their order.
    fn datatypes_made_of_each_other(&self) -> Vec<Vec<&Datatype>> {
        let datatypes = self.datatypes();
        let places = datatypes.iter().enumerate().map(|(place, one)| (one.sort, place));
        let places: HashMap<SortId, usize> = places.collect();
        let needs = |datatype: &Datatype| {
            let fields = datatype
                .constructors
                .iter()
                .flat_map(|id| &self.constructor(*id).fields);
            let mut stack: Vec<SortId> = fields.map(|field| self.field(*field).sort).collect();
            let mut needs = Vec::new();
            while let Some(sort) = stack.pop() {
                match self.sort_of_id(sort) {
                    Sort::Array(index, element) => stack.extend([index, element]),
                    _ => needs.extend(places.get(&sort).copied()),
                }
            }
            needs
        };
        let group = |nodes: Vec<usize>| nodes.into_iter().filter_map(|node| datatypes.get(node)).collect();
        let needs: Vec<Vec<usize>> = datatypes.iter().map(needs).collect();
        groups(&needs).into_iter().map(group).collect()
    }

    /// The names of all datatypes, constructors and fields.
    pub fn datatype_names(&self) -> Vec<String> {
        let datatypes = self.datatypes().iter().map(|datatype| &datatype.name);
        let constructors = self.constructors().iter().map(|constructor| &constructor.name);
        let fields = self.fields().iter().map(|field| &field.name);
        datatypes.chain(constructors).chain(fields).cloned().collect()
    }

    /// A term as SMT-LIB writes it. `name_of` names the variables, each differently; symbols are quoted here.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::terms::{SortId, Terms};
    /// let mut terms = Terms::new();
    /// let x = terms.fresh_variable("X", SortId::INT);
    /// let bound = terms.integer(-3);
    /// let formula = terms.less_or_equal(bound, x);
    /// let text = terms.smtlib(formula, &|variable| terms.variable_name(variable).to_string());
    /// assert_eq!(text, "(>= X (- 3))");
    /// ```
    pub fn smtlib(&self, term: TermId, name_of: &dyn Fn(TermId) -> String) -> String {
        let layers = self.shared_layers(term);
        let mut bound: HashMap<TermId, String> = HashMap::new();
        let mut text = String::new();
        if !layers.is_empty() {
            let prefix = self.unused_prefix(term, name_of);
            for shared in layers.iter().flatten() {
                let name = format!("{prefix}{}", bound.len() + 1);
                bound.insert(*shared, name);
            }
        }
        for layer in &layers {
            text.push_str("(let (");
            for (position, shared) in layer.iter().enumerate() {
                let space = if position == 0 { "(" } else { " (" };
                text.push_str(space);
                text.push_str(bound.get(shared).map_or("", String::as_str));
                text.push(' ');
                self.write_smtlib(&mut text, *shared, &bound, name_of);
                text.push(')');
            }
            text.push_str(") ");
        }
        self.write_smtlib(&mut text, term, &bound, name_of);
        text.extend(layers.iter().map(|_| ')'));
        text
    }

    /// Writes a term, the shared terms inside it by their names.
    fn write_smtlib(
        &self,
        text: &mut String,
        term: TermId,
        bound: &HashMap<TermId, String>,
        name_of: &dyn Fn(TermId) -> String,
    ) {
        let mut stack = self.smtlib_pieces(term, name_of);
        stack.reverse();
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(piece) => text.push_str(&piece),
                Piece::Term(inner) => match bound.get(&inner) {
                    Some(name) => text.push_str(name),
                    None => stack.extend(self.smtlib_pieces(inner, name_of).into_iter().rev()),
                },
            }
        }
    }

    /// The terms inside `term` that the text would repeat, by how many `let`s must come before them.
    fn shared_layers(&self, term: TermId) -> Vec<Vec<TermId>> {
        let mut uses: HashMap<TermId, usize> = HashMap::new();
        let mut inside = vec![term];
        let mut stack = vec![term];
        while let Some(current) = stack.pop() {
            for part in self.written_parts(current) {
                let count = uses.entry(part).or_insert(0);
                *count += 1;
                if *count == 1 {
                    inside.push(part);
                    stack.push(part);
                }
            }
        }
        // A part's id is smaller than that of the term around it, so ascending order visits parts first.
        inside.sort();
        let mut depth: HashMap<TermId, usize> = HashMap::new();
        let mut layers: Vec<Vec<TermId>> = Vec::new();
        let is_shared =
            |part: TermId| uses.get(&part).is_some_and(|count| *count > 1) && !self.written_parts(part).is_empty();
        for current in inside {
            let below = |part: TermId| depth.get(&part).copied().unwrap_or(0) + usize::from(is_shared(part));
            let needed = self.written_parts(current).into_iter().map(below).max().unwrap_or(0);
            depth.insert(current, needed);
            if is_shared(current) {
                if layers.len() <= needed {
                    layers.resize(needed + 1, Vec::new());
                }
                layers[needed].push(current);
            }
        }
        layers
    }

    /// A prefix for names of shared terms that no variable's name starts with.
    fn unused_prefix(&self, term: TermId, name_of: &dyn Fn(TermId) -> String) -> String {
        let names: Vec<String> = self.variables(term).into_iter().map(name_of).collect();
        let mut prefix = "t!".to_string();
        while names.iter().any(|name| name.starts_with(&prefix)) {
            prefix.push('!');
        }
        prefix
    }

    /// `-x =< n` is written as `x >= -n`, which is what people expect to see: here are `x` and `-n`.
    fn lower_bound(&self, formula: TermId) -> Option<(TermId, Rational)> {
        if !matches!(self.operator(formula), Operator::LessOrEqual | Operator::Less) {
            return None;
        }
        let [left, right] = self.arguments(formula) else {
            return None;
        };
        let bound = self.number_value(*right)?;
        match (self.operator(*left), self.arguments(*left)) {
            (Operator::Multiply, [factor, x]) if (-self.number_value(*factor)?).is_one() => Some((*x, -bound)),
            _ => None,
        }
    }

    /// The terms that the text of `term` contains at its top level.
    fn written_parts(&self, term: TermId) -> Vec<TermId> {
        match self.lower_bound(term) {
            Some((x, _)) => vec![x],
            None => self.arguments(term).to_vec(),
        }
    }

    fn smtlib_pieces(&self, term: TermId, name_of: &dyn Fn(TermId) -> String) -> Vec<Piece> {
        if let Some((x, bound)) = self.lower_bound(term) {
            let strict = self.operator(term) == Operator::Less;
            let end = format!(" {})", smtlib_number(&bound, self.sort(x)));
            return vec![
                Piece::Text(if strict { "(> " } else { "(>= " }.to_string()),
                Piece::Term(x),
                Piece::Text(end),
            ];
        }
        let name = match self.operator(term) {
            Operator::True => "true",
            Operator::False => "false",
            Operator::Number(_) => {
                if let Some(float) = self.float_constant(term) {
                    return vec![Piece::Text(smtlib_float(float))];
                }
                let number = self.number_value(term).map(|value| match self.width(self.sort(term)) {
                    Some(width) => smtlib_word(value, width),
                    None => smtlib_number(value, self.sort(term)),
                });
                return vec![Piece::Text(number.unwrap_or_default())];
            }
            Operator::Variable(_) => return vec![Piece::Text(smtlib_symbol(&name_of(term)))],
            Operator::Add => "+",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::IntegerDivide => "div",
            Operator::Modulo => "mod",
            Operator::ToReal => "to_real",
            Operator::ToInteger => "to_int",
            Operator::IfThenElse => "ite",
            Operator::Select => "select",
            Operator::Store => "store",
            Operator::ConstantArray => &format!("(as const {})", self.smtlib_sort(self.sort(term))),
            Operator::Equal => "=",
            Operator::LessOrEqual => "<=",
            Operator::Less => "<",
            Operator::Not => "not",
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Construct(_)
            | Operator::Field(_)
            | Operator::IsMadeBy(_)
            | Operator::Measure(_)
            | Operator::Apply(_)
            | Operator::Word(_)
            | Operator::Float(_) => &smtlib_function(self, term, &smtlib_symbol).unwrap_or_default(),
        };
        let arguments = self.arguments(term);
        if arguments.is_empty() {
            return vec![Piece::Text(name.to_string())];
        }
        let mut pieces = vec![Piece::Text(format!("({name}"))];
        if let Operator::Float(operator) = self.operator(term)
            && let Some(rounding) = operator.rounding()
        {
            pieces.push(Piece::Text(format!(" {}", rounding.smtlib_name())));
        }
        for argument in arguments {
            pieces.push(Piece::Text(" ".to_string()));
            pieces.push(Piece::Term(*argument));
        }
        pieces.push(Piece::Text(")".to_string()));
        pieces
    }
}

/// The function of a datatype or of words at the root of a term; `None` for any other term.
pub fn smtlib_function(terms: &Terms, term: TermId, symbol: &dyn Fn(&str) -> String) -> Option<String> {
    Some(match terms.operator(term) {
        Operator::Construct(constructor) => symbol(&terms.constructor(constructor).name),
        Operator::Field(field) => symbol(&terms.field(field).name),
        Operator::Measure(measure) => {
            let sort = terms.arguments(term).first().map(|whole| terms.sort(*whole));
            let datatype = sort.and_then(|sort| terms.datatype(sort));
            symbol(&measure_name(measure, datatype.map_or("", |datatype| &datatype.name)))
        }
        Operator::Apply(id) => symbol(terms.functions().get(id.index()).map_or("", |function| &function.name)),
        Operator::IsMadeBy(constructor) => format!("(_ is {})", symbol(&terms.constructor(constructor).name)),
        Operator::Word(operator) => {
            let width = terms.width(terms.sort(term)).unwrap_or(0);
            match operator {
                WordOperator::Extract(low) => format!("(_ extract {} {low})", (low + width).saturating_sub(1)),
                WordOperator::SignExtend => {
                    let from = terms.arguments(term).first();
                    let from = from.and_then(|from| terms.width(terms.sort(*from))).unwrap_or(0);
                    format!("(_ sign_extend {})", width.saturating_sub(from))
                }
                WordOperator::OfInteger => format!("(_ int2bv {width})"),
                other => other.smtlib_name().to_string(),
            }
        }
        Operator::Float(operator) => {
            let name = operator.smtlib_name();
            let has_indices = name.contains("to_") && operator != FloatOperator::ToBits;
            match (has_indices, terms.sort_of_id(terms.sort(term))) {
                (true, Sort::Float(format)) => {
                    format!("(_ {name} {} {})", format.exponent_bits(), format.significand_bits())
                }
                (true, Sort::Word(width)) => format!("(_ {name} {width})"),
                _ => name.to_string(),
            }
        }
        _ => return None,
    })
}

/// A floating-point number as SMT-LIB writes it, by its bits: `(fp #b0 #x7f #b00000000000000000000000)`, `(_ NaN 8 24)`.
pub fn smtlib_float(value: Float) -> String {
    let format = value.format();
    let (exponent_bits, stored) = (format.exponent_bits(), format.significand_bits() - 1);
    if value.is_nan() || value.is_infinite() {
        let name = match (value.is_nan(), value.is_negative()) {
            (true, _) => "NaN",
            (false, true) => "-oo",
            (false, false) => "+oo",
        };
        return format!("(_ {name} {exponent_bits} {})", stored + 1);
    }
    let part = |low: u32, width: u32| {
        let bits = (value.bits() >> low) & ((1u128 << width) - 1);
        smtlib_word(&Rational::from_integer(bits.into()), width)
    };
    let (sign, exponent, fraction) = (
        part(stored + exponent_bits, 1),
        part(stored, exponent_bits),
        part(0, stored),
    );
    format!("(fp {sign} {exponent} {fraction})")
}

/// A word as SMT-LIB writes it: `#x0f` where the width is a multiple of four, `#b101` elsewhere.
pub fn smtlib_word(value: &Rational, width: u32) -> String {
    let value = value.to_integer();
    match width % 4 {
        0 => format!("#x{value:0>digits$x}", digits = (width / 4) as usize),
        _ => format!("#b{value:0>digits$b}", digits = width as usize),
    }
}

/// A number as SMT-LIB writes it: `3`, `(- 3)`, `1.0`, `(/ 1.0 3.0)`, `(- (/ 1.0 3.0))`.
pub fn smtlib_number(value: &Rational, sort: SortId) -> String {
    let magnitude = value.abs();
    let point = if sort == SortId::REAL { ".0" } else { "" };
    let unsigned = if magnitude.is_integer() {
        format!("{}{point}", magnitude.numer())
    } else {
        format!("(/ {}{point} {}{point})", magnitude.numer(), magnitude.denom())
    };
    if value.is_negative() {
        format!("(- {unsigned})")
    } else {
        unsigned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(terms: &Terms, term: TermId) -> String {
        terms.smtlib(term, &|variable| terms.variable_name(variable).to_string())
    }

    #[test]
    fn every_operator_has_its_text() {
        let mut terms = Terms::new();
        let [x, y] = ["X", "Y z"].map(|name| terms.fresh_variable(name, SortId::INT));
        let r = terms.fresh_variable("R", SortId::REAL);
        let b = terms.fresh_variable("B", SortId::BOOL);
        let sort = terms.array_sort(SortId::INT, SortId::REAL);
        let array = terms.fresh_variable("A", sort);
        let product = terms.multiply(x, y);
        let quotient = terms.integer_divide(product, y);
        let remainder = terms.modulo(quotient, x);
        let lifted = terms.to_real(remainder);
        let third = terms.real(Rational::new((-1).into(), 3.into()));
        let divided = terms.divide(third, r);
        let stored = terms.store(array, x, divided);
        let constant = terms.constant_array(sort, third);
        let chosen = terms.if_then_else(b, stored, constant);
        let element = terms.select(chosen, y);
        let compared = terms.less(lifted, element);
        let other = terms.not(b);
        let formula = terms.or(&[compared, other]);
        assert_eq!(
            plain(&terms, formula),
            "(or (< (+ (to_real (mod (div (* X |Y z|) |Y z|) X)) (* (- 1.0) (select (ite B (store A X \
             (/ (- (/ 1.0 3.0)) R)) ((as const (Array Int Real)) (- (/ 1.0 3.0)))) |Y z|))) 0.0) (not B))"
        );
    }

    #[test]
    fn shared_terms_are_written_once() {
        let mut terms = Terms::new();
        let x = terms.fresh_variable("t!7", SortId::INT);
        let y = terms.fresh_variable("Y", SortId::INT);
        let mut deep = x;
        for _ in 0..200 {
            let quotient = terms.integer_divide(deep, y);
            let remainder = terms.modulo(deep, y);
            deep = terms.add(quotient, remainder);
        }
        let text = plain(&terms, deep);
        assert!(text.len() < 20_000, "{}", text.len());
        assert!(text.contains("(let ((t!!1 ("));
        assert_eq!(text.matches('(').count(), text.matches(')').count());
    }

    #[test]
    fn deep_terms_do_not_overflow_the_stack() {
        let mut terms = Terms::new();
        let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
        let mut deep = x;
        for step in 0..50_000 {
            let bound = terms.integer(step);
            let condition = terms.less(x, bound);
            deep = terms.if_then_else(condition, deep, y);
        }
        assert!(plain(&terms, deep).ends_with("Y)"));
    }

    #[test]
    fn symbols_and_names_are_harmless() {
        assert_eq!(smtlib_symbol("let"), "|let|");
        assert_eq!(smtlib_symbol("7up"), "|7up|");
        assert_eq!(smtlib_symbol(""), "||");
        let mut terms = Terms::new();
        let variables = ["", "a|b\\", "_X", "X!2", "X", "X", "X"].map(|name| terms.fresh_variable(name, SortId::INT));
        let names = SmtlibNames::new(&terms, &variables);
        let got: Vec<&str> = variables.iter().map(|variable| names.get(*variable)).collect();
        assert_eq!(got, ["!", "a_b_!", "_X", "X!2", "X", "X!3", "X!4"]);
    }
}
