//! The lexical level of SMT-LIB: parentheses, symbols, numbers, strings; blanks and comments vanish.

use logos::Logos;

/// A place in the source text, in bytes. Unlike a range it can be copied, and expressions carry one each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn range(self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}

/// The tokens of SMT-LIB 2.6.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0c]+")]
#[logos(skip(r";[^\n]*", allow_greedy = true))]
pub(super) enum Token {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[regex(r"[0-9]+", priority = 10)]
    Numeral,
    #[regex(r"[0-9]+\.[0-9]+", priority = 10)]
    Decimal,
    /// Digits that run into something else; without this rule `2x` would silently be two tokens.
    #[regex(r"[0-9]+[a-zA-Z~!@$%^&*_+=<>.?/\-][0-9a-zA-Z~!@$%^&*_+=<>.?/\-]*", priority = 2)]
    MalformedNumber,
    #[regex(r"#x[0-9a-fA-F]+|#b[01]+")]
    BitVector,
    #[regex(r#""([^"]|"")*""#)]
    String,
    #[regex(r"[a-zA-Z~!@$%^&*_+=<>.?/\-][0-9a-zA-Z~!@$%^&*_+=<>.?/\-]*", priority = 5)]
    Symbol,
    #[regex(r"\|[^|\\]*\|")]
    QuotedSymbol,
    #[regex(r":[0-9a-zA-Z~!@$%^&*_+=<>.?/\-]+")]
    Keyword,
}

/// Whether a name can be written without bars.
pub(super) fn is_simple_symbol(name: &str) -> bool {
    let mut lexer = Token::lexer(name);
    lexer.next() == Some(Ok(Token::Symbol)) && lexer.span() == (0..name.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(source: &str) -> Vec<Result<Token, ()>> {
        Token::lexer(source).collect()
    }

    #[test]
    fn every_kind_of_token_is_told_apart() {
        use Token::*;
        let source = "(a-1 |b c| 12 1.50 :key \"x\"\"y\" #x1F ; comment\n #b01 <= - 2x 1.2.3)";
        let expected = [
            Open,
            Symbol,
            QuotedSymbol,
            Numeral,
            Decimal,
            Keyword,
            String,
            BitVector,
            BitVector,
            Symbol,
            Symbol,
            MalformedNumber,
            MalformedNumber,
            Close,
        ];
        assert_eq!(tokens(source), expected.map(Ok));
    }

    #[test]
    fn what_is_no_token_is_an_error() {
        assert_eq!(tokens("{"), [Err(())]);
        assert_eq!(tokens("|open")[0], Err(()));
        assert_eq!(tokens("\"open")[0], Err(()));
    }

    #[test]
    fn simple_symbols() {
        assert!(is_simple_symbol("main@entry.1") && is_simple_symbol("<="));
        assert!(!is_simple_symbol("p(1)") && !is_simple_symbol("1a") && !is_simple_symbol(""));
    }
}
