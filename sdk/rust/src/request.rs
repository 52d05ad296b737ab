// SPDX-License-Identifier: Apache-2.0
//
//! A request to place instances, and the call of a custom method. driver.h describes the fields.

use crate::abi::{self, has};
use crate::bits::{words_of, Bits};
use crate::text::{elements, strided, text, OnThisThread, Pairs, Strings};
use crate::view::View;
use std::marker::PhantomData;

/// The explanations of single hosts that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExplainHosts {
    None,
    /// Verdicts up to the first rejection; terms of the best ten hosts.
    Hosts,
    /// The verdict of every filter; terms of each host that passed.
    AllFilters,
}

/// A request to place instances.
#[derive(Clone, Copy)]
pub struct Request<'c> {
    raw: *const abi::Request,
    view: View<'c>,
}

macro_rules! texts {
    ($($(#[$comment:meta])* $field:ident),*) => {
        $($(#[$comment])* pub fn $field(&self) -> &'c str {
            // SAFETY: the request is valid during 'c.
            unsafe { text((*self.raw).$field) }
        })*
    };
}

macro_rules! lists {
    ($($(#[$comment:meta])* $field:ident),*) => {
        $($(#[$comment])* pub fn $field(&self) -> Strings<'c> {
            // SAFETY: the request is valid during 'c.
            unsafe { Strings::new((*self.raw).$field) }
        })*
    };
}

macro_rules! amounts {
    ($($field:ident: $bit:ident),*) => {
        $(/// The amount that one instance needs. `None`: the request does not carry the number.
        pub fn $field(&self) -> Option<i64> {
            // SAFETY: the request is valid during 'c.
            unsafe { ((*self.raw).present & abi::$bit != 0).then(|| (*self.raw).$field) }
        })*
    };
}

impl<'c> Request<'c> {
    /// # Safety
    /// The request is one of the running call and stays as it is during `'c`.
    pub(crate) unsafe fn new(host: *const abi::Host, call: *mut abi::Call, raw: *const abi::Request) -> Request<'c> {
        // SAFETY: the view of a request lives as long as the request.
        Request { raw, view: unsafe { View::new(host, call, (*raw).view) } }
    }

    /// The number of instances to place, at least 1.
    pub fn instances(&self) -> u32 {
        // SAFETY: the request is valid during 'c, here and below.
        unsafe { (*self.raw).instances }
    }

    /// The number of further hosts that are wanted for each instance.
    pub fn alternates(&self) -> u32 {
        unsafe { (*self.raw).alternates }
    }

    pub fn view(&self) -> View<'c> {
        self.view
    }

    unsafe fn bits(&self, words: *const u64) -> Bits<'c> {
        let rows = self.view.rows();
        // SAFETY: a bitmap of the host has a bit for each row.
        Bits::new(unsafe { elements(words, words_of(rows) as u64) }, rows)
    }

    /// Returns the rows that have a value in every column of the manifest's columns.needs.
    pub fn complete(&self) -> Bits<'c> {
        unsafe { self.bits((*self.raw).complete) }
    }

    /// Returns the rows that may be used at all. `None`: all rows.
    pub fn eligible(&self) -> Option<Bits<'c>> {
        unsafe {
            let is_there = has!(self.raw, Request, eligible) && !(*self.raw).eligible.is_null();
            is_there.then(|| self.bits((*self.raw).eligible))
        }
    }

    /// Returns the eligible rows that can be claimed. `None`: not known.
    pub fn claimable(&self) -> Option<Bits<'c>> {
        unsafe {
            let is_there = has!(self.raw, Request, claimable) && !(*self.raw).claimable.is_null();
            is_there.then(|| self.bits((*self.raw).claimable))
        }
    }

    pub fn explain_hosts(&self) -> ExplainHosts {
        match unsafe { (*self.raw).explain_hosts } {
            abi::EXPLAIN_NONE => ExplainHosts::None,
            abi::EXPLAIN_HOSTS => ExplainHosts::Hosts,
            _ => ExplainHosts::AllFilters,
        }
    }

    amounts!(
        vcpus: REQUEST_VCPUS,
        memory_mb: REQUEST_MEMORY_MB,
        root_gb: REQUEST_ROOT_GB,
        ephemeral_gb: REQUEST_EPHEMERAL_GB,
        swap_mb: REQUEST_SWAP_MB
    );

    /// Whether the instances boot from a volume. `None`: the request does not say.
    pub fn is_bfv(&self) -> Option<bool> {
        unsafe { ((*self.raw).present & abi::REQUEST_IS_BFV != 0).then(|| (*self.raw).is_bfv != 0) }
    }

    /// The disk that a claim takes: root (unless from a volume) plus ephemeral plus swap.
    pub fn disk_gb(&self) -> f64 {
        unsafe { (*self.raw).disk_gb }
    }

    texts!(
        /// The name of the flavor.
        flavor,
        /// Empty: any.
        availability_zone,
        /// The project of the instances; may differ from the context's.
        project_id,
        user_id,
        /// The name of the only host allowed. Empty: any.
        requested_host,
        /// The name of the only node allowed. Empty: any.
        requested_node,
        /// The whole request spec as canonical JSON.
        spec,
        /// A JSON object.
        filter_properties,
        /// The request spec in the form received.
        original
    );

    lists!(
        /// Either `instances` of them or none.
        instance_uuids,
        force_hosts,
        force_nodes,
        ignore_hosts
    );

    pub fn extra_specs(&self) -> Pairs<'c> {
        let raw = unsafe { (*self.raw).extra_specs };
        unsafe { Pairs::new(raw.items, raw.count) }
    }

    /// Returns the value of an extra spec of the flavor. A value that is not text is JSON.
    pub fn extra_spec(&self, key: &str) -> Option<&'c str> {
        self.extra_specs().get(key)
    }

    pub fn image_properties(&self) -> Pairs<'c> {
        let raw = unsafe { (*self.raw).image_properties };
        unsafe { Pairs::new(raw.items, raw.count) }
    }

    /// Returns the value of a property of the image. A value that is not text is JSON.
    pub fn image_property(&self, key: &str) -> Option<&'c str> {
        self.image_properties().get(key)
    }

    /// The hosts that earlier attempts tried, with the node or an empty text.
    pub fn retry_hosts(&self) -> Pairs<'c> {
        unsafe { Pairs::new((*self.raw).retry_hosts, (*self.raw).retry_host_count) }
    }

    pub fn retry_attempts(&self) -> u64 {
        unsafe { (*self.raw).retry_attempts }
    }

    /// Returns the scheduler hints with their values.
    pub fn hints(&self) -> impl Iterator<Item = (&'c str, Strings<'c>)> + 'c {
        let raw = self.raw;
        let count = unsafe { (*raw).hint_count };
        // SAFETY: the index is below the number of hints, which are the host's.
        (0..count as usize).map(move |index| unsafe {
            let hint = strided((*raw).hints, index, (*raw).hint_stride as usize);
            (text((*hint).key), Strings::new((*hint).values))
        })
    }

    /// Returns the values of a scheduler hint. `None`: the request has no hint of that key.
    pub fn hint(&self, key: &str) -> Option<Strings<'c>> {
        self.hints().find(|(known, _)| *known == key).map(|(_, values)| values)
    }

    /// Returns the server group. `None`: the request has none.
    pub fn group(&self) -> Option<Group<'c>> {
        let raw = unsafe { (*self.raw).group };
        // SAFETY: the group lives as long as the request.
        (!raw.is_null()).then(|| unsafe { Group::new(raw) })
    }
}

