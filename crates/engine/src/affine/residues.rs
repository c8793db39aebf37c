//! Vectors of residues modulo a power of a prime: what some of them span, and what vanishes on that.
//!
//! Where the power is not the prime itself, not every residue has an inverse. So a residue that is divided by the prime the fewest
//! times is the next pivot, wherever it is: then it divides all that is left, and elimination goes as it does in a field
//! (Müller-Olm and Seidl, *Analysis of modular arithmetic*, 2005).

/// A vector of residues, each below the modulus.
pub(super) type Residues = Vec<u128>;

/// A power of a prime, at most 2⁶⁴.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Modulus {
    /// The prime.
    pub prime: u128,
    /// How often it is multiplied.
    pub exponent: u32,
}

impl Modulus {
    /// The number.
    pub fn value(self) -> u128 {
        self.prime.pow(self.exponent)
    }

    /// Whether it is how many words of more than one bit there are.
    pub fn is_word(self) -> bool {
        self.prime == 2 && self.exponent > 1
    }

    /// How often the prime divides a residue; of zero the exponent.
    fn valuation(self, mut residue: u128) -> u32 {
        let mut times = 0;
        while times < self.exponent && residue.is_multiple_of(self.prime) {
            residue /= self.prime;
            times += 1;
        }
        times
    }

    fn times(self, a: u128, b: u128) -> u128 {
        a * b % self.value()
    }

    fn minus(self, a: u128, b: u128) -> u128 {
        (a + self.value() - b) % self.value()
    }

    /// The inverse of a residue that the prime does not divide: by Euler's theorem a power of it.
    fn inverse(self, residue: u128) -> u128 {
        let group = self.prime.pow(self.exponent - 1) * (self.prime - 1);
        let (mut power, mut result, mut exponent) = (residue, 1, group - 1);
        while exponent > 0 {
            if exponent % 2 == 1 {
                result = self.times(result, power);
            }
            power = self.times(power, power);
            exponent /= 2;
        }
        result
    }
}

/// What some vectors span.
#[derive(Clone, Debug)]
pub(super) struct ResidueSpace {
    modulus: Modulus,
    rows: Vec<Row>,
}

/// A vector divided by a power of the prime that divides all of it.
#[derive(Clone, Debug)]
struct Row {
    /// How often the prime is to be multiplied again.
    valuation: u32,
    /// Where the divided vector is one.
    pivot: usize,
    divided: Residues,
}

impl ResidueSpace {
    /// The space of nothing but zero.
    pub fn new(modulus: Modulus) -> ResidueSpace {
        ResidueSpace {
            modulus,
            rows: Vec::new(),
        }
    }

    /// The modulus.
    pub fn modulus(&self) -> Modulus {
        self.modulus
    }

    /// How large it is: it has the prime to this power many vectors.
    pub fn dimension(&self) -> u32 {
        self.rows.iter().map(|row| self.modulus.exponent - row.valuation).sum()
    }

    /// Adds a vector; whether it was not in the space.
    pub fn add(&mut self, vector: Residues) -> bool {
        let mut left = vector.clone();
        let is_inside = self.rows.iter().all(|row| {
            let divides = self.modulus.valuation(left[row.pivot]) >= row.valuation;
            if divides {
                let factor = left[row.pivot];
                subtract(self.modulus, &mut left, &row.divided, factor);
            }
            divides
        });
        if is_inside && left.iter().all(|residue| *residue == 0) {
            return false;
        }
        let power = |row: &Row| self.modulus.prime.pow(row.valuation);
        let whole = |row: &Row| -> Residues {
            let residues = row.divided.iter();
            residues
                .map(|residue| self.modulus.times(*residue, power(row)))
                .collect()
        };
        let mut vectors: Vec<Residues> = self.rows.iter().map(whole).collect();
        vectors.push(vector);
        self.rows = eliminated(self.modulus, vectors);
        true
    }

    /// Vectors whose products with all of this space's are zero, which span all of these; of so many residues each.
    pub fn annihilators(&self, length: usize) -> Vec<Residues> {
        let modulus = self.modulus;
        let is_pivot = |position: &usize| self.rows.iter().any(|row| row.pivot == *position);
        let free = (0..length).filter(|position| !is_pivot(position));
        let of_free = free.map(|position| (position, 1, None));
        // What a row with a power of the prime vanishes on has the rest of that power at its pivot.
        let of_rows = self.rows.iter().enumerate().filter(|(_, row)| row.valuation > 0);
        let of_rows = of_rows.map(|(index, row)| {
            let rest = modulus.prime.pow(modulus.exponent - row.valuation);
            (row.pivot, rest, Some(index))
        });
        let annihilator = |(position, value, own): (usize, u128, Option<usize>)| {
            let mut vector = vec![0; length];
            vector[position] = value;
            // Later rows are zero at earlier pivots.
            for (index, row) in self.rows.iter().enumerate().rev() {
                if own.is_none_or(|own| index < own) {
                    let product = vector.iter().zip(&row.divided);
                    let product = product.fold(0, |sum, (a, b)| (sum + modulus.times(*a, *b)) % modulus.value());
                    vector[row.pivot] = modulus.minus(vector[row.pivot], product);
                }
            }
            vector
        };
        of_free.chain(of_rows).map(annihilator).collect()
    }
}

