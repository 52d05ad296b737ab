// SPDX-License-Identifier: Apache-2.0
//
//! The columns of a view, one type for each type of values. A column borrows from the host for the length of a call. A
//! row beyond the last one panics, which ends the operation with a failure.

use crate::abi;
use crate::bits::{words_of, Bits};
use crate::text::{elements, text, OnThisThread, Strings, Uuid};
use std::marker::PhantomData;
use std::ops::Index;

/// A type that reads columns.
pub trait ColumnType<'c>: Sized + sealed::Sealed {
    #[doc(hidden)]
    const TYPE: i32;
    #[doc(hidden)]
    const NAME: &'static str;
    /// # Safety
    /// The column is of this type, has that many rows and stays as it is during `'c`.
    #[doc(hidden)]
    unsafe fn read(raw: &abi::Column, rows: u32) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

/// The rows of a column that have a value.
#[derive(Clone, Copy)]
pub struct Validity<'c>(Option<Bits<'c>>);

impl<'c> Validity<'c> {
    unsafe fn read(raw: &abi::Column, rows: u32) -> Self {
        if raw.validity.is_null() {
            return Validity(None);
        }
        // SAFETY: a bitmap of the host has a bit for each row.
        let words = unsafe { elements(raw.validity, words_of(rows) as u64) };
        Validity(Some(Bits::new(words, rows)))
    }

    pub fn has(&self, row: u32) -> bool {
        self.0.map_or(true, |bits| bits.contains(row))
    }

    /// Returns the rows that have a value. `None`: each row has one.
    pub fn bits(&self) -> Option<Bits<'c>> {
        self.0
    }
}

macro_rules! column {
    ($column:ident, $kind:ident, $name:literal) => {
        impl sealed::Sealed for $column<'_> {}

        impl<'c> $column<'c> {
            /// Returns whether the row has a value.
            pub fn has(&self, row: u32) -> bool {
                self.validity.has(row)
            }

            pub fn validity(&self) -> Validity<'c> {
                self.validity
            }
        }

        impl<'c> ColumnType<'c> for $column<'c> {
            const TYPE: i32 = abi::$kind;
            const NAME: &'static str = $name;
            unsafe fn read(raw: &abi::Column, rows: u32) -> Self {
                // SAFETY: as the caller vouches.
                unsafe { $column::of(raw, rows, Validity::read(raw, rows)) }
            }
        }
    };
}

macro_rules! number_column {
    ($column:ident, $value:ty, $kind:ident, $name:literal) => {
        /// A column of numbers. Indexing gives the number of a row, which has no meaning for a row without a value.
        #[derive(Clone, Copy)]
        pub struct $column<'c> {
            values: &'c [$value],
            validity: Validity<'c>,
        }

        column!($column, $kind, $name);

        impl<'c> $column<'c> {
            unsafe fn of(raw: &abi::Column, rows: u32, validity: Validity<'c>) -> Self {
                // SAFETY: a column has a value for each row.
                let values = unsafe { elements(raw.values.cast(), rows.into()) };
                $column { values, validity }
            }

            pub fn values(&self) -> &'c [$value] {
                self.values
            }

            /// Returns the value of a row. `None`: never reported.
            pub fn get(&self, row: u32) -> Option<$value> {
                self.has(row).then(|| self[row])
            }
        }

        impl Index<u32> for $column<'_> {
            type Output = $value;
            fn index(&self, row: u32) -> &$value {
                &self.values[row as usize]
            }
        }
    };
}

number_column!(Integers, i64, TYPE_I64, "i64");
number_column!(Reals, f64, TYPE_F64, "f64");

/// A column of booleans.
#[derive(Clone, Copy)]
pub struct Flags<'c> {
    values: Bits<'c>,
    validity: Validity<'c>,
}

column!(Flags, TYPE_BOOL, "bool");

impl<'c> Flags<'c> {
    unsafe fn of(raw: &abi::Column, rows: u32, validity: Validity<'c>) -> Self {
        // SAFETY: the values are a bitmap with a bit for each row.
        let words = unsafe { elements(raw.values.cast(), words_of(rows) as u64) };
        Flags { values: Bits::new(words, rows), validity }
    }

    /// Returns the rows whose value is true. The bit of a row without a value has no meaning.
    pub fn values(&self) -> Bits<'c> {
        self.values
    }

    /// Returns the value of a row. `None`: never reported.
    pub fn get(&self, row: u32) -> Option<bool> {
        self.has(row).then(|| self.values.contains(row))
    }
}

/// A column of texts. Each row has a code, the index of its text in a dictionary of distinct texts. If there are few
/// distinct texts, test each text of the dictionary once instead of the text of each row.
#[derive(Clone, Copy)]
pub struct Texts<'c> {
    codes: &'c [u32],
    dictionary: Strings<'c>,
    dictionary_version: u64,
    validity: Validity<'c>,
}

column!(Texts, TYPE_STRING, "string");

impl<'c> Texts<'c> {
    unsafe fn of(raw: &abi::Column, rows: u32, validity: Validity<'c>) -> Self {
        // SAFETY: a column has a code for each row and as many texts as it says.
        let (codes, dictionary) = unsafe {
            let texts = elements(raw.dictionary.cast(), raw.dictionary_count);
            (elements(raw.values.cast(), rows.into()), Strings::of(texts))
        };
        Texts { codes, dictionary, dictionary_version: raw.dictionary_version, validity }
    }

