//! `clausal explore`: compact symbolic execution of a file.

use super::answer::{Answer, Failure, answer, give};
use super::c_input::CProgram;
use super::deadline::Deadline;
use super::exit::Exit;
use super::explore_arguments::{ExploreArguments, Order, TreeFormat};
use super::input::{Input, Rules};
use super::interrupt::Interrupt;
use super::output;
use super::spinner::Spinner;
use super::verify::not_written;
use clausal::c::options::{Blocks, Undefined};
use clausal::diagnostics::Reading;
use clausal::engine::StopReason;
use clausal::evidence::{obligations_smtlib, save_certificate, save_derivation};
use clausal::explore::{self, Exploration, ExploreOptions, Finding};
use clausal::report;
use clausal::rules::Program;
use clausal::source_level::{self, CExploration, HarnessError, Method, Places};
use std::path::Path;

/// Runs the command.
pub fn run(arguments: ExploreArguments, interrupt: &Interrupt) -> Exit {
    let deadline = Deadline::after(arguments.timeout, interrupt);
    let name = arguments.program.name();
    let file = name.clone();
    let spinner = Spinner::start(format!("Exploring {name}"));
    let (json, for_command, for_both) = (arguments.json, deadline.clone(), interrupt.clone());
    let found = answer(
        &deadline,
        &interrupt.cancellation,
        move || explore_input(&arguments, &for_both, &for_command),
        |reason| Ok(given_up(&name, json, reason)),
    );
    drop(spinner);
    give(found, json, &file)
}

/// The answer if there is none at the end of the time.
fn given_up(name: &str, json: bool, reason: StopReason) -> Answer {
    let exploration = Exploration::nothing_found(reason, &ExploreOptions::default());
    let text = match json {
        true => report::exploration_json(name, &Program::new(), &exploration),
        false => report::finding_line(&exploration.finding),
    };
    Answer::new(format!("{text}\n"), exit(&exploration))
}

fn explore_input(arguments: &ExploreArguments, interrupt: &Interrupt, deadline: &Deadline) -> Result<Answer, Failure> {
    let tree = arguments.tree.as_ref().map(|tree| &tree.path);
    let harness = arguments.harness.as_ref();
    let program = harness.filter(|_| !arguments.coverage);
    let evidence = [&arguments.proof, &arguments.save_evidence, &arguments.smt2];
    let evidence = evidence.into_iter().flatten();
    for path in tree.into_iter().chain(evidence).chain(program) {
        output::check_target(path)?;
    }
    if let Some(folder) = harness.filter(|_| arguments.coverage) {
        output::check_folder(folder)?;
    }
    let input = arguments.program.load(&arguments.c, deadline)?;
    match input {
        Input::Rules(rules) => explore_rules(arguments, interrupt, deadline, &rules),
        Input::C(program) => explore_c(arguments, interrupt, deadline, &program),
    }
}

fn options(arguments: &ExploreArguments, interrupt: &Interrupt, deadline: &Deadline) -> ExploreOptions {
    let mut options = ExploreOptions {
        templates: !arguments.no_templates,
        order: match arguments.order {
            Order::Breadth => explore::Order::BreadthFirst,
            Order::Depth => explore::Order::DepthFirst,
            Order::Directed => explore::Order::Directed,
        },
        joint: !arguments.no_joint,
        alternatives: !arguments.no_alternatives,
        covering: !arguments.no_covering,
        whole: arguments.whole || arguments.coverage,
        every_error: arguments.coverage,
        coverage: arguments.coverage,
        keep_tree: arguments.tree.is_some() || arguments.json,
        cancellation: interrupt.cancellation.clone(),
        ..ExploreOptions::default()
    };
    options.budget.time = deadline.left();
    options.budget.states = arguments.max_states;
    if let Some(resources) = arguments.query_resources {
        options.budget.query_resources = resources;
    }
    options
}

fn explore_rules(
    arguments: &ExploreArguments,
    interrupt: &Interrupt,
    deadline: &Deadline,
    input: &Rules,
) -> Result<Answer, Failure> {
    let mut program = input.program(!arguments.quiet)?;
    if let Some(target) = &arguments.target {
        program = explore::with_target(&program, target)?;
    }
    if let Some(path) = &arguments.harness {
        not_written(path, "only C has a harness");
    }
    interrupt.arm();
    let exploration = explore::explore(&program, &options(arguments, interrupt, deadline));
    let written = write_files(arguments, &input.name, &program, &exploration);
    let text = match (arguments.json, arguments.quiet) {
        (true, _) => format!("{}\n", report::exploration_json(&input.name, &program, &exploration)),
        (_, true) => format!("{}\n", report::finding_line(&exploration.finding)),
        _ => report::exploration_findings(&program, &exploration),
    };
    Ok(Answer::new(text, exit(&exploration)).after_writing(written))
}

