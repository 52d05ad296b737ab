// SPDX-License-Identifier: Apache-2.0
//
//! The options in the driver's section of the configuration. The host has checked the values against the manifest and
//! filled in the defaults. Valid until create returns: copy the values that the driver keeps.

use crate::abi;
use crate::failure::{Failure, Result};
use crate::text::{strided, text, OnThisThread, Pairs, Strings};
use std::marker::PhantomData;

#[derive(Clone, Copy)]
pub struct Options<'c> {
    raw: *const abi::Options,
    lifetime: OnThisThread<'c>,
}

macro_rules! values {
    ($($(#[$comment:meta])* $name:ident: $kind:ident => $value:ty, $read:expr;)*) => {
        $($(#[$comment])* pub fn $name(&self, name: &str) -> Result<$value> {
            self.need(name, abi::$kind, stringify!($name)).map($read)
        })*
    };
}

impl<'c> Options<'c> {
    /// # Safety
    /// The options stay as they are during `'c`.
    pub(crate) unsafe fn new(raw: *const abi::Options) -> Options<'c> {
        Options { raw, lifetime: PhantomData }
    }

    // SAFETY: texts and lists of an option are the host's and stay as they are during 'c.
    values! {
        /// Each of these functions fails if the manifest declares no option of this name and type.
        boolean: OPTION_BOOLEAN => bool, |option| option.integer != 0;
        integer: OPTION_INTEGER => i64, |option| option.integer;
        real: OPTION_REAL => f64, |option| option.real;
        string: OPTION_STRING => &'c str, |option| unsafe { text(option.string) };
        strings: OPTION_STRINGS => Strings<'c>, |option| unsafe { Strings::new(option.strings) };
        /// Sorted by key.
        table: OPTION_TABLE => Pairs<'c>,
            |option| unsafe { Pairs::new(option.table.items, option.table.count) };
    }

    fn need(&self, name: &str, kind: i32, kind_name: &str) -> Result<abi::Option> {
        // SAFETY: the options are valid during 'c, and the index is below their number.
        unsafe {
            for index in 0..(*self.raw).option_count as usize {
                let option = strided((*self.raw).options, index, (*self.raw).option_stride as usize);
                if (*option).kind == kind && text((*option).name) == name {
                    return Ok(*option);
                }
            }
        }
        Err(Failure::internal(format!(
            "the driver asks for option '{}', found none with that name and the type {}; declare it \
             in the manifest",
            name, kind_name
        )))
    }
}
