// SPDX-License-Identifier: Apache-2.0
//
//! The allocation candidates of a request: which providers can serve its groups on each row (ext/candidates.h).

use crate::abi;
use crate::columns::part;
use crate::text::{elements, text, OnThisThread};
use std::marker::PhantomData;
use std::ops::Range;

/// Refers to the host's data. An index that is out of range panics, which ends the operation with a failure.
#[derive(Clone, Copy)]
pub struct AllocationCandidates<'c> {
    raw: *const abi::Candidates,
    rows: u32,
    lifetime: OnThisThread<'c>,
}

impl<'c> AllocationCandidates<'c> {
    /// # Safety
    /// The candidates are those of a request with that many rows, and stay as they are during `'c`.
    pub(crate) unsafe fn new(raw: *const abi::Candidates, rows: u32) -> Self {
        AllocationCandidates { raw, rows, lifetime: PhantomData }
    }

    pub fn groups(&self) -> u32 {
        // SAFETY: the candidates are valid during 'c, here and below.
        unsafe { (*self.raw).group_count }
    }

    pub fn group(&self, group: u32) -> &'c str {
        unsafe { text(elements((*self.raw).groups, self.groups().into())[group as usize]) }
    }

    pub fn provider(&self, provider: u32) -> &'c str {
        unsafe { text(elements((*self.raw).providers, (*self.raw).provider_count)[provider as usize]) }
    }

    /// Returns how many groups the provider can serve at most.
    pub fn room(&self, provider: u32) -> u32 {
        unsafe { elements((*self.raw).rooms, (*self.raw).provider_count)[provider as usize] }
    }

    /// Returns the numbers of the row's sets.
    pub fn sets_of(&self, row: u32) -> Range<u32> {
        let slice = unsafe { elements((*self.raw).rows, self.rows.into())[row as usize] };
        slice.begin..slice.begin + slice.count
    }

    /// Returns the providers that the set has for the group.
    pub fn choices(&self, set: u32, group: u32) -> &'c [u32] {
        assert!(group < self.groups(), "expected a group below {}, found {}", self.groups(), group);
        unsafe {
            let groups = u64::from(self.groups());
            let sets = elements((*self.raw).sets, (*self.raw).set_count * groups);
            part((*self.raw).choices, &sets[(u64::from(set) * groups + u64::from(group)) as usize])
        }
    }

    /// Returns whether the providers, one for each group, are a candidate of the row.
    pub fn contains(&self, row: u32, chosen: &[u32]) -> bool {
        chosen.len() == self.groups() as usize && self.sets_of(row).any(|set| self.set_contains(set, chosen))
    }

    fn set_contains(&self, set: u32, chosen: &[u32]) -> bool {
        (0..self.groups()).zip(chosen).all(|(group, provider)| {
            let uses = chosen.iter().filter(|other| *other == provider).count();
            self.choices(set, group).contains(provider) && uses <= self.room(*provider) as usize
        })
    }
}
