//! Vectors of residues modulo a prime: what some of them span, and what vanishes on that.

/// A vector of residues, each below the prime.
pub(super) type Residues = Vec<u64>;

/// A space of such vectors.
#[derive(Clone, Debug)]
pub(super) struct ResidueSpace {
    prime: u64,
    /// Independent vectors, each with a position, its pivot, where it is one and all others are zero.
    rows: Vec<(usize, Residues)>,
}

impl ResidueSpace {
    /// The space of nothing but zero, modulo this prime, which is below 2³².
    pub fn new(prime: u64) -> ResidueSpace {
        ResidueSpace {
            prime,
            rows: Vec::new(),
        }
    }

    /// The prime.
    pub fn prime(&self) -> u64 {
        self.prime
    }

    /// How many vectors span it.
    pub fn dimension(&self) -> usize {
        self.rows.len()
    }

    /// Adds a vector; whether it was not in the space.
    pub fn add(&mut self, mut vector: Residues) -> bool {
        for (pivot, row) in &self.rows {
            subtract(&mut vector, row, *pivot, self.prime);
        }
        let Some(pivot) = vector.iter().position(|residue| *residue != 0) else {
            return false;
        };
        let inverse = inverse(vector[pivot], self.prime);
        vector
            .iter_mut()
            .for_each(|residue| *residue = *residue * inverse % self.prime);
        for (_, row) in &mut self.rows {
            subtract(row, &vector, pivot, self.prime);
        }
        self.rows.push((pivot, vector));
        true
    }

    /// Vectors whose products with all of this space's are zero, which span all of these; of so many residues each.
    pub fn annihilators(&self, length: usize) -> Vec<Residues> {
        let is_pivot = |position: &usize| self.rows.iter().any(|(pivot, _)| pivot == position);
        let free = (0..length).filter(|position| !is_pivot(position));
        let annihilator = |position: usize| {
            let mut vector = vec![0; length];
            vector[position] = 1;
            for (pivot, row) in &self.rows {
                vector[*pivot] = (self.prime - row[position]) % self.prime;
            }
            vector
        };
        free.map(annihilator).collect()
    }
}

/// Takes a multiple of a row away that is one at its pivot, so that nothing is left there.
fn subtract(vector: &mut [u64], row: &[u64], pivot: usize, prime: u64) {
    let factor = prime - vector[pivot];
    if factor != prime {
        for (residue, other) in vector.iter_mut().zip(row) {
            *residue = (*residue + factor * other) % prime;
        }
    }
}

/// The inverse of a residue that is not zero, by Fermat's little theorem.
fn inverse(residue: u64, prime: u64) -> u64 {
    let (mut power, mut result, mut exponent) = (residue, 1, prime - 2);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * power % prime;
        }
        power = power * power % prime;
        exponent /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;

    #[test]
    fn annihilators_are_what_vanishes() {
        let mut random = Generator(5);
        for prime in [2, 3, 5, 7, 11] {
            for _ in 0..40 {
                let mut space = ResidueSpace::new(prime);
                let vectors: Vec<Residues> = (0..1 + random.below(4))
                    .map(|_| (0..5).map(|_| random.below(prime)).collect())
                    .collect();
                vectors.iter().for_each(|vector| {
                    space.add(vector.clone());
                });
                let annihilators = space.annihilators(5);
                assert_eq!(annihilators.len() + space.dimension(), 5);
                for annihilator in &annihilators {
                    for vector in &vectors {
                        let product: u64 = annihilator.iter().zip(vector).map(|(a, b)| a * b).sum();
                        assert_eq!(product % prime, 0);
                    }
                }
                assert!(vectors.into_iter().all(|vector| !space.add(vector)));
            }
        }
    }
}