/// Rows that span what the vectors do, each with zeros at the pivots of those before it.
fn eliminated(modulus: Modulus, mut vectors: Vec<Residues>) -> Vec<Row> {
    let mut rows = Vec::new();
    loop {
        let places = vectors.iter().enumerate().flat_map(|(index, vector)| {
            let residues = vector.iter().enumerate();
            residues.map(move |(position, residue)| (modulus.valuation(*residue), index, position))
        });
        let Some((valuation, index, pivot)) = places.min().filter(|(valuation, ..)| *valuation < modulus.exponent)
        else {
            return rows;
        };
        let power = modulus.prime.pow(valuation);
        let divided: Residues = vectors
            .swap_remove(index)
            .iter()
            .map(|residue| residue / power)
            .collect();
        let inverse = modulus.inverse(divided[pivot]);
        let divided: Residues = divided.iter().map(|residue| modulus.times(*residue, inverse)).collect();
        for vector in &mut vectors {
            let factor = vector[pivot];
            subtract(modulus, vector, &divided, factor);
        }
        rows.push(Row {
            valuation,
            pivot,
            divided,
        });
    }
}

/// Takes a multiple of a vector away.
fn subtract(modulus: Modulus, vector: &mut [u128], other: &[u128], factor: u128) {
    if factor != 0 {
        for (residue, other) in vector.iter_mut().zip(other) {
            *residue = modulus.minus(*residue, modulus.times(factor, *other));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;
    use std::collections::BTreeSet;

    /// All sums of multiples of some vectors.
    fn span(modulus: Modulus, vectors: &[Residues], length: usize) -> BTreeSet<Residues> {
        let mut all = BTreeSet::from([vec![0; length]]);
        for vector in vectors {
            let with = |base: &Residues, factor: u128| -> Residues {
                let sums = base.iter().zip(vector);
                sums.map(|(a, b)| (a + factor * b) % modulus.value()).collect()
            };
            let more = all
                .iter()
                .flat_map(|base| (0..modulus.value()).map(move |factor| with(base, factor)));
            all = more.collect();
        }
        all
    }

    #[test]
    fn spans_and_annihilators_are_those_of_all_vectors() {
        let mut random = Generator(5);
        let length = 3;
        for (prime, exponent) in [(2, 1), (3, 1), (7, 1), (2, 2), (2, 3), (3, 2)] {
            let modulus = Modulus { prime, exponent };
            let everything = span(modulus, &[vec![1, 0, 0], vec![0, 1, 0], vec![0, 0, 1]], length);
            for _ in 0..12 {
                let residue = |random: &mut Generator| random.below(modulus.value() as u64) as u128;
                let vectors: Vec<Residues> = (0..1 + random.below(3))
                    .map(|_| (0..length).map(|_| residue(&mut random)).collect())
                    .collect();
                let mut space = ResidueSpace::new(modulus);
                for (index, vector) in vectors.iter().enumerate() {
                    let is_new = !span(modulus, &vectors[..index], length).contains(vector);
                    assert_eq!(space.add(vector.clone()), is_new, "{modulus:?} {vectors:?}");
                }
                let spanned = span(modulus, &vectors, length);
                assert_eq!(
                    prime.pow(space.dimension()),
                    spanned.len() as u128,
                    "{modulus:?} {vectors:?}"
                );
                let vanishes = |candidate: &&Residues| {
                    spanned.iter().all(|vector| {
                        let product: u128 = vector.iter().zip(candidate.iter()).map(|(a, b)| a * b).sum();
                        product.is_multiple_of(modulus.value())
                    })
                };
                let expected: BTreeSet<Residues> = everything.iter().filter(vanishes).cloned().collect();
                let annihilators = space.annihilators(length);
                assert_eq!(
                    span(modulus, &annihilators, length),
                    expected,
                    "{modulus:?} {vectors:?}"
                );
            }
        }
    }

    #[test]
    fn words_of_64_bits_do_not_overflow() {
        let modulus = Modulus { prime: 2, exponent: 64 };
        let most = modulus.value() - 1;
        let mut space = ResidueSpace::new(modulus);
        assert!(space.add(vec![most, 1, 3]));
        assert!(space.add(vec![most - 2, most, 1]));
        assert!(!space.add(vec![most, 1, 3]));
        for vector in space.annihilators(3) {
            let times = |factors: [u128; 3]| {
                let products = vector.iter().zip(factors);
                products.fold(0, |sum, (a, b)| (sum + modulus.times(*a, b)) % modulus.value())
            };
            assert_eq!([times([most, 1, 3]), times([most - 2, most, 1])], [0, 0]);
        }
    }
}
