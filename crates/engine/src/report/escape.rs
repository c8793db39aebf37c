//! Escaping for the notations that reports are written in. Names and formulas come from inputs, so none is trusted.

/// Text for XML and HTML, inside elements and quoted attributes. Characters that XML 1.0 does not allow are replaced.
pub(crate) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(character),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Text for a double-quoted string of Graphviz; a line break becomes one that aligns to the left.
pub(super) fn dot(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\l"),
            '\u{0}'..='\u{1f}' => escaped.push('\u{fffd}'),
            // Graphviz decodes entities in labels.
            '&' => escaped.push_str("&amp;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// JSON for a script element: nothing in it can end the element or open a comment.
pub(super) fn json_in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out() {
        assert_eq!(xml("a<b & \"c\"\u{1}'"), "a&lt;b &amp; &quot;c&quot;\u{fffd}&#39;");
        assert_eq!(dot("x \\= \"y\"\n&lt;"), "x \\\\= \\\"y\\\"\\l&amp;lt;");
        assert_eq!(json_in_script("\"</script>\""), "\"\\u003c/script\\u003e\"");
    }
}
