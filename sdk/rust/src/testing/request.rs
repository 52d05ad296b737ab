// SPDX-License-Identifier: Apache-2.0
//
//! The struct of the ABI that a fake request stands for.

use super::FakeRequest;
use crate::abi::{self, Text};
use crate::bits::words_of;
use std::mem::{size_of, zeroed};

fn texts(list: &[String]) -> Vec<Text> {
    list.iter().map(|text| Text::of(text)).collect()
}

fn strings(list: &[Text]) -> abi::Strings {
    abi::Strings { items: list.as_ptr(), count: list.len() as u64 }
}

impl FakeRequest {
    /// Calls `with` with the struct, which refers to the view.
    pub(super) fn with_raw<T>(&self, view: &abi::View, with: impl FnOnce(&abi::Request) -> T) -> T {
        let complete = vec![u64::MAX; words_of(view.rows)];
        let ignored = texts(&self.ignore_hosts);
        let pair = |(key, value): &(String, String)| abi::Pair { key: Text::of(key), value: Text::of(value) };
        let extra_specs: Vec<abi::Pair> = self.extra_specs.iter().map(pair).collect();
        let values: Vec<Vec<Text>> = self.hints.iter().map(|(_, values)| texts(values)).collect();
        let hint =
            |((key, _), values): (&(String, _), &Vec<Text>)| abi::Hint { key: Text::of(key), values: strings(values) };
        let hints: Vec<abi::Hint> = self.hints.iter().zip(&values).map(hint).collect();
        let amounts = [(self.vcpus, abi::REQUEST_VCPUS), (self.memory_mb, abi::REQUEST_MEMORY_MB)];
        // SAFETY: a request of zeros asks for nothing.
        let mut raw: abi::Request = unsafe { zeroed() };
        raw.struct_size = size_of::<abi::Request>() as u32;
        raw.instances = self.instances;
        raw.alternates = self.alternates;
        raw.view = view;
        raw.complete = complete.as_ptr();
        raw.hints = hints.as_ptr();
        raw.hint_count = hints.len() as u32;
        raw.hint_stride = size_of::<abi::Hint>() as u32;
        raw.ignore_hosts = strings(&ignored);
        raw.extra_specs = abi::Pairs { items: extra_specs.as_ptr(), count: extra_specs.len() as u64 };
        raw.present = amounts.iter().filter(|(amount, _)| amount.is_some()).map(|(_, bit)| bit).sum();
        // A number that is not there is poison: a driver has to ask first.
        raw.vcpus = self.vcpus.unwrap_or(i64::MIN);
        raw.memory_mb = self.memory_mb.unwrap_or(i64::MIN);
        with(&raw)
    }
}
