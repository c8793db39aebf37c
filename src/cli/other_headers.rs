//! Headers that are not there, where it is known what would be in them.
//!
//! Those of other verifiers declare functions that the translation knows by their names. Of the system's headers for a machine whose
//! own are not installed, glibc has one set for processors that run programs of 32 and of 64 bits, and tells the two apart by macros
//! of the compiler. What the 32-bit package adds is one file, with the names of functions that are not implemented, which is of no
//! interest here and is replaced by an empty one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where the headers are for programs of 64 bits.
const HEADERS: &str = "/usr/include/x86_64-linux-gnu";

/// The file that is empty.
const EMPTY: [&str; 2] = ["gnu", "stubs-32.h"];

/// The headers of other verifiers, and what is in them here.
const OF_VERIFIERS: [(&str, &str); 2] = [
    (
        "seahorn/seahorn.h",
        include_str!("../../libc/verifiers/seahorn/seahorn.h"),
    ),
    ("klee/klee.h", include_str!("../../libc/verifiers/klee/klee.h")),
];

/// A folder with headers, which is gone when this is.
pub(super) struct OtherHeaders {
    folder: PathBuf,
    /// Whether the system's headers for programs of 64 bits are read, too.
    with_system: bool,
}

impl OtherHeaders {
    /// What takes the place of headers for programs of 32 bits, if complaints say that the preprocessor misses these.
    pub fn for_missing(complaints: &str) -> Option<OtherHeaders> {
        let is_missing = |line: &str| {
            let names = ["bits/", "sys/", "gnu/", "asm/"].iter();
            line.contains("No such file or directory") && names.into_iter().any(|name| line.contains(name))
        };
        if !complaints.lines().any(is_missing) || !Path::new(HEADERS).is_dir() {
            return None;
        }
        OtherHeaders::made(true, &[(&EMPTY.join("/"), "")])
    }

    /// What takes the place of a header of another verifier; `None` if it is none of those that are known.
    pub fn of_verifier(header: &str) -> Option<OtherHeaders> {
        let is_known = OF_VERIFIERS.iter().any(|(known, _)| *known == header);
        is_known.then(|| OtherHeaders::made(false, &OF_VERIFIERS)).flatten()
    }

    fn made(with_system: bool, files: &[(&str, &str)]) -> Option<OtherHeaders> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("clausal-headers-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        // What is there already is somebody else's.
        std::fs::create_dir(&folder).ok()?;
        let made = OtherHeaders { folder, with_system };
        for (name, text) in files {
            let file = made.folder.join(name);
            std::fs::create_dir_all(file.parent()?).ok()?;
            std::fs::write(file, text).ok()?;
        }
        Some(made)
    }

    /// The words that make the preprocessor look there, after everything else.
    pub fn words(&self) -> Vec<OsString> {
        let system = self.with_system.then(|| HEADERS.into());
        let folders = system.into_iter().chain([OsString::from(&self.folder)]);
        folders.flat_map(|folder| ["-idirafter".into(), folder]).collect()
    }
}

impl Drop for OtherHeaders {
    fn drop(&mut self) {
        // If it cannot be removed, it stays in the folder for what is temporary.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_verifiers_are_written_and_removed() {
        assert!(OtherHeaders::of_verifier("own.h").is_none());
        let made = OtherHeaders::of_verifier("klee/klee.h").expect("it is known");
        let header = made.folder.join("klee/klee.h");
        assert!(header.is_file());
        assert_eq!(made.words().len(), 2);
        drop(made);
        assert!(!header.exists());
    }

    #[test]
    fn only_headers_of_the_system_are_replaced() {
        assert!(OtherHeaders::for_missing("t.c:1:10: fatal error: own.h: No such file or directory").is_none());
        assert!(OtherHeaders::for_missing("t.c:1:10: error: expected identifier in bits/x.h").is_none());
        let complaint = "/usr/include/stdio.h:27:10: fatal error: bits/libc-header-start.h: No such file or directory";
        let Some(found) = OtherHeaders::for_missing(complaint) else {
            assert!(!Path::new(HEADERS).is_dir());
            return;
        };
        let folder = found.folder.clone();
        assert!(folder.join(EMPTY[0]).join(EMPTY[1]).is_file());
        drop(found);
        assert!(!folder.exists());
    }
}
