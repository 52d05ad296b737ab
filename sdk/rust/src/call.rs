// SPDX-License-Identifier: Apache-2.0
//
//! One call into a driver, and the services of the host during the call.

use crate::abi::{self, has};
use crate::allocation::AllocationCandidates;
use crate::derived::Derived;
use crate::explain::{HostExplanation, Step};
use crate::failure::{expect_ok, Code, Failure, Result};
use crate::request::Request;
use crate::text::{text, OnThisThread, Strings};
use crate::view::View;
use std::ffi::c_void;
use std::fmt::Display;
use std::marker::PhantomData;
use std::mem::size_of;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Debug = abi::LOG_DEBUG as isize,
    Info = abi::LOG_INFO as isize,
    Warning = abi::LOG_WARNING as isize,
    Error = abi::LOG_ERROR as isize,
}

/// One call of an operation. All that it returns is valid until the operation returns, and stays on its thread.
pub struct Call<'c> {
    pub(crate) host: *const abi::Host,
    pub(crate) raw: *mut abi::Call,
    lifetime: OnThisThread<'c>,
}

/// The user on whose behalf a request is made.
#[derive(Clone, Copy)]
pub struct Context<'c> {
    pub is_admin: bool,
    pub request_id: &'c str,
    pub user_id: &'c str,
    pub project_id: &'c str,
    pub remote_address: &'c str,
    pub roles: Strings<'c>,
    /// The whole context without tokens and passwords, JSON.
    pub json: &'c str,
}

/// Where an instance is. The fields from `flavor` on come from the instance's record, and are empty or 0 without one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Location<'c> {
    /// In the compute topic's view.
    pub row: u32,
    pub host: &'c str,
    pub node: &'c str,
    pub availability_zone: &'c str,
    pub flavor: &'c str,
    pub project_id: &'c str,
    pub vm_state: &'c str,
    pub vcpus: i64,
    pub memory_mb: i64,
    pub disk_gb: f64,
}

/// Calls a service of the host.
macro_rules! service {
    ($call:expr, $service:ident $(, $argument:expr)*) => {{
        let call = $call;
        // SAFETY: host and call are valid while a Call is there, and the arguments live until the service returns.
        unsafe { ((*call.host).$service)(call.raw $(, $argument)*) }
    }};
}
pub(crate) use service;

