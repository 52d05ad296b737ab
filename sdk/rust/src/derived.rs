// SPDX-License-Identifier: Apache-2.0
//
//! Derived views: copies of a view into which a driver writes what the instances that it has placed consume.

use crate::abi;
use crate::bits::words_of;
use crate::call::keep_text;
use crate::columns::{ColumnType, Documents, Integers, Reals};
use crate::failure::{expect_ok, Result};
use crate::text::Uuid;
use crate::view::View;
use std::ffi::c_void;
use std::mem::{size_of, zeroed};
use std::ops::{Index, IndexMut};

/// A copy of a view for writing. What was read of it is given up before it is written.
pub struct Derived<'v> {
    host: *const abi::Host,
    call: *mut abi::Call,
    raw: *const abi::View,
    view: View<'v>,
}

/// The values of a column of a derived view.
pub struct Cells<'d, T> {
    values: &'d mut [T],
    validity: &'d mut [u64],
}

impl<T> Cells<'_, T> {
    /// Gives the row a value, which it may have lacked. Panics if the row is not in the view.
    pub fn set(&mut self, row: u32, value: T) {
        self.values[row as usize] = value;
        self.validity[row as usize / 64] |= 1 << (row % 64);
    }
}

impl<T> Index<u32> for Cells<'_, T> {
    type Output = T;
    fn index(&self, row: u32) -> &T {
        &self.values[row as usize]
    }
}

impl<T> IndexMut<u32> for Cells<'_, T> {
    fn index_mut(&mut self, row: u32) -> &mut T {
        &mut self.values[row as usize]
    }
}

/// # Safety
/// If `count` is not 0, `data` points to that many elements, which are nobody else's during `'d`.
unsafe fn elements_mut<'d, T>(data: *mut T, count: usize) -> &'d mut [T] {
    if count == 0 || data.is_null() {
        return &mut [];
    }
    // SAFETY: as the caller vouches.
    unsafe { std::slice::from_raw_parts_mut(data, count) }
}

impl<'v> Derived<'v> {
    /// # Safety
    /// The derived view is one of the running call, and the view that it was made of lives during `'v`.
    pub(crate) unsafe fn new(host: *const abi::Host, call: *mut abi::Call, raw: *const abi::View) -> Derived<'v> {
        // SAFETY: as the caller vouches.
        Derived { host, call, raw, view: unsafe { View::new(host, call, raw) } }
    }

    /// Returns the view for reading.
    pub fn view(&self) -> View<'_> {
        self.view
    }

    fn cells<'d, C: ColumnType<'d>, T>(&'d mut self, name: &str) -> Result<Cells<'d, T>> {
        let view: View<'d> = self.view;
        view.need::<C>(name)?;
        let rows = self.view.rows();
        // SAFETY: host and call are valid while the view is there. The cells are this view's own, of the type that C
        // reads, and the borrow of `self` keeps readers away.
        unsafe {
            let mut raw: abi::Writable = zeroed();
            raw.struct_size = size_of::<abi::Writable>() as u32;
            let column = abi::Text::of(name);
            expect_ok(((*self.host).write)(self.call, self.raw, column, &mut raw))?;
            let values = elements_mut(raw.values.cast(), rows as usize);
            Ok(Cells { values, validity: elements_mut(raw.validity, words_of(rows)) })
        }
    }

    /// Returns the column's cells for writing. The first call for a column makes the copy.
    pub fn integers(&mut self, name: &str) -> Result<Cells<'_, i64>> {
        self.cells::<Integers<'_>, i64>(name)
    }

    /// As `integers`.
    pub fn reals(&mut self, name: &str) -> Result<Cells<'_, f64>> {
        self.cells::<Reals<'_>, f64>(name)
    }

    /// Gives the row a JSON value.
    pub fn set_document(&mut self, name: &str, row: u32, json: &str) -> Result {
        // SAFETY: host and call are valid while the view is there.
        let text = unsafe { keep_text(self.host, self.call, json)? };
        let mut cells = self.cells::<Documents<'_>, abi::Json>(name)?;
        cells.set(row, abi::Json { text, version: 0 });
        Ok(())
    }

    /// Adds a UUID to a row's list, e.g. "instances", unless the list has it.
    pub fn append_uuid(&mut self, name: &str, row: u32, uuid: Uuid) -> Result {
        self.view.uuids(name)?;
        self.append(name, row, (&uuid as *const Uuid).cast())
    }

    /// Adds an index for `View::aggregate` to a row's set "aggregates", unless the set has it.
    pub fn append_index(&mut self, name: &str, row: u32, index: u32) -> Result {
        self.view.sets(name)?;
        self.append(name, row, (&index as *const u32).cast())
    }

    fn append(&mut self, name: &str, row: u32, element: *const c_void) -> Result {
        let column = abi::Text::of(name);
        // SAFETY: host and call are valid while the view is there, and the element is of the column's type.
        expect_ok(unsafe { ((*self.host).append)(self.call, self.raw, column, row, element) })
    }
}
