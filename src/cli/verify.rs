//! `clausal verify`: verdicts for files, and whatever else was asked for.

use super::answer::{Answer, Failure, answer, give};
use super::arguments::{TreeFormat, VerifyArguments};
use super::c_input::CProgram;
use super::deadline::Deadline;
use super::exit::Exit;
use super::hints::GivenHints;
use super::input::{Input, LoadError, Rules, is_standard_input, name_of};
use super::interrupt::Interrupt;
use super::output::{self, Complaints};
use super::spinner::Spinner;
use super::verify_c;
use clausal::assistance::Assistance;
use clausal::compress::{self, Listing, RuleWording, Trace, Wording};
use clausal::engine::{Budget, Cancellation, Options, Outcome, Verdict};
use clausal::evidence::{obligations_smtlib, save_certificate, save_derivation};
use clausal::report;
use clausal::rules::Program;
use clausal::turns::TurnRecord;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

/// Runs the command.
pub fn run(arguments: VerifyArguments, interrupt: &Interrupt) -> Exit {
    if let Err(problem) = check(&arguments) {
        return Failure::from(problem).complain();
    }
    let arguments = Arc::new(arguments);
    if let Some(snippet) = &arguments.snippet {
        let program = CProgram::snippet(snippet);
        let path = PathBuf::from(&program.name);
        return verify_one(&arguments, interrupt, &path, 0, None, |_| Ok(Input::C(program))).give();
    }
    let jobs = arguments.jobs.get().min(arguments.files.len());
    let (worst, done) = match jobs {
        0 | 1 => one_after_another(&arguments, interrupt),
        _ => at_once(&arguments, interrupt, jobs),
    };
    let (all, rest) = (arguments.files.len(), arguments.files.len() - done);
    if rest == 0 {
        return worst;
    }
    output::complain(&format!("Stopped; {rest} of {all} files not verified."));
    worst.max(Exit::Unknown)
}

/// The worst that came of the files, and how many were verified.
fn one_after_another(arguments: &Arc<VerifyArguments>, interrupt: &Interrupt) -> (Exit, usize) {
    let mut worst = Exit::Success;
    for position in 0..arguments.files.len() {
        if position > 0 && interrupt.cancellation.is_cancelled() {
            return (worst, position);
        }
        worst = worst.max(verify_file(arguments, interrupt, position, None).give());
    }
    (worst, arguments.files.len())
}

/// The same with several files at once. What is found is printed in the order of the files.
fn at_once(arguments: &Arc<VerifyArguments>, interrupt: &Interrupt, jobs: usize) -> (Exit, usize) {
    let spinner = Spinner::start(format!("Verifying {} files", arguments.files.len()));
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let (mut worst, mut done) = (Exit::Success, 0);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while !interrupt.cancellation.is_cancelled() {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    if position >= arguments.files.len() {
                        break;
                    }
                    let verified = verify_file(arguments, interrupt, position, Some(Complaints::default()));
                    if sender.send((position, verified)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut give = |verified: Verified| {
            worst = worst.max(verified.give());
            done += 1;
        };
        let mut turn = 0;
        for (position, verified) in receiver {
            waiting.insert(position, verified);
            while let Some(verified) = waiting.remove(&turn) {
                give(verified);
                turn += 1;
            }
        }
        // Only what was stopped leaves gaps.
        waiting.into_values().for_each(give);
    });
    drop(spinner);
    (worst, done)
}

/// What came of one input, not yet printed.
struct Verified {
    name: String,
    json: bool,
    found: Result<Answer, Failure>,
    complaints: Option<Complaints>,
}

impl Verified {
    fn give(self) -> Exit {
        if let Some(complaints) = &self.complaints {
            complaints.print();
        }
        give(self.found, self.json, &self.name)
    }
}

fn verify_file(
    arguments: &Arc<VerifyArguments>,
    interrupt: &Interrupt,
    position: usize,
    complaints: Option<Complaints>,
) -> Verified {
    let path = arguments.files.get(position).cloned().unwrap_or_default();
    let (for_loading, file) = (arguments.clone(), path.clone());
    verify_one(arguments, interrupt, &path, position, complaints, move |deadline| {
        Input::load(&file, for_loading.from, &for_loading.c, deadline)
    })
}

