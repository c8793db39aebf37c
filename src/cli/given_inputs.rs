//! Inputs given on the command line or in a file, handed out by the names of variables.

use super::input::read_text;
use clausal::c::Translation;
use clausal::c::source_map::StepKind;
use clausal::execution::Request;
use clausal::source_level::Places;
use clausal::terms::{Float, Rational, SortId, TermId, Terms, Value};
use std::collections::HashMap;
use std::path::Path;

/// The values for each name, in order.
#[derive(Clone, Debug, Default)]
pub struct Given {
    values: HashMap<String, Vec<Rational>>,
}

impl Given {
    /// Adds what stands on the command line: `name=value:value`.
    pub fn add_arguments(&mut self, arguments: &[String]) -> Result<(), String> {
        arguments.iter().try_for_each(|argument| self.add(argument))
    }

    /// Adds the lines of a file.
    pub fn add_file(&mut self, path: &Path) -> Result<(), String> {
        let text = read_text(path)?;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let place = |problem: String| format!("{}:{}: {problem}", path.display(), number + 1);
                self.add(line).map_err(place)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        let Some((name, values)) = text.split_once('=') else {
            return Err(format!(
                "`{text}` is no input: write name=value, or name=value:value for several reads"
            ));
        };
        let mut parsed = Vec::new();
        for value in values.split([':', ' ', ',']).filter(|value| !value.trim().is_empty()) {
            let value = value.trim();
            let number = value.parse::<Rational>();
            parsed.push(
                number.map_err(|_| format!("`{value}` is not a number: it was to be a value for `{}`", name.trim()))?,
            );
        }
        if parsed.is_empty() {
            return Err(format!("there is no value for `{}`", name.trim()));
        }
        self.values.entry(name.trim().to_string()).or_default().extend(parsed);
        Ok(())
    }

    /// Adds a value behind those that a name has.
    pub fn push(&mut self, name: String, value: Rational) {
        self.values.entry(name).or_default().push(value);
    }

    /// The names in alphabetical order.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.values.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }
}

/// The names by which the inputs of rules may be called: those of variables, and of the functions that return them.
pub struct InputNames {
    names: HashMap<(usize, TermId), Vec<String>>,
}

impl InputNames {
    /// Those of rules: the names of their variables.
    pub fn of_rules() -> InputNames {
        InputNames { names: HashMap::new() }
    }

    /// Those of C: with and without the function that a variable belongs to, and the line (and column) where a call ends:
    /// `@12`, `@12:31`.
    pub fn of_c(translation: &Translation, places: &Places<'_>) -> InputNames {
        let mut names = HashMap::new();
        for (index, rule) in translation.map.rules.iter().enumerate() {
            for step in &rule.steps {
                let StepKind::Input {
                    variable,
                    source,
                    value,
                    ..
                } = &step.kind
                else {
                    continue;
                };
                // An inlined copy of a function has a number: `f::x#2`.
                let plain = variable.split('#').next().unwrap_or_default();
                let mut known = vec![variable.clone(), plain.to_string()];
                known.extend(plain.rsplit_once("::").map(|(_, name)| name.to_string()));
                known.dedup();
                if let clausal::c::program::UnknownSource::Call(function) = source {
                    known.push(function.clone());
                    let end = (step.place.span.end as usize).saturating_sub(1);
                    let line = places.at(end).line;
                    known.extend([format!("@{line}:{}", places.column(end)), format!("@{line}")]);
                }
                names.insert((index, *value), known);
            }
        }
        InputNames { names }
    }

    /// The name, of those that were given, that a request is for.
    fn find<'g>(&self, given: &'g Given, terms: &Terms, request: &Request) -> Option<&'g str> {
        let own = vec![terms.variable_name(request.variable).to_string()];
        let known = self
            .names
            .get(&(request.rule.index(), request.variable))
            .unwrap_or(&own);
        let mut known = known.iter();
        known.find_map(|name| given.values.get_key_value(name).map(|(name, _)| name.as_str()))
    }

    /// Whether an input goes by this name.
    pub fn has(&self, name: &str) -> bool {
        self.names.values().flatten().any(|known| known == name)
    }

    /// Every name that can be given, but for lines.
    pub fn all(&self) -> Vec<String> {
        let names = self.names.values().flatten().filter(|name| !name.starts_with('@'));
        let mut all: Vec<String> = names.cloned().collect();
        all.sort();
        all.dedup();
        all
    }
}

/// Hands out given values. All rules of a goal ask from the same position on, and only what the rule that is taken has asked
/// for is consumed; so what counts is which name was asked for last at each position.
pub struct Dealer<'g> {
    given: &'g Given,
    asked: Vec<Option<&'g str>>,
    positions: HashMap<&'g str, Vec<usize>>,
}

impl<'g> Dealer<'g> {
    /// A dealer at the beginning of a run.
    pub fn new(given: &'g Given) -> Dealer<'g> {
        Dealer {
            given,
            asked: Vec::new(),
            positions: HashMap::new(),
        }
    }

    /// The value for a request; zero for a name that no value is given for.
    pub fn answer(&mut self, names: &InputNames, terms: &Terms, request: &Request) -> Value {
        let sort = terms.sort(request.variable);
        let (Some(position), Some(name)) = (request.position, names.find(self.given, terms, request)) else {
            self.note(request.position, None);
            return terms.default_value(sort);
        };
        self.note(Some(position), Some(name));
        let count = self
            .positions
            .get(name)
            .map_or(0, |positions| positions.len().saturating_sub(1));
        let values = self.given.values.get(name).map_or(&[][..], Vec::as_slice);
        let Some(value) = values.get(count).or(values.last()) else {
            return terms.default_value(sort);
        };
        match sort {
            SortId::BOOL => Value::Bool(*value != Rational::default()),
            SortId::INT => Value::Number(value.floor()),
            SortId::REAL => Value::Number(value.clone()),
            _ => match terms.float_format(sort) {
                Some(format) => Value::Float(Float::nearest(format, value)),
                None => terms.default_value(sort),
            },
        }
    }

    /// At this position, and not yet behind it, somebody has asked for a name.
    fn note(&mut self, position: Option<usize>, name: Option<&'g str>) {
        let Some(position) = position else {
            return;
        };
        // What was asked for from here on was not consumed.
        for old in self.asked.drain(position.min(self.asked.len())..).flatten() {
            if let Some(positions) = self.positions.get_mut(old) {
                positions.pop();
            }
        }
        self.asked.resize(position, None);
        self.asked.push(name);
        if let Some(name) = name {
            self.positions.entry(name).or_default().push(position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_read_in_order_and_the_last_is_repeated() {
        let mut given = Given::default();
        assert_eq!(given.add_arguments(&["n=10".to_string(), "y=1:-2".to_string()]), Ok(()));
        assert_eq!(given.names(), ["n", "y"]);
        assert!(given.add("y").is_err() && given.add("y=").is_err() && given.add("y=a").is_err());
        let mut terms = Terms::new();
        let y = terms.fresh_variable("y", SortId::INT);
        let names = InputNames::of_rules();
        let mut dealer = Dealer::new(&given);
        let mut ask = |position: usize| {
            let request = Request {
                position: Some(position),
                rule: clausal::rules::RuleId::from_index(0),
                variable: y,
            };
            dealer.answer(&names, &terms, &request).to_string()
        };
        // Two rules ask for the same position; the second answer is that of the first.
        let answers: Vec<String> = [0, 0, 1, 2, 1].map(&mut ask).to_vec();
        assert_eq!(answers, ["1", "1", "-2", "-2", "-2"]);
    }
}
