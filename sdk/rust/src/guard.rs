// SPDX-License-Identifier: Apache-2.0
//
//! The border between the host and an author's code: instances behind pointers, and panics that become failures.

use crate::abi;
use crate::bits::{words_of, Bitmap, Bits};
use crate::call::Call;
use crate::failure::{Code, Failure, Result};
use crate::options::Options;
use crate::text::elements;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};
use std::sync::Once;

#[cfg(panic = "abort")]
compile_error!("a driver needs panic = 'unwind', so that a panic ends a call and not the service");

thread_local! {
    /// Where the last panic of the thread came from.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the place of a panic in place of writing to the service's error output.
pub(crate) fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        set_hook(Box::new(|panic| {
            let place = panic.location().map_or(String::new(), |at| format!(" at {}", at));
            let _ = PLACE.try_with(|last| last.try_borrow_mut().map(|mut last| *last = place));
        }))
    });
}

fn failure_of_panic(payload: Box<dyn Any + Send>) -> Failure {
    let place = PLACE.try_with(RefCell::take).unwrap_or_default();
    let message = match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => match payload.downcast::<&str>() {
            Ok(message) => (*message).to_string(),
            Err(payload) => {
                std::mem::forget(payload); // an author's type may panic when it is dropped
                "no message".to_string()
            }
        },
    };
    Failure::internal(format!("the driver panicked{}: {}", place, message))
}

/// Runs an operation and returns its code. The host is told the sentence of a failure.
///
/// # Safety
/// Host and call are those of a running call on this thread.
pub(crate) unsafe fn guarded(
    host: *const abi::Host,
    raw: *mut abi::Call,
    operation: impl FnOnce(&Call<'_>) -> Result,
) -> i32 {
    // SAFETY: as the caller vouches.
    let call = unsafe { Call::new(host, raw) };
    let result = catch_unwind(AssertUnwindSafe(|| operation(&call)));
    let failure = match result {
        Ok(Ok(())) => return abi::OK,
        Ok(Err(failure)) => failure,
        Err(payload) => failure_of_panic(payload),
    };
    let code = match failure.code() {
        Code::Unknown(abi::OK) => abi::INTERNAL,
        code => code.raw(),
    };
    match failure.sentence() {
        // SAFETY: as the caller vouches.
        Some(sentence) => unsafe { ((*host).fail)(raw, code, abi::Text::of(sentence)) },
        None => code,
    }
}

/// The object behind the pointer to a driver or an offer.
pub(crate) struct Instance<T> {
    pub(crate) host: *const abi::Host,
    pub(crate) object: T,
}

/// Makes an instance and writes it to `out`.
///
/// # Safety
/// The arguments are those of a create function.
pub(crate) unsafe fn create_instance<T, Opaque>(
    host: *const abi::Host,
    call: *mut abi::Call,
    options: *const abi::Options,
    out: *mut *mut Opaque,
    create: fn(&Call<'_>, &Options<'_>) -> Result<T>,
) -> i32 {
    // SAFETY: as the caller vouches.
    unsafe {
        guarded(host, call, |call| {
            let object = create(call, &Options::new(options))?;
            *out = Box::into_raw(Box::new(Instance { host, object })).cast();
            Ok(())
        })
    }
}

/// # Safety
/// `opaque` came from `create_instance` with the same T, and nothing uses it any more.
pub(crate) unsafe fn destroy_instance<T>(opaque: *mut c_void) {
    // SAFETY: as the caller vouches.
    let instance = unsafe { Box::from_raw(opaque.cast::<Instance<T>>()) };
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(instance))) {
        std::mem::forget(payload);
    }
}

/// Returns a copy of a bitmap that the host gave.
///
/// # Safety
/// The bitmap has a bit for each row.
pub(crate) unsafe fn bitmap_of(words: *const u64, rows: u32) -> Bitmap {
    // SAFETY: as the caller vouches.
    let words = unsafe { elements(words, words_of(rows) as u64) };
    Bits::new(words, rows).into()
}

/// Writes a set back to the host.
///
/// # Safety
/// `out` is a bitmap with a bit for each row of the set.
pub(crate) unsafe fn give_rows(rows: &Bitmap, out: *mut u64) {
    let words = rows.raw_words();
    // SAFETY: as the caller vouches.
    unsafe { out.copy_from_nonoverlapping(words.as_ptr(), words.len()) }
}
