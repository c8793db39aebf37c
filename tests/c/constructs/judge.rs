//! Runs a program as gcc compiles it, asks the verifier about it, and compares.

use super::program::Check;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const HARNESS: &str = include_str!("harness.c");
/// How long a compiled program may run.
const RUN_SECONDS: u64 = 3;

/// What a run of the compiled program showed.
#[derive(PartialEq, Eq, Debug)]
pub struct Run {
    pub observed: Vec<(i64, i64)>,
    pub failed: bool,
}

/// What the verifier answered.
pub enum Answer {
    Safe,
    Unsafe,
    Unknown,
    /// With what it said.
    Refused(String),
    /// It crashed, or ran over its limit.
    Broken,
}

/// What became of a program.
pub enum Finding {
    /// All verdicts are right.
    Right,
    /// gcc refuses it, it crashes, or it is not defined what it does; with the reason.
    LeftOut(String),
    /// It is refused, or there is no verdict; with the reason.
    Undecided(String),
    /// A verdict is wrong.
    Wrong(Difference),
}

/// A wrong answer.
pub struct Difference {
    pub check: Check,
    /// Whether the compiled program reaches the error.
    pub failed: bool,
    pub said: String,
}

impl Difference {
    /// Whether it is an UNSAFE for some results of functions that have no body, which is as it should be.
    pub fn rests_on_unknown_results(&self) -> bool {
        !self.failed && self.said.contains("taken to return")
    }
}

/// A folder to work in, with the compiled harness.
pub struct Judge {
    folder: PathBuf,
    clausal: PathBuf,
    seconds: u64,
}

impl Judge {
    /// # Errors
    ///
    /// What gcc or the file system says.
    pub fn new(clausal: PathBuf, seconds: u64) -> Result<Judge, String> {
        // Several judges of one process must not share a folder.
        static JUDGES: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = JUDGES.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("clausal-constructs-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let judge = Judge {
            folder,
            clausal,
            seconds,
        };
        judge.write("harness.c", HARNESS)?;
        let (code, said) = judge.command("gcc", &["-w", "-c", "-o", "harness.o", "harness.c"], 60)?;
        match code {
            Some(0) => Ok(judge),
            _ => Err(said),
        }
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        std::fs::write(self.folder.join(name), text).map_err(|error| error.to_string())
    }

