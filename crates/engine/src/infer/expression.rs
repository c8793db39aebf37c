//! Terms and formulas in C's notation over the names of parameters: what users write after `--term`, and documented
//! invariants to compare with.

use crate::terms::{TermId, Terms};
use num_bigint::BigInt;

/// Parentheses may be nested so deep.
const DEPTH: usize = 64;

/// The term that a text such as `n / m + 1` stands for, over the parameters by the given names. Division rounds as in C when both
/// sides are not negative.
///
/// # Errors
///
/// A sentence that says what is wrong with the text.
pub fn parse_term(terms: &mut Terms, parameters: &[TermId], names: &[String], text: &str) -> Result<TermId, String> {
    let mut parser = Parser::new(terms, parameters, names, text)?;
    let term = parser.sum(0)?;
    parser.end()?;
    Ok(term)
}

/// The formula that a text such as `x == q*y + r && r >= 0` stands for.
///
/// # Errors
///
/// A sentence that says what is wrong with the text.
pub fn parse_formula(terms: &mut Terms, parameters: &[TermId], names: &[String], text: &str) -> Result<TermId, String> {
    let mut parser = Parser::new(terms, parameters, names, text)?;
    let formula = parser.disjunction(0)?;
    parser.end()?;
    Ok(formula)
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Name(String),
    Number(BigInt),
    Sign(&'static str),
}

const SIGNS: [&str; 17] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "(", ")", "!", ",",
];

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |accept: fn(char) -> bool| rest.find(|c: char| !accept(c)).unwrap_or(rest.len());
        let length = if first.is_ascii_digit() {
            let length = word(|c| c.is_ascii_digit());
            found.push(Token::Number(
                rest[..length].parse().map_err(|_| "a number is expected".to_string())?,
            ));
            length
        } else if first.is_alphabetic() || first == '_' {
            let length = word(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '.');
            found.push(Token::Name(rest[..length].to_string()));
            length
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| format!("`{first}` has no meaning in a term"))?;
            found.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

struct Parser<'a> {
    terms: &'a mut Terms,
    parameters: &'a [TermId],
    names: &'a [String],
    tokens: Vec<Token>,
    position: usize,
}

