//! Questions that programs put to whoever verifies them, about the objects that their pointers point into: those of CBMC's and
//! ESBMC's documents.

use super::{Expression, Place};

/// What is asked about a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// How many bytes it points behind the start of its object; zero for null.
    Offset,
    /// Which object it points into: the address of the object's start, with which nothing can be calculated; zero for null.
    Object,
    /// How many bytes its object has; zero for null.
    Size,
    /// How many elements its object has, which is an array.
    Elements,
    /// Whether its object has been allocated; not so for null.
    IsAllocated,
    /// Whether so many bytes from there on are in the object; not so for null.
    HasBytes,
}

impl Question {
    /// Whether the answer is only told for null and for pointers into objects that are there.
    pub fn wants_object(self) -> bool {
        !matches!(self, Question::Offset | Question::Object)
    }
}

/// A question with all that belongs to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// The name of the function that asks.
    pub name: String,
    /// What is asked.
    pub question: Question,
    /// The pointer.
    pub pointer: Expression<Place>,
    /// For [`Question::HasBytes`], how many.
    pub bytes: Option<Expression<Place>>,
}