    /// The exit code and what was said. No code where it was cut off or ended by a signal.
    fn command(&self, program: &str, arguments: &[&str], seconds: u64) -> Result<(Option<i32>, String), String> {
        let said = self.folder.join("said");
        let file = std::fs::File::create(&said).map_err(|error| error.to_string())?;
        let errors = file.try_clone().map_err(|error| error.to_string())?;
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(errors)
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let until = Instant::now() + Duration::from_secs(seconds);
        let mut pause = Duration::from_millis(1);
        let code = loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                break status.code();
            }
            if Instant::now() > until {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        };
        let said = std::fs::read(&said).map_err(|error| error.to_string())?;
        Ok((code, String::from_utf8_lossy(&said).into_owned()))
    }

    /// What the program does, compiled with these options; nothing where gcc refuses it, or it ends in any other way.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn run(&self, text: &str, options: &[&str]) -> Result<Result<Run, String>, String> {
        let text = format!("extern void observe(int, long long);\n#define OBSERVE observe\n#line 1\n{text}");
        self.write("run.c", &text)?;
        let _ = std::fs::remove_file(self.folder.join("observed"));
        let mut arguments = vec!["-w", "-pipe", "-o", "run"];
        arguments.extend(options);
        arguments.extend(["run.c", "harness.o", "-lm"]);
        let (code, said) = self.command("gcc", &arguments, 60)?;
        if code != Some(0) {
            return Ok(Err(said));
        }
        let (code, said) = self.command("./run", &[], RUN_SECONDS)?;
        let failed = match code {
            Some(99) => true,
            Some(0) if !said.contains("runtime error:") && !said.contains("Sanitizer") => false,
            _ => return Ok(Err(format!("it ends with {code:?}"))),
        };
        let observed = std::fs::read_to_string(self.folder.join("observed")).unwrap_or_default();
        let pair = |line: &str| {
            let (place, value) = line.split_once(' ')?;
            Some((place.parse().ok()?, value.parse().ok()?))
        };
        let observed = observed.lines().filter_map(pair).collect();
        Ok(Ok(Run { observed, failed }))
    }

    /// Whether optimization and sanitizers leave the run as it is: if not, it is not defined what the program does.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn is_defined(&self, text: &str, run: &Run) -> Result<bool, String> {
        let sanitizers = ["-fsanitize=undefined,address", "-fno-sanitize-recover=all"];
        for options in [&["-O2"][..], &sanitizers] {
            if self.run(text, options)?.as_ref() != Ok(run) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the verifier says about a text.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn ask(&self, text: &str) -> Result<(Answer, String), String> {
        self.write("asked.c", text)?;
        let clausal = self.clausal.to_string_lossy();
        let seconds = self.seconds.to_string();
        let arguments = ["verify", "--timeout", &seconds, "asked.c"];
        let (code, said) = self.command(&clausal, &arguments, self.seconds + 20)?;
        let answer = match code {
            Some(0) => Answer::Safe,
            Some(10) => Answer::Unsafe,
            Some(20) => Answer::Unknown,
            Some(1 | 2) => Answer::Refused(reason(&said)),
            _ => Answer::Broken,
        };
        Ok((answer, said))
    }

    /// Compares the answer to one check with the run.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn examine(&self, text: &str, check: Check, failed: bool) -> Result<Result<Answer, Difference>, String> {
        let (answer, said) = self.ask(&check.text(text))?;
        let is_wrong = match answer {
            Answer::Safe => failed,
            Answer::Unsafe => !failed,
            Answer::Broken => true,
            Answer::Unknown | Answer::Refused(_) => false,
        };
        Ok(match is_wrong {
            true => Err(Difference { check, failed, said }),
            false => Ok(answer),
        })
    }

    /// Runs a program and asks about all that it shows.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn look(&self, text: &str) -> Result<Finding, String> {
        let run = match self.run(text, &["-O0"])? {
            Ok(run) => run,
            Err(why) => {
                let line = why.lines().find(|line| line.contains("error: ")).unwrap_or(&why);
                let message = line.split_once("error: ").map_or(line, |(_, message)| message);
                return Ok(Finding::LeftOut(message.trim().to_string()));
            }
        };
        let mut undecided = None;
        for (check, failed) in Check::all(text, &run.observed, run.failed) {
            match self.examine(text, check, failed)? {
                // What is broken is a difference.
                Ok(Answer::Safe | Answer::Unsafe | Answer::Broken) => {}
                Ok(Answer::Unknown) => undecided = Some("unknown".to_string()),
                Ok(Answer::Refused(why)) => undecided = Some(why),
                Err(_) if !self.is_defined(text, &run)? => {
                    return Ok(Finding::LeftOut("it is not defined what it does".to_string()));
                }
                Err(difference) if difference.rests_on_unknown_results() => {
                    undecided = Some("unsafe with functions that have no body".to_string());
                }
                Err(difference) => return Ok(Finding::Wrong(difference)),
            }
        }
        Ok(undecided.map_or(Finding::Right, Finding::Undecided))
    }

    /// Whether the shorter text is defined and has a difference of the same kind.
    pub fn still_differs(&self, text: &str, like: &Difference) -> bool {
        let Ok(Ok(run)) = self.run(text, &["-O0"]) else {
            return false;
        };
        for (check, failed) in Check::all(text, &run.observed, run.failed) {
            let same = std::mem::discriminant(&check) == std::mem::discriminant(&like.check);
            if same
                && failed == like.failed
                && matches!(self.examine(text, check, failed), Ok(Err(_)))
                && self.is_defined(text, &run) == Ok(true)
            {
                return true;
            }
        }
        false
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        // What is left in the folder for temporary files does no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What a refusal says, without the names and numbers in it.
fn reason(said: &str) -> String {
    let line = said.lines().find_map(|line| {
        let (_, message) = line.split_once("error: ")?;
        Some(message)
    });
    let mut result = String::new();
    let mut quoted = false;
    for letter in line.unwrap_or_else(|| said.lines().last().unwrap_or_default()).chars() {
        match letter {
            '`' => {
                quoted = !quoted;
                if quoted {
                    result.push('…');
                }
            }
            _ if quoted => {}
            '0'..='9' if result.ends_with('N') => {}
            '0'..='9' => result.push('N'),
            _ => result.push(letter),
        }
    }
    result
}