impl<'a> Parser<'a> {
    fn new(
        terms: &'a mut Terms,
        parameters: &'a [TermId],
        names: &'a [String],
        text: &str,
    ) -> Result<Parser<'a>, String> {
        Ok(Parser {
            terms,
            parameters,
            names,
            tokens: tokens(text)?,
            position: 0,
        })
    }

    fn end(&self) -> Result<(), String> {
        match self.tokens.get(self.position) {
            None => Ok(()),
            Some(token) => Err(format!("nothing is expected where {} stands", spelt(token))),
        }
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = matches!(self.tokens.get(self.position), Some(Token::Sign(other)) if *other == sign);
        self.position += usize::from(found);
        found
    }

    fn disjunction(&mut self, depth: usize) -> Result<TermId, String> {
        let mut parts = vec![self.conjunction(depth)?];
        while self.accept("||") {
            parts.push(self.conjunction(depth)?);
        }
        Ok(self.terms.or(&parts))
    }

    fn conjunction(&mut self, depth: usize) -> Result<TermId, String> {
        let mut parts = vec![self.comparison(depth)?];
        while self.accept("&&") {
            parts.push(self.comparison(depth)?);
        }
        Ok(self.terms.and(&parts))
    }

    fn comparison(&mut self, depth: usize) -> Result<TermId, String> {
        if depth > DEPTH {
            return Err("the parentheses are nested too deeply".to_string());
        }
        if self.accept("!") {
            let formula = self.comparison(depth + 1)?;
            return Ok(self.terms.not(formula));
        }
        // A parenthesis may hold a formula or begin a term: the formula is tried first.
        let start = self.position;
        if self.accept("(") {
            if let Ok(formula) = self.disjunction(depth + 1)
                && self.accept(")")
            {
                return Ok(formula);
            }
            self.position = start;
        }
        let left = self.sum(depth)?;
        for sign in ["==", "!=", "<=", ">=", "<", ">"] {
            if self.accept(sign) {
                let right = self.sum(depth)?;
                let (left, right) = self.alike(left, right);
                return Ok(match sign {
                    "==" => self.terms.equal(left, right),
                    "!=" => self.terms.not_equal(left, right),
                    "<=" => self.terms.less_or_equal(left, right),
                    ">=" => self.terms.less_or_equal(right, left),
                    "<" => self.terms.less(left, right),
                    _ => self.terms.less(right, left),
                });
            }
        }
        Err("a comparison such as `==` or `<=` is expected".to_string())
    }

    fn sum(&mut self, depth: usize) -> Result<TermId, String> {
        let mut sum = self.product(depth)?;
        loop {
            let plus = self.accept("+");
            if !plus && !self.accept("-") {
                return Ok(sum);
            }
            let part = self.product(depth)?;
            let (left, right) = self.alike(sum, part);
            sum = if plus {
                self.terms.add(left, right)
            } else {
                self.terms.subtract(left, right)
            };
        }
    }

    fn product(&mut self, depth: usize) -> Result<TermId, String> {
        let mut product = self.factor(depth)?;
        loop {
            let sign = ["*", "/", "%"].into_iter().find(|sign| self.accept(sign));
            let Some(sign) = sign else {
                return Ok(product);
            };
            let factor = self.factor(depth)?;
            let (left, right) = self.alike(product, factor);
            let real = self.terms.sort(left) == crate::terms::SortId::REAL;
            product = match sign {
                "*" => self.terms.multiply(left, right),
                "/" if real => self.terms.divide(left, right),
                "/" => self.terms.integer_divide(left, right),
                _ if real => return Err("`%` is for integers".to_string()),
                _ => self.terms.modulo(left, right),
            };
        }
    }

    fn factor(&mut self, depth: usize) -> Result<TermId, String> {
        if depth > DEPTH {
            return Err("the parentheses are nested too deeply".to_string());
        }
        if self.accept("-") {
            let factor = self.factor(depth + 1)?;
            return Ok(self.terms.negate(factor));
        }
        if self.accept("(") {
            let term = self.sum(depth + 1)?;
            return match self.accept(")") {
                true => Ok(term),
                false => Err("`)` is missing".to_string()),
            };
        }
        let token = self.tokens.get(self.position).cloned();
        self.position += 1;
        match token {
            Some(Token::Number(value)) => Ok(self.terms.integer(value)),
            Some(Token::Name(name)) => {
                let named = self
                    .parameters
                    .iter()
                    .zip(self.names)
                    .find(|(_, other)| **other == name);
                let named = named.map(|(parameter, _)| *parameter);
                let named = named.filter(|parameter| self.terms.sort(*parameter).is_numeric());
                named.ok_or_else(|| format!("there is no number called `{name}` here"))
            }
            Some(token) => Err(format!("a number or a name is expected, not {}", spelt(&token))),
            None => Err("the text ends where a number or a name is expected".to_string()),
        }
    }

    /// Integers become real beside real numbers.
    fn alike(&mut self, left: TermId, right: TermId) -> (TermId, TermId) {
        if self.terms.sort(left) == self.terms.sort(right) {
            return (left, right);
        }
        (self.terms.to_real(left), self.terms.to_real(right))
    }
}

fn spelt(token: &Token) -> String {
    match token {
        Token::Name(name) => format!("`{name}`"),
        Token::Number(value) => format!("`{value}`"),
        Token::Sign(sign) => format!("`{sign}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::SortId;

    #[test]
    fn formulas_are_read() {
        let mut terms = Terms::new();
        let names = ["x", "y"].map(str::to_string);
        let parameters = ["x", "y"].map(|name| terms.fresh_variable(name, SortId::INT));
        let mut show = |text: &str| match parse_formula(&mut terms, &parameters, &names, text) {
            Ok(formula) => terms.display(formula).to_string(),
            Err(problem) => problem,
        };
        assert_eq!(show("x*x - (y + 1) == 0 && y >= -2"), "y = x*x - 1, y >= -2");
        assert_eq!(show("(x + 1)*2 < y"), show("2*x + 2 < y"));
        assert_eq!(show("(x < 1 || y < 1)"), "x =< 0 ; y =< 0");
        assert_eq!(show("x + z == 0"), "there is no number called `z` here");
        assert_eq!(show("x + "), "the text ends where a number or a name is expected");
        assert_eq!(show("x"), "a comparison such as `==` or `<=` is expected");
    }
}
