// SPDX-License-Identifier: Apache-2.0
//
//! Why a decision came out as it did: steps of the decision, and explanations of single hosts.

use crate::abi;
use crate::pick::bit_if;
use std::mem::size_of;

/// One step of the decision, e.g. a filter: how many hosts went in, how many were left, and why hosts were removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step<'a> {
    pub name: &'a str,
    pub hosts_in: u64,
    pub hosts_out: u64,
    /// May be empty.
    pub reason: &'a str,
    /// `None`: the whole request.
    pub instance: Option<u32>,
}

impl Step<'_> {
    pub(crate) fn raw(&self) -> abi::Step {
        abi::Step {
            struct_size: size_of::<abi::Step>() as u32,
            instance: self.instance.unwrap_or(u32::MAX),
            name: abi::Text::of(self.name),
            hosts_in: self.hosts_in,
            hosts_out: self.hosts_out,
            reason: abi::Text::of(self.reason),
        }
    }
}

/// The verdict of a filter, or of another step, on one host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<'a> {
    pub name: &'a str,
    pub passed: bool,
    /// May be empty.
    pub reason: &'a str,
}

/// The part of a host's weight that comes from one weigher: normalized * multiplier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term<'a> {
    pub name: &'a str,
    /// The weigher's score.
    pub raw: f64,
    /// The score, scaled by the driver.
    pub normalized: f64,
    pub multiplier: f64,
}

/// Why one host was chosen or left out for one instance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HostExplanation<'a> {
    pub instance: u32,
    pub row: u32,
    /// In the order of the filters.
    pub verdicts: &'a [Verdict<'a>],
    /// In the order of the weighers.
    pub terms: &'a [Term<'a>],
    pub weight: Option<f64>,
    /// 0 is the first choice; set only for a host that passed.
    pub rank: Option<u64>,
}

impl HostExplanation<'_> {
    /// Calls `tell` with the struct of the ABI.
    pub(crate) fn with_raw<T>(&self, tell: impl FnOnce(&abi::HostExplanation) -> T) -> T {
        let verdict = |verdict: &Verdict<'_>| abi::Verdict {
            name: abi::Text::of(verdict.name),
            reason: abi::Text::of(verdict.reason),
            passed: verdict.passed.into(),
            reserved0: 0,
        };
        let term = |term: &Term<'_>| abi::Term {
            name: abi::Text::of(term.name),
            raw: term.raw,
            normalized: term.normalized,
            multiplier: term.multiplier,
        };
        let verdicts: Vec<_> = self.verdicts.iter().map(verdict).collect();
        let terms: Vec<_> = self.terms.iter().map(term).collect();
        tell(&abi::HostExplanation {
            struct_size: size_of::<abi::HostExplanation>() as u32,
            instance: self.instance,
            row: self.row,
            present: bit_if(self.weight.is_some(), abi::EXPLANATION_WEIGHT)
                | bit_if(self.rank.is_some(), abi::EXPLANATION_RANK),
            verdicts: verdicts.as_ptr(),
            verdict_count: verdicts.len() as u32,
            verdict_stride: size_of::<abi::Verdict>() as u32,
            terms: terms.as_ptr(),
            term_count: terms.len() as u32,
            term_stride: size_of::<abi::Term>() as u32,
            weight: self.weight.unwrap_or(0.0),
            rank: self.rank.unwrap_or(0),
        })
    }
}
