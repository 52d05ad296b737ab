// SPDX-License-Identifier: Apache-2.0
//
//! The hosts of one topic at one moment. driver.h lists the columns of the core.

use crate::abi;
use crate::columns::{ColumnType, Documents, Flags, Integers, Reals, Sets, Texts, Uuids};
use crate::failure::{Failure, Result};
use crate::text::{copy_of, strided, text, OnThisThread, Pairs};
use std::marker::PhantomData;

/// A view: rows of hosts and columns of values. Valid until the operation returns that received it.
#[derive(Clone, Copy)]
pub struct View<'c> {
    host: *const abi::Host,
    call: *mut abi::Call,
    raw: *const abi::View,
    lifetime: OnThisThread<'c>,
}

/// A host aggregate: a named group of hosts with metadata.
#[derive(Clone, Copy)]
pub struct Aggregate<'c> {
    pub id: i64,
    pub uuid: &'c str,
    pub name: &'c str,
    pub metadata: Pairs<'c>,
}

impl<'c> View<'c> {
    /// # Safety
    /// The view is one of the running call and stays as it is during `'c`.
    pub(crate) unsafe fn new(host: *const abi::Host, call: *mut abi::Call, raw: *const abi::View) -> View<'c> {
        View { host, call, raw, lifetime: PhantomData }
    }

    pub(crate) fn raw(&self) -> *const abi::View {
        self.raw
    }

    pub fn rows(&self) -> u32 {
        // SAFETY: the view is valid during 'c, here and below.
        unsafe { (*self.raw).rows }
    }

    /// Grows with each change of the topic's hosts. 0 in a derived view, which must not be cached.
    pub fn generation(&self) -> u64 {
        unsafe { (*self.raw).generation }
    }

    pub fn topic(&self) -> &'c str {
        unsafe { text((*self.raw).topic) }
    }

    pub fn aggregate_count(&self) -> u32 {
        unsafe { (*self.raw).aggregate_count }
    }

    /// Returns an aggregate by its index, which comes from the column "aggregates".
    pub fn aggregate(&self, index: u32) -> Option<Aggregate<'c>> {
        if index >= self.aggregate_count() {
            return None;
        }
        // SAFETY: the index is below the number of aggregates, which are the host's.
        unsafe {
            let stride = (*self.raw).aggregate_stride as usize;
            let raw = strided((*self.raw).aggregates, index as usize, stride);
            let metadata = (*raw).metadata;
            Some(Aggregate {
                id: (*raw).id,
                uuid: text((*raw).uuid),
                name: text((*raw).name),
                metadata: Pairs::new(metadata.items, metadata.count),
            })
        }
    }

    fn column(&self, name: &str) -> Option<abi::Column> {
        // SAFETY: the host and the call are valid, and a column is the host's until the call returns.
        unsafe {
            let raw = ((*self.host).column)(self.call, self.raw, abi::Text::of(name));
            (!raw.is_null()).then(|| copy_of(raw, (*raw).struct_size))
        }
    }

    /// Returns a column by name. `None` if the view lacks the column or the column is of another type.
    pub fn find<C: ColumnType<'c>>(&self, name: &str) -> Option<C> {
        let raw = self.column(name).filter(|raw| raw.kind == C::TYPE)?;
        // SAFETY: the column is of this type and has the rows of the view.
        Some(unsafe { C::read(&raw, self.rows()) })
    }

    /// Returns a column that the manifest's columns.needs names: such a column always exists.
    pub fn need<C: ColumnType<'c>>(&self, name: &str) -> Result<C> {
        self.find(name).ok_or_else(|| {
            Failure::internal(format!(
                "the host gives no column '{}' of type {}: name it in the manifest's columns.needs, \
                 or use View::find",
                name,
                C::NAME
            ))
        })
    }

    pub fn integers(&self, name: &str) -> Result<Integers<'c>> {
        self.need(name)
    }

    pub fn reals(&self, name: &str) -> Result<Reals<'c>> {
        self.need(name)
    }

    pub fn flags(&self, name: &str) -> Result<Flags<'c>> {
        self.need(name)
    }

    pub fn texts(&self, name: &str) -> Result<Texts<'c>> {
        self.need(name)
    }

    pub fn documents(&self, name: &str) -> Result<Documents<'c>> {
        self.need(name)
    }

    pub fn sets(&self, name: &str) -> Result<Sets<'c>> {
        self.need(name)
    }

    pub fn uuids(&self, name: &str) -> Result<Uuids<'c>> {
        self.need(name)
    }
}