/// Verifies one input.
fn verify_one(
    arguments: &Arc<VerifyArguments>,
    interrupt: &Interrupt,
    path: &Path,
    position: usize,
    complaints: Option<Complaints>,
    load: impl FnOnce(&Deadline) -> Result<Input, LoadError> + Send + 'static,
) -> Verified {
    let deadline = Deadline::after(arguments.timeout, interrupt);
    let name = name_of(path);
    // Several at once have one line of progress together.
    let spinner = complaints
        .is_none()
        .then(|| Spinner::start(format!("Verifying {name}")));
    // Only what must stop at once is told so; before, the engine has a limit of its own.
    let cancellation = Cancellation::default();
    let task = Task {
        arguments: arguments.clone(),
        interrupt: interrupt.clone(),
        deadline: deadline.clone(),
        cancellation: cancellation.clone(),
        position,
        kept: arguments.proofs.as_deref().and_then(|folder| kept_proof(folder, path)),
    };
    let for_command = complaints.clone();
    let found = answer(
        &deadline,
        &cancellation,
        move || {
            if let Some(complaints) = for_command {
                complaints.collect_here();
            }
            match load(&task.deadline)? {
                Input::Rules(rules) => verify_rules(&task, &rules),
                Input::C(program) => verify_c::verify(&task, &program),
            }
        },
        |reason| {
            let outcome = Outcome::unknown(reason);
            let shown = text(arguments, &name, &Program::new(), &outcome, position);
            Ok(Answer::new(shown, Exit::of(&outcome)))
        },
    );
    drop(spinner);
    Verified {
        name,
        json: arguments.json,
        found,
        complaints,
    }
}

/// What the verification of one input has to know.
pub struct Task {
    /// What was said on the command line.
    pub arguments: Arc<VerifyArguments>,
    /// Ctrl-C.
    pub interrupt: Interrupt,
    /// When to stop.
    pub deadline: Deadline,
    /// What stops it at once.
    pub cancellation: Cancellation,
    /// How many inputs were verified before.
    pub position: usize,
    /// Where the evidence is kept from one version of the input to the next.
    pub kept: Option<PathBuf>,
}

/// Where the evidence about a file is kept in a folder of proofs: by the file's own path, with what leads out of the folder left out. What is read from
/// standard input has no name to keep it by.
fn kept_proof(folder: &Path, file: &Path) -> Option<PathBuf> {
    let parts = file.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part),
        _ => None,
    });
    let mut kept = folder.join(parts.collect::<PathBuf>()).into_os_string();
    kept.push(".json");
    (!is_standard_input(file)).then(|| PathBuf::from(kept))
}

/// Refuses before long work what would fail after it.
fn check(arguments: &VerifyArguments) -> Result<(), String> {
    let targets = targets(arguments);
    if arguments.files.len() > 1 && !targets.is_empty() {
        return Err(
            "--tree, --proof, --save-evidence, --smt2, --harness and --witness write one file: give one input with them"
                .to_string(),
        );
    }
    if arguments.files.iter().filter(|path| is_standard_input(path)).count() > 1 {
        return Err("standard input can be read only once".to_string());
    }
    if let Some(folder) = &arguments.proofs {
        output::check_folder(folder)?;
    }
    targets.into_iter().try_for_each(|path| output::check_target(path))
}

fn targets(arguments: &VerifyArguments) -> Vec<&PathBuf> {
    let tree = arguments.tree.as_ref().map(|tree| &tree.path);
    let others = [
        &arguments.proof,
        &arguments.save_evidence,
        &arguments.smt2,
        &arguments.harness,
        &arguments.witness,
    ];
    tree.into_iter().chain(others.into_iter().flatten()).collect()
}

fn verify_rules(task: &Task, input: &Rules) -> Result<Answer, Failure> {
    let arguments = &task.arguments;
    let mut program = input.program_with_calls(!arguments.quiet)?;
    task.interrupt.arm();
    let hints = GivenHints::read(&arguments.hint, task.kept.as_deref())?;
    let options = engine_options(task);
    let outcome = hints.verify(&mut program, &options, Assistance::from(arguments.assist));
    hints.report(arguments.quiet)?;

    // What was found is printed even if a file cannot be written.
    if let Some(path) = &arguments.harness {
        not_written(path, "only C has a harness");
    }
    if let Some(path) = &arguments.witness {
        not_written(path, "only C has witnesses");
    }
    let written = write_files(task, &input.name, &program, &outcome);
    let shown = text(arguments, &input.name, &program, &outcome, task.position);
    let mut shown = hints.told(shown, arguments.json);
    if arguments.explain {
        let wording = RuleWording {
            program: &program,
            with_calls: None,
        };
        shown.push_str(&explanation(&task.interrupt, &program, &outcome, &wording));
    }
    let shown = with_turns(shown, arguments, &options.record);
    Ok(Answer::new(shown, Exit::of(&outcome)).after_writing(written))
}

/// The limits and methods that the arguments ask for.
pub fn engine_options(task: &Task) -> Options {
    let (arguments, default) = (&task.arguments, Budget::default());
    Options {
        budget: Budget {
            time: task.deadline.left(),
            memory: arguments.max_memory.map(|megabytes| megabytes << 20),
            states: arguments.max_states,
            unrollings: arguments.max_unrollings,
            query_resources: arguments.query_resources.unwrap_or(default.query_resources),
        },
        strategy: arguments.strategy.into(),
        interpolation: arguments.interpolation.into(),
        check_evidence: !arguments.no_check,
        keep_tree: arguments.tree.is_some(),
        cancellation: task.cancellation.clone(),
        record: if arguments.turns {
            TurnRecord::kept()
        } else {
            TurnRecord::default()
        },
        ..Options::default()
    }
}

