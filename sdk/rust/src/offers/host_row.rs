// SPDX-License-Identifier: Apache-2.0
//
//! One host and its values by column name, for rules that look at one host at a time.

use crate::columns::{ColumnType, Documents, Flags, Integers, Json, Reals, Sets, Texts, Uuids};
use crate::text::Uuid;
use crate::view::View;
use std::cell::RefCell;

type Found<C> = RefCell<Vec<(String, Option<C>)>>;

/// The columns of a view that a rule has used so far, so that each is looked up once for all rows of a call.
pub(crate) struct HostColumns<'c> {
    view: View<'c>,
    texts: Found<Texts<'c>>,
    integers: Found<Integers<'c>>,
    reals: Found<Reals<'c>>,
    flags: Found<Flags<'c>>,
    documents: Found<Documents<'c>>,
    sets: Found<Sets<'c>>,
    uuids: Found<Uuids<'c>>,
}

impl<'c> HostColumns<'c> {
    pub(crate) fn new(view: View<'c>) -> HostColumns<'c> {
        HostColumns {
            view,
            texts: Found::default(),
            integers: Found::default(),
            reals: Found::default(),
            flags: Found::default(),
            documents: Found::default(),
            sets: Found::default(),
            uuids: Found::default(),
        }
    }

    fn find<C: ColumnType<'c> + Copy>(&self, known: &Found<C>, name: &str) -> Option<C> {
        if let Some((_, column)) = known.borrow().iter().find(|(known, _)| known == name) {
            return *column;
        }
        let column = self.view.find(name);
        known.borrow_mut().push((name.to_string(), column));
        column
    }
}

/// The values of one host. The functions take the name of a column of the manifest's columns.needs or columns.uses, and
/// return `None` if the host never reported a value or the column is of another type.
#[derive(Clone, Copy)]
pub struct HostRow<'r, 'c> {
    columns: &'r HostColumns<'c>,
    row: u32,
}

impl<'r, 'c> HostRow<'r, 'c> {
    pub(crate) fn new(columns: &'r HostColumns<'c>, row: u32) -> HostRow<'r, 'c> {
        HostRow { columns, row }
    }

    pub fn row(&self) -> u32 {
        self.row
    }

    /// The host's name, from the column "host".
    pub fn host(&self) -> &'c str {
        self.text("host").unwrap_or_default()
    }

    pub fn text(&self, name: &str) -> Option<&'c str> {
        self.columns.find(&self.columns.texts, name)?.get(self.row)
    }

    pub fn integer(&self, name: &str) -> Option<i64> {
        self.columns.find(&self.columns.integers, name)?.get(self.row)
    }

    pub fn real(&self, name: &str) -> Option<f64> {
        self.columns.find(&self.columns.reals, name)?.get(self.row)
    }

    pub fn flag(&self, name: &str) -> Option<bool> {
        self.columns.find(&self.columns.flags, name)?.get(self.row)
    }

    pub fn document(&self, name: &str) -> Option<Json<'c>> {
        self.columns.find(&self.columns.documents, name)?.get(self.row)
    }

    /// The host's instances, from the column "instances".
    pub fn instances(&self) -> &'c [Uuid] {
        let found = self.columns.find(&self.columns.uuids, "instances");
        found.map_or(&[], |column| column.get(self.row))
    }

    /// Returns the values that the host's aggregates have under the key in their metadata, from the column "aggregates".
    pub fn aggregate_values<'k>(&self, key: &'k str) -> impl Iterator<Item = &'c str> + 'k
    where
        'c: 'k,
    {
        let view = self.columns.view;
        let found = self.columns.find(&self.columns.sets, "aggregates");
        let indexes = found.and_then(|column| column.get(self.row)).unwrap_or_default();
        let aggregates = indexes.iter().filter_map(move |index| view.aggregate(*index));
        aggregates.filter_map(move |aggregate| aggregate.metadata.get(key))
    }
}