fn explore_c(
    arguments: &ExploreArguments,
    interrupt: &Interrupt,
    deadline: &Deadline,
    input: &CProgram,
) -> Result<Answer, Failure> {
    let mut c_options = input.options(&arguments.c, Undefined::Ends);
    let method = match arguments.c.undefined {
        Some(_) => Method::AsTold,
        None => Method::Automatic,
    };
    let places = input.places();
    let line = match &arguments.target {
        None => None,
        Some(target) => {
            let line: u32 = target
                .parse()
                .map_err(|_| format!("`{target}` is no line: the target in a C program is the number of a line"))?;
            Some(line)
        }
    };
    if line.is_some() || arguments.coverage {
        // A rule for each basic block, so that a line does not share its rule with what comes later, and none left out.
        c_options.blocks = Blocks::Basic;
        c_options.slice = false;
    }
    interrupt.arm();
    let reading = source_level::explore_c(
        &input.text,
        &c_options,
        method,
        line,
        &options(arguments, interrupt, deadline),
    );
    let Reading { product, diagnostics } = reading;
    input.complain(&diagnostics, !arguments.quiet);
    let explored = product.ok_or_else(|| input.refusal(&diagnostics))?;
    let CExploration {
        exploration,
        translation,
        ..
    } = &explored;
    let mut written = write_files(arguments, &input.name, &translation.program, exploration);
    let mut tests = None;
    if let Some(path) = &arguments.harness {
        let result = match arguments.coverage {
            true => write_tests(path, input, &explored, &places),
            false => source_level::exploration_harness(&input.name, &explored, &input.text, &places)
                .map(|text| output::write_file(path, &text)),
        };
        match result {
            Ok(done) => {
                tests = arguments.coverage.then(|| path.display().to_string());
                written = written.and(done);
            }
            Err(error) => not_written(path, &error.to_string()),
        }
    }
    let tests = tests.as_deref();
    let text = match (arguments.json, arguments.quiet) {
        (true, _) => {
            let json = source_level::exploration_json(&input.name, &explored, &input.text, &places, tests);
            format!("{json}\n")
        }
        (_, true) => format!("{}\n", report::finding_line(&exploration.finding)),
        _ => source_level::exploration_findings(&explored, &input.text, &places, tests),
    };
    Ok(Answer::new(text, exit(exploration)).after_writing(written))
}

/// Writes the tests that together reach every line that was reached.
fn write_tests(
    folder: &Path,
    input: &CProgram,
    explored: &CExploration,
    places: &Places<'_>,
) -> Result<Result<(), String>, HarnessError> {
    let tests = source_level::covering_harnesses(&input.name, explored, &input.text, places)?;
    let write = || {
        output::make_folder(folder)?;
        for (covering, text) in &tests {
            output::write_file(&folder.join(&covering.file), text)?;
        }
        Ok(())
    };
    Ok(write())
}

fn exit(exploration: &Exploration) -> Exit {
    match &exploration.finding {
        Finding::Reachable(_) => Exit::Unsafe,
        Finding::Unreachable(_) => Exit::Success,
        Finding::Unknown(reason) => Exit::stopped(reason),
    }
}

fn write_files(
    arguments: &ExploreArguments,
    name: &str,
    program: &Program,
    exploration: &Exploration,
) -> Result<(), String> {
    if let Some(file) = &arguments.tree {
        let text = match file.format {
            TreeFormat::Text => explore::exploration_text(exploration),
            TreeFormat::Dot => report::compact_dot(&exploration.tree),
            TreeFormat::Svg => report::compact_svg(&exploration.tree),
            TreeFormat::Html => report::compact_html(name, exploration),
        };
        output::write_file(&file.path, &text)?;
    }
    if let Some(path) = &arguments.proof {
        output::write_file(path, &report::exploration_proof(program, exploration))?;
    }
    if let Some(path) = &arguments.smt2 {
        match &exploration.finding {
            Finding::Unreachable(Ok(certificate)) => {
                let obligations = obligations_smtlib(program, certificate);
                let text = obligations.map_err(|error| format!("the obligations cannot be written: {error}"))?;
                output::write_file(path, &text)?;
            }
            _ => not_written(path, "only a certificate has obligations"),
        }
    }
    if let Some(path) = &arguments.save_evidence {
        match &exploration.finding {
            Finding::Reachable(derivation) => {
                let text = save_derivation(program, derivation);
                let text = text.map_err(|error| format!("the evidence cannot be saved: {error}"))?;
                output::write_file(path, &text)?;
            }
            Finding::Unreachable(Ok(certificate)) => {
                let text = save_certificate(program, certificate);
                let text = text.map_err(|error| format!("the evidence cannot be saved: {error}"))?;
                output::write_file(path, &text)?;
            }
            Finding::Unreachable(Err(why)) => not_written(path, &format!("the tree is no certificate: {why}")),
            Finding::Unknown(_) => not_written(path, "nothing is known that there is evidence for"),
        }
    }
    Ok(())
}