impl<'c> Call<'c> {
    /// # Safety
    /// The host and its call are valid during `'c`, which is on this thread.
    pub(crate) unsafe fn new(host: *const abi::Host, raw: *mut abi::Call) -> Call<'c> {
        Call { host, raw, lifetime: PhantomData }
    }

    /// Returns the table of an extension of the host. `None` if the host does not offer the extension.
    fn extension<T>(&self, id: &str) -> Option<*const T> {
        // SAFETY: the host is valid while a Call is there.
        let table = unsafe { ((*self.host).extension)(self.host, abi::Text::of(id)) };
        (!table.is_null()).then(|| table.cast())
    }

    // ---- reporting

    /// Returns whether lines of this level are logged.
    pub fn logs(&self, level: Level) -> bool {
        // SAFETY: the host is valid while a Call is there, here and below.
        unsafe { ((*self.host).log_enabled)(self.host, level as i32) != 0 }
    }

    /// Logs one line. The message is only made if lines of this level are logged.
    pub fn log(&self, level: Level, message: impl Display) {
        if self.logs(level) {
            let message = message.to_string();
            let text = abi::Text::of(&message);
            unsafe { ((*self.host).log)(self.host, self.raw, level as i32, text) }
        }
    }

    /// Adds to the counter of that name, which operators see under the driver's name.
    pub fn count(&self, counter: &str, amount: u64) {
        unsafe { ((*self.host).count)(self.host, abi::Text::of(counter), amount) }
    }

    /// Records one step of the decision. A NoValidHost answer shows the steps in the order of these calls.
    pub fn explain(&self, step: &Step<'_>) {
        service!(self, explain, &step.raw())
    }

    /// Explains one host. Call it at most once for each instance and row, for the best hosts first. `ResourceExhausted`:
    /// there is no room for more explanations.
    pub fn explain_host(&self, explanation: &HostExplanation<'_>) -> Result {
        let table: *const abi::Explain = self.needed(abi::EXPLAIN_EXTENSION)?;
        // SAFETY: the table is the host's and constant.
        explanation.with_raw(|raw| expect_ok(unsafe { ((*table).explain_host)(self.raw, raw) }))
    }

    pub(crate) fn needed<T>(&self, id: &str) -> Result<*const T> {
        let lacks = || Failure::unsupported(format!("the host lacks the extension {}", id));
        self.extension(id).ok_or_else(lacks)
    }

    // ---- the input of the call

    pub fn context(&self) -> Context<'c> {
        let raw = service!(self, context);
        // SAFETY: the context is the host's until the call returns.
        unsafe {
            Context {
                is_admin: (*raw).is_admin != 0,
                request_id: text((*raw).request_id),
                user_id: text((*raw).user_id),
                project_id: text((*raw).project_id),
                remote_address: text((*raw).remote_address),
                roles: Strings::new((*raw).roles),
                json: text((*raw).json),
            }
        }
    }

    /// Returns whether the call is to end: its deadline has passed, or its result is not wanted any more.
    pub fn should_stop(&self) -> bool {
        service!(self, should_stop) != 0
    }

    /// Ends an operation whose deadline has passed: `call.stop_if_late("hosts were compared")?`.
    pub fn stop_if_late(&self, during: &str) -> Result {
        if self.should_stop() {
            return Err(Failure::deadline_exceeded(format!("the deadline passed while {}", during)));
        }
        Ok(())
    }

    pub fn time_left_ns(&self) -> i64 {
        service!(self, time_left_ns)
    }

    /// The time of the call, nanoseconds since 1970 UTC; the same for the whole call.
    pub fn now(&self) -> i64 {
        service!(self, now)
    }

    /// Returns the view of another topic at the same moment. `None` if the topic is unknown.
    pub fn view_of_topic(&self, topic: &str) -> Option<View<'c>> {
        let raw = service!(self, view, abi::Text::of(topic));
        // SAFETY: a view is the host's until the call returns.
        (!raw.is_null()).then(|| unsafe { View::new(self.host, self.raw, raw) })
    }

    /// Returns the allocation candidates of the call's request. `None`: there is nothing to choose.
    pub fn candidates(&self, request: &Request<'c>) -> Option<AllocationCandidates<'c>> {
        let table: *const abi::CandidateServices = self.extension(abi::CANDIDATES_EXTENSION)?;
        // SAFETY: the table is the host's and constant; the candidates are the host's until the call returns.
        unsafe {
            let raw = ((*table).of)(self.raw);
            (!raw.is_null()).then(|| AllocationCandidates::new(raw, request.view().rows()))
        }
    }

    /// Returns the rows of `view` that changed since the generation `since` of the topic's view, some perhaps twice.
    /// `None`: look at all rows, because any row may have changed, more than `most` rows changed, the view is a derived
    /// one, or the host does not know. `but_times` leaves out rows that changed in last_seen_up and updated_at alone.
    pub fn changes(&self, view: &View<'_>, since: u64, but_times: bool, most: u32) -> Option<Vec<u32>> {
        let table: *const abi::Changes = self.extension(abi::CHANGES_EXTENSION)?;
        let mut rows = vec![0; most as usize];
        let flags = if but_times { abi::CHANGES_BUT_TIMES } else { 0 };
        let mut count = 0;
        // SAFETY: the table is the host's and constant; it writes to no more than `most` rows.
        let code = unsafe {
            let room = rows.as_mut_ptr();
            ((*table).rows)(self.raw, view.raw(), since, flags, room, most.into(), &mut count)
        };
        rows.truncate(count as usize);
        (code == abi::OK).then_some(rows)
    }

    /// Finds the row of an instance, which may be a claimed one. `None`: the instance is on no host.
    pub fn locate(&self, instance_uuid: &str) -> Result<Option<Location<'c>>> {
        // SAFETY: a location of zeros is empty.
        let mut raw: abi::Location = unsafe { std::mem::zeroed() };
        raw.struct_size = size_of::<abi::Location>() as u32;
        match service!(self, locate, abi::Text::of(instance_uuid), &mut raw) {
            abi::NO_VALID_HOST => return Ok(None),
            code => expect_ok(code)?,
        }
        let has_amounts = has!(&raw, Location, disk_gb);
        // SAFETY: the texts are the host's until the call returns.
        unsafe {
            Ok(Some(Location {
                row: raw.row,
                host: text(raw.host),
                node: text(raw.node),
                availability_zone: text(raw.availability_zone),
                flavor: text(raw.flavor),
                project_id: text(raw.project_id),
                vm_state: text(raw.vm_state),
                vcpus: if has_amounts { raw.vcpus } else { 0 },
                memory_mb: if has_amounts { raw.memory_mb } else { 0 },
                disk_gb: if has_amounts { raw.disk_gb } else { 0.0 },
            }))
        }
    }

    // ---- random numbers, the same numbers for the same seed of the call

    /// Returns 64 random bits.
    pub fn random(&self) -> u64 {
        service!(self, random)
    }

    /// Returns a number from 0 to bound-1, each with equal probability, by the method of driver.h (convention 10). Panics
    /// if the bound is 0.
    pub fn random_below(&self, bound: u64) -> u64 {
        assert!(bound > 0, "expected a bound of at least 1, found 0");
        let uneven = bound.wrapping_neg() % bound; // 2^64 mod bound
        loop {
            let product = u128::from(self.random()) * u128::from(bound);
            if product as u64 >= uneven {
                return (product >> 64) as u64;
            }
        }
    }

    // ---- derived views

    /// Returns a copy of a view for writing. A column is copied only when it is written.
    pub fn derive<'v>(&self, view: &View<'v>) -> Result<Derived<'v>>
    where
        'c: 'v,
    {
        let raw = service!(self, derive, view.raw());
        if raw.is_null() {
            return Err(Failure::new(Code::ResourceExhausted, "no memory for a derived view"));
        }
        // SAFETY: the derived view is this call's, and refers to the columns of the first one.
        Ok(unsafe { Derived::new(self.host, self.raw, raw) })
    }

    /// Returns a copy of a text in memory that lives until the call returns.
    pub(crate) fn keep_text(&self, text: &str) -> Result<abi::Text> {
        // SAFETY: host and call are valid while a Call is there.
        unsafe { keep_text(self.host, self.raw, text) }
    }
}

/// # Safety
/// The host and its call are valid.
pub(crate) unsafe fn keep_text(host: *const abi::Host, call: *mut abi::Call, text: &str) -> Result<abi::Text> {
    if text.is_empty() {
        return Ok(abi::Text::of(""));
    }
    let size = text.len() as u64;
    // SAFETY: as the caller vouches; scratch memory of that size holds the text.
    unsafe {
        let memory: *mut c_void = ((*host).scratch)(call, size, 1);
        if memory.is_null() {
            return Err(Failure::new(Code::ResourceExhausted, "no memory for a text"));
        }
        memory.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), text.len());
        Ok(abi::Text { data: memory.cast(), size })
    }
}
