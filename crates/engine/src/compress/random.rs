//! Pseudo-random inputs, the same for the same seed: small numbers, and those that the program compares something with.

use crate::execution::InputValues;
use crate::execution::Request;
use crate::random::Generator;
use crate::rules::Program;
use crate::terms::Value;

/// A source of inputs for one run.
pub struct RandomInputs {
    values: InputValues,
    seed: u64,
    run: u64,
}

impl RandomInputs {
    /// The inputs of a run; different runs with one seed get different ones.
    pub fn new(program: &Program, seed: u64, run: u64) -> RandomInputs {
        RandomInputs {
            values: InputValues::new(program),
            seed,
            run,
        }
    }

    /// The value for a request. It depends on the position, not on what was asked before.
    pub fn pick(&self, program: &Program, request: &Request) -> Value {
        let position = request.position.map_or(0, |position| position as u64 + 1);
        let mut mixer = Generator(self.seed ^ (self.run << 32));
        let mut generator = Generator(mixer.next().wrapping_add(position));
        // The first two runs of the sequence are all zeros and all ones.
        self.values.pick(&program.terms, request, self.run + 2, &mut generator)
    }
}
