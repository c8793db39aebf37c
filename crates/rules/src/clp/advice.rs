//! What to write instead: advice for spellings that other languages have and this one does not.

/// What to say about a token that belongs to other languages.
pub(super) fn foreign(text: &str) -> &'static str {
    match text {
        "<=" | "≤" => "less or equal is written `=<`",
        "≥" => "greater or equal is written `>=`",
        "==" | "===" | "<=>" | "⇔" | "↔" => "equality is written `=`, between formulas too",
        "!=" | "<>" | "\\==" | "≠" => "`not equal` is written `\\=`",
        ":=" => "a rule relates old and new values, as in `p(X) :- X1 = X + 1, p(X1).`; equality is written `=`",
        "=>" | "==>" | "->" | "→" | "⇒" => {
            "an implication is written `(\\+ A ; B)`, a choice of values `ite(Condition, A, B)`"
        }
        "-->" => "grammar rules are not supported; a rule is written `head :- body.`",
        "&&" | "&" | "∧" => "a conjunction is written with `,`",
        "||" | "|" | "∨" => {
            "a disjunction is written with `;`; in a list, `|` stands once, before the rest: `[A, B | T]`"
        }
        "!" | "~" | "¬" => "negation is written `\\+`; there is no cut",
        "//" | "÷" => "integer division is written `div`, division of reals `/`",
        "**" | "^" => "there are no powers: write a product, as in `X*X`",
        "×" => "a product is written with `*`",
        "−" => "a minus is written `-`",
        ".." | "..." => "a range is written as two bounds: `X >= 1, X =< 10`",
        "?" => "a query begins with `?-`",
        ":" => "a rule is written `head :- body.`, a sort is declared by `:- sort p(int).`",
        "--->" => "a sort is declared by `:- type list ---> nil ; cons(int, list).`",
        "{" | "}" => "constraints need no braces",
        _ if text.starts_with('#') => {
            "of CLP(FD) there are `#=`, `#\\=`, `#<`, `#=<`, `#>` and `#>=`; formulas are joined by `,`, `;`, `\\+` and `=`"
        }
        _ if text.starts_with('"') => "there are no strings; encode them as integers",
        _ => "nothing is written with it here",
    }
}

/// What to say about a word that stands where an operator might.
pub(super) fn word(text: &str) -> Option<&'static str> {
    Some(match text {
        "rem" => "there is no `rem`: `mod` is the remainder of `div`, and never negative",
        "in" => "a range is written as two bounds: `X >= 1, X =< 10`",
        "and" => "a conjunction is written with `,`",
        "or" => "a disjunction is written with `;`",
        "xor" => "between Booleans, write `A \\= B`",
        "if" => "a rule is written `head :- body.`",
        _ => return None,
    })
}

/// What to say about a function that does not exist.
pub(super) fn function(name: &str) -> Option<&'static str> {
    Some(match name {
        "not" => "negation is written `\\+`",
        "and" | "or" => "formulas are joined by `,` and `;`",
        "if" => "a choice of values is written `ite(Condition, A, B)`",
        "rem" => "there is no `rem`: `mod` is the remainder of `div`, and never negative",
        "int" | "integer" | "truncate" | "to_int" => "the largest integer not above a real is `floor(X)`",
        "to_real" | "float" => "an integer becomes a real by `real(X)`",
        "const" => "the array with one value everywhere is `constant(Value)`",
        "read" => "the element of an array is `select(A, I)` or `A[I]`",
        "write" | "update" => "an array with one element replaced is `store(A, I, Value)`",
        _ => return None,
    })
}

/// What to say about a sort that does not exist.
pub(super) fn sort(name: &str) -> &'static str {
    match name {
        "integer" | "num" | "number" | "nat" | "natural" => "did you mean `int`?",
        "float" | "double" | "rational" | "rat" => "did you mean `real`?",
        "boolean" | "logical" => "did you mean `bool`?",
        "vector" | "map" => "did you mean `array(int, int)`?",
        _ => {
            "the sorts are `int`, `real`, `bool`, `array(Index, Element)`, `list(Element)` and those that are declared, as in \
             `:- type colour ---> red ; green.`"
        }
    }
}

/// What to say about letters glued to a number.
pub(super) fn malformed_number(text: &str) -> &'static str {
    let lower = text.to_ascii_lowercase();
    if lower.starts_with("0x") || lower.starts_with("0b") || lower.starts_with("0o") {
        "numbers are decimal"
    } else if text.contains('_') {
        "write the digits without separators"
    } else if lower
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
        .starts_with('e')
    {
        "there are no exponents: write the digits out, or a fraction as in `1.0/1000.0`"
    } else {
        "a name cannot begin with a digit; put a space or an operator between a number and a name"
    }
}

/// What to say about a character that begins no token.
pub(super) fn character(character: char) -> &'static str {
    match character {
        '\u{feff}' => "remove the byte order mark",
        '\u{a0}' | '\u{2003}' | '\u{2009}' | '\u{3000}' => "this is a space that only looks like one: retype it",
        '‘' | '’' | '‚' => "use the straight quote `'`",
        '“' | '”' => "there are no strings; a name with strange characters is written 'like this'",
        _ if character.is_control() => "control characters are not part of the language: is this a text file?",
        _ if character.is_alphabetic() => {
            "names are of the letters a to z, digits and `_`; a predicate may be quoted: 'größe'"
        }
        _ => "remove it",
    }
}
