// SPDX-License-Identifier: Apache-2.0
//
//! What a driver gives to the host: picks, claims, casts.

use crate::abi;
use std::mem::size_of;

/// Whether a pick, an alternate or a claim held.
#[must_use = "a lost claim needs another choice"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claimed {
    Held,
    /// The row admits no such claim: go on to the next choice.
    Lost,
}

/// Totals that the use of a row may reach, as Nova's filters set them. `None` allows any amount.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    pub vcpu: Option<f64>,
    pub memory_mb: Option<f64>,
    pub disk_gb: Option<f64>,
    /// A JSON object that the caller gets in the destination's limits, unchanged. Empty: none.
    pub other: String,
}

impl Limits {
    /// Returns the struct of the ABI and its mask of present numbers. The struct refers to `self`.
    pub(crate) fn raw(&self) -> (abi::Limits, u32) {
        let present = bit_if(self.vcpu.is_some(), abi::LIMIT_VCPU)
            | bit_if(self.memory_mb.is_some(), abi::LIMIT_MEMORY_MB)
            | bit_if(self.disk_gb.is_some(), abi::LIMIT_DISK_GB);
        let limits = abi::Limits {
            vcpu: self.vcpu.unwrap_or(0.0),
            memory_mb: self.memory_mb.unwrap_or(0.0),
            disk_gb: self.disk_gb.unwrap_or(0.0),
            other: abi::Text::of(&self.other),
        };
        (limits, present)
    }
}

pub(crate) fn bit_if(is_set: bool, bit: u32) -> u32 {
    if is_set {
        bit
    } else {
        0
    }
}

/// An amount of a named resource to claim, and the total that claims of the resource may reach on the row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClaimItem<'a> {
    pub resource: &'a str,
    pub amount: f64,
    /// `None`: any total.
    pub limit: Option<f64>,
}

pub(crate) fn raw_items(items: &[ClaimItem<'_>]) -> Vec<abi::ClaimItem> {
    let raw = |item: &ClaimItem<'_>| abi::ClaimItem {
        resource: abi::Text::of(item.resource),
        amount: item.amount,
        limit: item.limit.unwrap_or(0.0),
        present: bit_if(item.limit.is_some(), abi::CLAIM_LIMIT),
        reserved0: 0,
    };
    items.iter().map(raw).collect()
}

/// The rule of the request's server group. The host checks the rule again when it claims a pick, because other requests
/// may have placed members since the view was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupBound {
    /// Most live members on the host, the new one included. 0: any number.
    pub most_on_a_host: u32,
    /// The host must have a live member already, unless the group has none.
    pub together: bool,
}

/// The choice of a row for an instance: `Pick { limits, ..Pick::new(instance, row) }`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pick<'a> {
    pub instance: u32,
    pub row: u32,
    pub limits: Limits,
    /// Shown in the decision record; has no effect.
    pub weight: Option<f64>,
    /// Further resources, claimed all or none. An alternate claims nothing and leaves them out.
    pub items: &'a [ClaimItem<'a>],
    /// An alternate leaves the bound out.
    pub bound: GroupBound,
    /// The allocation candidate: by group an index for `AllocationCandidates::provider`. Empty: the choice is left open.
    pub providers: &'a [u32],
}

impl Pick<'_> {
    pub fn new(instance: u32, row: u32) -> Self {
        Pick { instance, row, ..Pick::default() }
    }

    /// Returns the struct of the ABI, which refers to `self` and `items`.
    pub(crate) fn raw(&self, items: &[abi::ClaimItem], bound: GroupBound) -> abi::Pick {
        let (limits, present) = self.limits.raw();
        abi::Pick {
            struct_size: size_of::<abi::Pick>() as u32,
            instance: self.instance,
            row: self.row,
            present: present
                | bit_if(self.weight.is_some(), abi::PICK_WEIGHT)
                | bit_if(bound.most_on_a_host != 0, abi::PICK_APART)
                | bit_if(bound.together, abi::PICK_TOGETHER),
            weight: self.weight.unwrap_or(0.0),
            limits,
            items: items.as_ptr(),
            item_count: items.len() as u32,
            item_stride: size_of::<abi::ClaimItem>() as u32,
            group_limit: bound.most_on_a_host,
            reserved0: 0,
        }
    }
}

/// A message to the service of a row, without a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cast<'a> {
    pub row: u32,
    pub method: &'a str,
    /// A JSON object.
    pub args: &'a str,
    /// The consumer of a claim of this call, which then does not expire before the message is acknowledged. Empty: none.
    pub consumer: &'a str,
}
