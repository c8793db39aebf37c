//! Makes a program on which gcc and the rules differ smaller: by lines, and by blocks with all that is in them.

/// A text that they still differ on, with fewer lines; so many texts are tried at most.
pub fn shrunk(text: &str, most_trials: usize, differs: &mut dyn FnMut(&str) -> bool) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let mut trials = 0;
    loop {
        let before = lines.len();
        let mut at = lines.len();
        while at > 0 && trials < most_trials {
            at -= 1;
            for shorter in without(&lines, at) {
                trials += 1;
                if differs(&shorter.join("\n")) {
                    lines = shorter;
                    at = at.min(lines.len());
                    break;
                }
            }
        }
        if lines.len() == before || trials >= most_trials {
            return lines.join("\n") + "\n";
        }
    }
}

/// The lines without the one at the position, with and without what is in its block.
fn without(lines: &[String], at: usize) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let indentation = |line: &String| line.len() - line.trim_start().len();
    if lines[at].ends_with('{') {
        let end = (at + 1..lines.len()).find(|end| indentation(&lines[*end]) <= indentation(&lines[at]));
        if let Some(end) = end {
            found.push([&lines[..at], &lines[end + 1..]].concat());
            found.push([&lines[..at], &lines[at + 1..end], &lines[end + 1..]].concat());
        }
    } else {
        found.push([&lines[..at], &lines[at + 1..]].concat());
    }
    found
}