/// The report with what methods did in turns, where that was asked for: a table, or the field `turns`.
pub fn with_turns(shown: String, arguments: &VerifyArguments, record: &TurnRecord) -> String {
    match (arguments.turns, arguments.json) {
        (false, _) => shown,
        (true, true) => output::with_field(shown, "turns", report::turns_json(&record.turns())),
        (true, false) => format!("{shown}\n{}", report::turns_text(&record.turns())),
    }
}

fn text(arguments: &VerifyArguments, name: &str, program: &Program, outcome: &Outcome, position: usize) -> String {
    if arguments.json {
        return format!("{}\n", report::json(name, program, outcome));
    }
    let (separator, label) = heading(arguments, name, position);
    if arguments.quiet {
        return format!("{label}{}\n", report::verdict_line(outcome));
    }
    format!(
        "{separator}{label}{}\n{}\n",
        report::findings(program, outcome),
        report::summary(&outcome.statistics)
    )
}

/// What stands before the report on a file: an empty line, and its name if there are several.
pub fn heading(arguments: &VerifyArguments, name: &str, position: usize) -> (&'static str, String) {
    match (arguments.files.len(), position) {
        (0 | 1, _) => ("", String::new()),
        (_, 0) => ("", format!("{name}: ")),
        _ => ("\n", format!("{name}: ")),
    }
}

/// Writes the files about rules that were asked for.
pub fn write_files(task: &Task, name: &str, program: &Program, outcome: &Outcome) -> Result<(), String> {
    let arguments = &task.arguments;
    if let (Some(file), Some(tree)) = (&arguments.tree, &outcome.tree) {
        let drawing = match file.format {
            TreeFormat::Dot => report::tree_dot(tree),
            TreeFormat::Svg => report::tree_svg(tree),
            TreeFormat::Html => report::tree_html(name, outcome, tree),
        };
        output::write_file(&file.path, &drawing)?;
    }
    if let Some(path) = &arguments.proof {
        output::write_file(path, &report::proof(program, outcome))?;
    }
    if arguments.save_evidence.is_some() || task.kept.is_some() {
        let evidence = match &outcome.verdict {
            Verdict::Safe(certificate) => Some(save_certificate(program, certificate)),
            Verdict::Unsafe(derivation) => Some(save_derivation(program, derivation)),
            Verdict::Unknown(_) => None,
        };
        let evidence = evidence.transpose();
        let evidence = evidence.map_err(|error| format!("the evidence cannot be saved: {error}"))?;
        match (&evidence, &arguments.save_evidence) {
            (Some(text), Some(path)) => output::write_file(path, text)?,
            (None, Some(path)) => not_written(path, "there is no evidence without a verdict"),
            (_, None) => {}
        }
        // Without a verdict what is kept stays: the next version may be nearer to it.
        if let (Some(text), Some(path)) = (&evidence, &task.kept) {
            output::make_folders_for(path)?;
            output::write_file(path, text)?;
        }
    }
    if let Some(path) = &arguments.smt2 {
        match &outcome.verdict {
            Verdict::Safe(certificate) => {
                let obligations = obligations_smtlib(program, certificate);
                let text = obligations.map_err(|error| format!("the obligations cannot be written: {error}"))?;
                output::write_file(path, &text)?;
            }
            _ => not_written(path, "only a proof of safety has obligations"),
        }
    }
    Ok(())
}

/// The path into an error with loop invariants in the place of iterations; nothing for any other verdict.
pub fn explanation(interrupt: &Interrupt, program: &Program, outcome: &Outcome, wording: &dyn Wording) -> String {
    let Verdict::Unsafe(derivation) = &outcome.verdict else {
        return String::new();
    };
    let options = compress::Options {
        cancellation: interrupt.cancellation.clone(),
        ..compress::Options::default()
    };
    let compressed = Trace::of_derivation(program, derivation)
        .map_err(|error| error.to_string())
        .and_then(|trace| {
            let target = compress::Target::Error;
            let compression = compress::compress(program, &trace, &target, &options);
            let compression = compression.map_err(|error| error.to_string())?;
            Ok(Listing::new(program, &trace, &compression, wording))
        });
    match compressed {
        Ok(listing) => format!("\nWhat of it matters: {}", compress::text(&listing)),
        Err(why) => format!("\nThe path is not compressed: {why}.\n"),
    }
}

/// Says that a file was asked for in vain.
pub fn not_written(path: &Path, why: &str) {
    output::complain(&format!("note: {} is not written: {why}", path.display()));
}
