//! The user's own Oodle library, for those who have one.
//!
//! Only `OodleLZ_Decompress` is used: its 14 arguments have been the same since Oodle 2.3, while those
//! of others changed. A library is opened by a path, never found by its name alone, and is asked for a
//! known stream before it is trusted. Sources: the public header of Oodle 2.9 and `formats/oodle.md`.

#![expect(unsafe_code, reason = "a library in machine code can be called in no other way")]

use std::cell::RefCell;
use std::ffi::c_void;
use std::fmt;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

use super::Decoder;
use crate::error::{Error, Result};

/// `OodleLZ_Decompress`: stream, its bytes, output, its bytes, and ten switches.
type Decompress = unsafe extern "system" fn(
    *const u8,
    isize,
    *mut u8,
    isize,
    i32,
    i32,
    i32,
    *mut c_void,
    isize,
    *mut c_void,
    *mut c_void,
    *mut c_void,
    isize,
    i32,
) -> isize;

const SYMBOL: &[u8] = b"OodleLZ_Decompress\0";

/// Switches: the stream may be damaged, checksums are not asked for, nothing is printed, and the call
/// does all the work.
const FUZZ_SAFE: i32 = 1;
const NO_CHECKSUMS: i32 = 0;
const SILENT: i32 = 0;
const ALL_PHASES: i32 = 3;

/// Bytes behind the output that old versions may write to.
const SLACK: usize = 4096;

/// A stream of Oodle 2.9, see `core/tests/data/oodle/README.md`, and its decoded size.
const KNOWN: &[u8] = include_bytes!("../../../tests/data/oodle/lorem_10033.krk");
const KNOWN_SIZE: usize = 10_033;

thread_local! {
    /// What a library writes to, which is then copied: it may write behind the end.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// An Oodle library that decoded a known stream.
pub struct Library {
    path: PathBuf,
    decompress: Decompress,
    /// Keeps the code in memory that `decompress` points to.
    _code: libloading::Library,
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Library({})", self.path.display())
    }
}

impl Library {
    /// Opens a library and has it decode a known stream.
    ///
    /// # Errors
    /// When it cannot be opened, is none of Oodle's, or decodes the known stream to other bytes. Code
    /// that crashes takes this process with it: ask in a process of its own first.
    pub fn open(path: &Path) -> Result<Self> {
        let of = |error: Error| error.of(path.display().to_string());
        // A name alone would be searched for.
        let path = std::path::absolute(path).map_err(|error| of(error.into()))?;
        if path.is_dir() {
            return Err(of(Error::unsupported("a folder, not a library")));
        }
        if !path.is_file() {
            return Err(of(Error::not_found("no such file")));
        }
        // SAFETY: the user names this file as the Oodle library; what it does when it is loaded is
        // the user's trust in it.
        let code = unsafe { libloading::Library::new(&path) };
        let code = code.map_err(|error| {
            // The system's words begin with the path, which is named already.
            let text = error.to_string().replace(&format!("{}: ", path.display()), "");
            of(Error::unsupported(format!("not a library for this system ({text})")))
        })?;
        // SAFETY: the name is that of Oodle's function, whose arguments have this form.
        let decompress = unsafe { code.get::<Decompress>(SYMBOL) }.map(|symbol| *symbol);
        let decompress =
            decompress.map_err(|error| of(Error::unsupported(format!("no Oodle library ({error})"))))?;
        let library = Self { path: path.clone(), decompress, _code: code };
        let (mut own, mut known) = (vec![0; KNOWN_SIZE], vec![0; KNOWN_SIZE]);
        Decoder::default().decode(KNOWN, &mut known)?;
        library.decode(KNOWN, &mut own).map_err(of)?;
        if own != known {
            return Err(of(Error::unsupported("it decodes a known stream to other bytes")));
        }
        Ok(library)
    }

    /// Where the library lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Decodes a stream to all of `out`. After an error the bytes of `out` mean nothing.
    ///
    /// # Errors
    /// When the library refuses the stream or says that it made other than `out.len()` bytes.
    pub fn decode(&self, stream: &[u8], out: &mut [u8]) -> Result<()> {
        let size =
            |len: usize| isize::try_from(len).ok().ok_or_else(|| Error::limit("a stream of that size"));
        let (stream_size, out_size) = (size(stream.len())?, size(out.len())?);
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.clear();
            scratch.resize(out.len() + SLACK, 0);
            // SAFETY: both pointers are valid for the sizes that go with them, and the output for
            // `SLACK` bytes more; null asks for no dictionary, no callback and the library's own memory.
            let made = unsafe {
                (self.decompress)(
                    stream.as_ptr(),
                    stream_size,
                    scratch.as_mut_ptr(),
                    out_size,
                    FUZZ_SAFE,
                    NO_CHECKSUMS,
                    SILENT,
                    null_mut(),
                    0,
                    null_mut(),
                    null_mut(),
                    null_mut(),
                    0,
                    ALL_PHASES,
                )
            };
            if made != out_size {
                return Err(Error::malformed(format!("the Oodle library made {made} of {out_size} bytes")));
            }
            out.copy_from_slice(scratch.get(..out.len()).unwrap_or_default());
            Ok(())
        })
    }
}

/// The library of this system beside a mounted install: in its folder or in `x64`, under the names
/// that Oodle ships with, the newest version first.
pub fn find_beside(install: &Path) -> Option<PathBuf> {
    let names: Vec<String> = if cfg!(windows) {
        (3..=9).rev().map(|version| format!("oo2core_{version}_win64.dll")).collect()
    } else if cfg!(target_os = "macos") {
        let old = (3..=8).rev().map(|version| format!("liboo2coremac64.2.{version}.dylib"));
        ["liboo2coremac64.2.9.10.dylib".to_owned()].into_iter().chain(old).collect()
    } else {
        let arm = "liboo2corelinuxarm64.so.9".to_owned();
        let intel = (3..=9).rev().map(|version| format!("liboo2corelinux64.so.{version}"));
        if cfg!(target_arch = "aarch64") { vec![arm] } else { intel.collect() }
    };
    let folders = [install.to_path_buf(), install.join("x64")];
    let paths = folders.iter().flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    paths.into_iter().find(|path| path.is_file())
}
