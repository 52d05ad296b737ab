// SPDX-License-Identifier: Apache-2.0
//
//! The services of the fake host.

use super::{FakeCall, Picked};
use crate::abi::{self, Text};
use crate::text::text;
use std::ffi::c_void;
use std::mem::size_of;
use std::ptr::{null, null_mut};

impl FakeCall<'_> {
    pub(super) fn raw(&mut self) -> *mut abi::Call {
        (self as *mut Self).cast()
    }
}

// SAFETY of each function here: the call is the FakeCall of the running operation, and texts are valid.
unsafe fn of<'c>(call: *mut abi::Call) -> &'c mut FakeCall<'c> {
    unsafe { &mut *call.cast() }
}

unsafe fn owned(raw: Text) -> String {
    unsafe { text(raw).to_string() }
}

unsafe extern "C" fn fail(call: *mut abi::Call, code: i32, sentence: Text) -> i32 {
    unsafe { of(call).outcome.sentence = owned(sentence) };
    code
}

unsafe extern "C" fn column(call: *mut abi::Call, _: *const abi::View, name: Text) -> *const abi::Column {
    let found = unsafe { of(call).columns.iter().find(|column| text(column.name) == text(name)) };
    found.map_or(null(), |column| column)
}

/// Returns the state of xoshiro256** that splitmix64 makes of a seed.
pub(super) fn seeded(mut seed: u64) -> [u64; 4] {
    [(); 4].map(|()| {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    })
}

unsafe extern "C" fn random(call: *mut abi::Call) -> u64 {
    let state = unsafe { &mut of(call).random };
    let drawn = state[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
    let shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = state[3].rotate_left(45);
    drawn
}

unsafe fn picked(pick: *const abi::Pick) -> Picked {
    let pick = unsafe { *pick };
    let has_memory_mb = pick.present & abi::LIMIT_MEMORY_MB != 0;
    let limit_memory_mb = has_memory_mb.then_some(pick.limits.memory_mb);
    Picked { instance: pick.instance, row: pick.row, limit_memory_mb }
}

unsafe extern "C" fn pick(call: *mut abi::Call, pick: *const abi::Pick) -> i32 {
    let (call, picked) = unsafe { (of(call), picked(pick)) };
    if call.host.lost.contains(&picked.row) {
        return abi::CLAIM_LOST;
    }
    call.outcome.picks.push(picked);
    abi::OK
}

unsafe extern "C" fn alternate(call: *mut abi::Call, pick: *const abi::Pick) -> i32 {
    unsafe { of(call).outcome.alternates.push(picked(pick)) };
    abi::OK
}

unsafe extern "C" fn refuse(call: *mut abi::Call, instance: u32, reason: Text) -> i32 {
    unsafe { of(call).outcome.refusals.push((instance, owned(reason))) };
    abi::OK
}

unsafe extern "C" fn explain(call: *mut abi::Call, step: *const abi::Step) {
    unsafe {
        let step = *step;
        of(call).outcome.steps.push((owned(step.name), step.hosts_in, step.hosts_out, owned(step.reason)));
    }
}

unsafe extern "C" fn reply(call: *mut abi::Call, json: Text) -> i32 {
    unsafe { of(call).outcome.reply = Some(owned(json)) };
    abi::OK
}

unsafe extern "C" fn should_stop(call: *mut abi::Call) -> i32 {
    unsafe { of(call).host.stop.into() }
}

unsafe extern "C" fn time_left_ns(call: *mut abi::Call) -> i64 {
    unsafe { i64::from(!of(call).host.stop) * 1_000_000_000 }
}

unsafe extern "C" fn now(_: *mut abi::Call) -> i64 {
    1_700_000_000_000_000_000
}

unsafe extern "C" fn log(_: *const abi::Host, _: *const abi::Call, _: i32, _: Text) {}

unsafe extern "C" fn log_enabled(_: *const abi::Host, _: i32) -> i32 {
    1
}

unsafe extern "C" fn count(_: *const abi::Host, _: Text, _: u64) {}

unsafe extern "C" fn extension(_: *const abi::Host, _: Text) -> *const c_void {
    null()
}

static CONTEXT: SharedContext = SharedContext(abi::Context {
    struct_size: size_of::<abi::Context>() as u32,
    is_admin: 0,
    request_id: Text::of("req-00000000-0000-4000-8000-000000000000"),
    user_id: Text::of("user"),
    project_id: Text::of("project"),
    remote_address: Text::of(""),
    roles: abi::Strings { items: null(), count: 0 },
    json: Text::of("{}"),
});

struct SharedContext(abi::Context);
// SAFETY: the context refers to constants only.
unsafe impl Sync for SharedContext {}

unsafe extern "C" fn context(_: *mut abi::Call) -> *const abi::Context {
    &CONTEXT.0
}

unsafe extern "C" fn scratch(_: *mut abi::Call, _: u64, _: u64) -> *mut c_void {
    null_mut()
}

unsafe extern "C" fn view(_: *mut abi::Call, _: Text) -> *const abi::View {
    null()
}

unsafe extern "C" fn locate(_: *mut abi::Call, _: Text, _: *mut abi::Location) -> i32 {
    abi::NO_VALID_HOST
}

unsafe extern "C" fn derive(_: *mut abi::Call, _: *const abi::View) -> *const abi::View {
    null()
}

unsafe extern "C" fn write(_: *mut abi::Call, _: *const abi::View, _: Text, _: *mut abi::Writable) -> i32 {
    abi::UNSUPPORTED
}

unsafe extern "C" fn append(_: *mut abi::Call, _: *const abi::View, _: Text, _: u32, _: *const c_void) -> i32 {
    abi::UNSUPPORTED
}

unsafe extern "C" fn claim(_: *mut abi::Call, _: *const abi::Claim) -> i32 {
    abi::UNSUPPORTED
}

unsafe extern "C" fn cast(_: *mut abi::Call, _: *const abi::Cast) -> i32 {
    abi::UNSUPPORTED
}

pub(super) fn table() -> abi::Host {
    abi::Host {
        struct_size: size_of::<abi::Host>() as u32,
        abi_major: abi::ABI_MAJOR as u16,
        abi_minor: abi::ABI_MINOR as u16,
        name: Text::of("gantry"),
        version: Text::of("fake"),
        log,
        log_enabled,
        count,
        extension,
        fail,
        context,
        should_stop,
        time_left_ns,
        now,
        random,
        scratch,
        column,
        view,
        locate,
        derive,
        write,
        append,
        pick,
        alternate,
        refuse,
        explain,
        claim,
        reply,
        cast,
    }
}