/// A server group: instances that a policy places on the same host or on different hosts. An unknown policy has no rule.
#[derive(Clone, Copy)]
pub struct Group<'c> {
    raw: *const abi::Group,
    lifetime: OnThisThread<'c>,
}

impl<'c> Group<'c> {
    pub(crate) unsafe fn new(raw: *const abi::Group) -> Group<'c> {
        Group { raw, lifetime: PhantomData }
    }

    texts!(
        uuid,
        name,
        /// affinity, anti-affinity, soft-affinity, soft-anti-affinity
        policy,
        /// A JSON object with parameters of the policy.
        rules
    );
    lists!(
        /// The ids of the member instances.
        members,
        /// The host names of members, as listed in the request itself.
        hosts
    );

    /// Returns the rows of the live members, one entry for each, so a row may occur twice.
    pub fn member_rows(&self) -> &'c [u32] {
        // SAFETY: the group is valid during 'c.
        unsafe { elements((*self.raw).member_rows, (*self.raw).member_row_count) }
    }
}

/// The call of a custom method, one of the manifest's methods.
#[derive(Clone, Copy)]
pub struct MethodCall<'c> {
    raw: *const abi::MethodCall,
    view: View<'c>,
}

impl<'c> MethodCall<'c> {
    pub(crate) unsafe fn new(
        host: *const abi::Host,
        call: *mut abi::Call,
        raw: *const abi::MethodCall,
    ) -> MethodCall<'c> {
        // SAFETY: the view of a method's call lives as long as the call.
        MethodCall { raw, view: unsafe { View::new(host, call, (*raw).view) } }
    }

    texts!(
        topic,
        method,
        /// A JSON object, canonical: without spaces, keys in order.
        args
    );

    pub fn view(&self) -> View<'c> {
        self.view
    }

    /// Returns the rows that have a value in every column of the manifest's columns.needs.
    pub fn complete(&self) -> Bits<'c> {
        let rows = self.view.rows();
        // SAFETY: a bitmap of the host has a bit for each row.
        Bits::new(unsafe { elements((*self.raw).complete, words_of(rows) as u64) }, rows)
    }
}