    /// Returns the text of a row. `None`: never reported.
    pub fn get(&self, row: u32) -> Option<&'c str> {
        self.code(row).and_then(|code| self.dictionary.get(code as usize))
    }

    /// Returns the code of a row. `None`: never reported.
    pub fn code(&self, row: u32) -> Option<u32> {
        self.has(row).then(|| self.codes[row as usize])
    }

    pub fn dictionary(&self) -> Strings<'c> {
        self.dictionary
    }

    /// While this number stays the same from view to view, each known code keeps its meaning, and new codes may be
    /// appended. If the number is 0, cache nothing under a code.
    pub fn dictionary_version(&self) -> u64 {
        self.dictionary_version
    }
}

/// A column of sets of numbers, for example the aggregates of each row as indexes for `View::aggregate`. Each row has a
/// code, the index of its set in a dictionary.
#[derive(Clone, Copy)]
pub struct Sets<'c> {
    codes: &'c [u32],
    slices: &'c [abi::Slice],
    elements: *const u32,
    dictionary_version: u64,
    validity: Validity<'c>,
}

column!(Sets, TYPE_SET, "set");

impl<'c> Sets<'c> {
    unsafe fn of(raw: &abi::Column, rows: u32, validity: Validity<'c>) -> Self {
        // SAFETY: a column has a code for each row and as many sets as it says.
        let (codes, slices) = unsafe {
            let slices = elements(raw.dictionary.cast(), raw.dictionary_count);
            (elements(raw.values.cast(), rows.into()), slices)
        };
        let dictionary_version = raw.dictionary_version;
        Sets { codes, slices, elements: raw.elements.cast(), dictionary_version, validity }
    }

    /// Returns the set of a row. `None`: never reported.
    pub fn get(&self, row: u32) -> Option<&'c [u32]> {
        self.code(row).and_then(|code| self.meaning(code))
    }

    /// Returns the code of a row. `None`: never reported.
    pub fn code(&self, row: u32) -> Option<u32> {
        self.has(row).then(|| self.codes[row as usize])
    }

    pub fn code_count(&self) -> usize {
        self.slices.len()
    }

    /// Returns the set of a code. `None` if there is no such code.
    pub fn meaning(&self, code: u32) -> Option<&'c [u32]> {
        let slice = self.slices.get(code as usize)?;
        // SAFETY: a slice of the dictionary is a part of the elements.
        Some(unsafe { part(self.elements, slice) })
    }

    /// As `Texts::dictionary_version`.
    pub fn dictionary_version(&self) -> u64 {
        self.dictionary_version
    }
}

/// # Safety
/// The slice is a part of the array at `first`.
pub(crate) unsafe fn part<'c, T>(first: *const T, slice: &abi::Slice) -> &'c [T] {
    if slice.count == 0 || first.is_null() {
        return &[];
    }
    // SAFETY: as the caller vouches.
    unsafe { elements(first.add(slice.begin as usize), slice.count.into()) }
}

/// A column of lists of UUIDs, for example the instances of each row.
#[derive(Clone, Copy)]
pub struct Uuids<'c> {
    slices: &'c [abi::Slice],
    elements: *const Uuid,
    validity: Validity<'c>,
}

column!(Uuids, TYPE_UUIDS, "uuids");

impl<'c> Uuids<'c> {
    unsafe fn of(raw: &abi::Column, rows: u32, validity: Validity<'c>) -> Self {
        // SAFETY: a column has a slice for each row. Uuid has the layout of the ABI's struct.
        let slices = unsafe { elements(raw.values.cast(), rows.into()) };
        Uuids { slices, elements: raw.elements.cast(), validity }
    }

    /// Returns the list of a row, the empty list if the row never reported one.
    pub fn get(&self, row: u32) -> &'c [Uuid] {
        if !self.has(row) {
            return &[];
        }
        // SAFETY: the slice of a row with a value is a part of the elements.
        unsafe { part(self.elements, &self.slices[row as usize]) }
    }
}

/// A JSON value of a row. Texts of equal version are equal for the life of the process, so a driver may cache a parsed
/// form under its version. A text of version 0 must not be cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Json<'c> {
    pub text: &'c str,
    pub version: u64,
}

/// A column of JSON values.
#[derive(Clone, Copy)]
pub struct Documents<'c> {
    values: &'c [abi::Json],
    validity: Validity<'c>,
    lifetime: OnThisThread<'c>,
}

column!(Documents, TYPE_JSON, "json");

impl<'c> Documents<'c> {
    unsafe fn of(raw: &abi::Column, rows: u32, validity: Validity<'c>) -> Self {
        // SAFETY: a column has a value for each row.
        let values = unsafe { elements(raw.values.cast(), rows.into()) };
        Documents { values, validity, lifetime: PhantomData }
    }

    /// Returns the value of a row. `None`: never reported.
    pub fn get(&self, row: u32) -> Option<Json<'c>> {
        if !self.has(row) {
            return None;
        }
        let raw = &self.values[row as usize];
        // SAFETY: the text of a row with a value is a text of the host.
        Some(Json { text: unsafe { text(raw.text) }, version: raw.version })
    }
}
