// SPDX-License-Identifier: Apache-2.0
//
//! gantry/driver.h and gantry/ext/ in Rust: the same constants, and the same structs in the same order. The headers say
//! what they mean. A field `type` is called `kind` here. An optional operation is None, a required service is a bare
//! function.
//!
//! A struct of the host may be shorter than it is here, if the host is older. Keep a raw pointer to it, because a
//! reference promises the whole struct, and ask `has!` before you read a field that came later.
#![allow(dead_code, unused_macros, unused_imports)]

use std::ffi::c_void;
use std::mem::size_of;

/// Numbers in place of a struct: what is read at a field's place is half of its offset.
#[repr(C, align(8))]
pub struct Ruler([u16; 512]);

const fn ruler() -> Ruler {
    let mut marks = [0; 512];
    let mut mark = 0;
    while mark < marks.len() {
        marks[mark] = mark as u16;
        mark += 1;
    }
    Ruler(marks)
}
pub const RULER: &Ruler = &ruler();

/// The size of the field that a function borrows from its struct.
pub const fn size_of_field<T, F>(_: fn(&T) -> &F) -> usize {
    size_of::<F>()
}

/// The offset of a field, as offset_of! of Rust 1.77.
macro_rules! offset {
    ($owner:ty, $field:ident) => {{
        const OWNER: *const $owner = crate::abi::RULER as *const crate::abi::Ruler as *const $owner;
        const HALF: u16 = unsafe { *std::ptr::addr_of!((*OWNER).$field).cast::<u16>() };
        HALF as usize * 2
    }};
}
pub(crate) use offset;

/// GANTRY_HAS: whether the struct at a pointer has the field. The struct of an older maker may end before the field.
macro_rules! has {
    ($pointer:expr, $owner:ident, $field:ident) => {{
        const END: usize = crate::abi::offset!(crate::abi::$owner, $field)
            + crate::abi::size_of_field(|owner: &crate::abi::$owner| &owner.$field);
        (*$pointer).struct_size as usize >= END
    }};
}
pub(crate) use has;

pub const ABI_MAJOR: u32 = 1;
pub const ABI_MINOR: u32 = 1;
pub const MAGIC: u32 = 0x59524e47;
pub const OK: i32 = 0;
pub const NO_VALID_HOST: i32 = 1;
pub const INVALID_ARGUMENT: i32 = 2;
pub const UNSUPPORTED: i32 = 3;
pub const DEADLINE_EXCEEDED: i32 = 4;
pub const RESOURCE_EXHAUSTED: i32 = 5;
pub const CLAIM_LOST: i32 = 6;
pub const INTERNAL: i32 = 7;
pub const LOG_DEBUG: i32 = 0;
pub const LOG_INFO: i32 = 1;
pub const LOG_WARNING: i32 = 2;
pub const LOG_ERROR: i32 = 3;
pub const TYPE_BOOL: i32 = 1;
pub const TYPE_I64: i32 = 2;
pub const TYPE_F64: i32 = 3;
pub const TYPE_STRING: i32 = 4;
pub const TYPE_SET: i32 = 5;
pub const TYPE_JSON: i32 = 6;
pub const TYPE_UUIDS: i32 = 7;
pub const REQUEST_VCPUS: u32 = 1;
pub const REQUEST_MEMORY_MB: u32 = 2;
pub const REQUEST_ROOT_GB: u32 = 4;
pub const REQUEST_EPHEMERAL_GB: u32 = 8;
pub const REQUEST_SWAP_MB: u32 = 16;
pub const REQUEST_IS_BFV: u32 = 32;
pub const EXPLAIN_NONE: u32 = 0;
pub const EXPLAIN_HOSTS: u32 = 1;
pub const EXPLAIN_ALL_FILTERS: u32 = 2;
pub const LIMIT_VCPU: u32 = 1;
pub const LIMIT_MEMORY_MB: u32 = 2;
pub const LIMIT_DISK_GB: u32 = 4;
pub const PICK_WEIGHT: u32 = 8;
pub const CLAIM_LIMIT: u32 = 16;
pub const PICK_APART: u32 = 32;
pub const PICK_TOGETHER: u32 = 64;
pub const OPTION_BOOLEAN: i32 = 1;
pub const OPTION_INTEGER: i32 = 2;
pub const OPTION_REAL: i32 = 3;
pub const OPTION_STRING: i32 = 4;
pub const OPTION_STRINGS: i32 = 5;
pub const OPTION_TABLE: i32 = 6;
pub const FILTER_ONCE_PER_REQUEST: u32 = 1;
pub const FILTER_ON_REBUILD: u32 = 2;
pub const RUN_REBUILD: u32 = 1;
pub const REASON_NEED: u32 = 1;
pub const REASON_BEST: u32 = 2;
pub const WEIGHER_MINVAL: u32 = 1;
pub const WEIGHER_MAXVAL: u32 = 2;
pub const EXPLANATION_WEIGHT: u32 = 1;
pub const EXPLANATION_RANK: u32 = 2;
pub const CHANGES_BUT_TIMES: u32 = 1;
pub const CAPACITY_UNBOUNDED: u64 = u64::MAX;
pub const MOST_ASKS: u32 = 16;
pub const MOST_ASK_BYTES: u32 = 1048576;
pub const MOST_ANSWER_BYTES: u32 = 1048576;
pub const ABI_TEXT: &str = "1.1";
pub const OFFERS_EXTENSION: &str = "gantry.offers/1";
pub const FILTER_KIND: &str = "gantry.filter/1";
pub const WEIGHER_KIND: &str = "gantry.weigher/1";
pub const CANDIDATES_EXTENSION: &str = "gantry.candidates/1";
pub const EXPLAIN_EXTENSION: &str = "gantry.explain/1";
pub const CHANGES_EXTENSION: &str = "gantry.changes/1";
pub const CAPACITY_EXTENSION: &str = "gantry.capacity/1";
pub const ASK_EXTENSION: &str = "gantry.ask/1";

/// A running call; opaque.
pub enum Call {}

/// An instance of a driver; opaque.
pub enum Driver {}

/// An instance of an offer; opaque.
pub enum Offered {}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    pub data: *const u8,
    pub size: u64,
}
const _: () = assert!(size_of::<Text>() == 16);
const _: () = assert!(offset!(Text, data) == 0);
const _: () = assert!(offset!(Text, size) == 8);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Strings {
    pub items: *const Text,
    pub count: u64,
}
const _: () = assert!(size_of::<Strings>() == 16);
const _: () = assert!(offset!(Strings, items) == 0);
const _: () = assert!(offset!(Strings, count) == 8);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair {
    pub key: Text,
    pub value: Text,
}
const _: () = assert!(size_of::<Pair>() == 32);
const _: () = assert!(offset!(Pair, key) == 0);
const _: () = assert!(offset!(Pair, value) == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pairs {
    pub items: *const Pair,
    pub count: u64,
}
const _: () = assert!(size_of::<Pairs>() == 16);
const _: () = assert!(offset!(Pairs, items) == 0);
const _: () = assert!(offset!(Pairs, count) == 8);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Uuid {
    pub bytes: [u8; 16],
}
const _: () = assert!(size_of::<Uuid>() == 16);
const _: () = assert!(offset!(Uuid, bytes) == 0);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Slice {
    pub begin: u32,
    pub count: u32,
}
const _: () = assert!(size_of::<Slice>() == 8);
const _: () = assert!(offset!(Slice, begin) == 0);
const _: () = assert!(offset!(Slice, count) == 4);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Json {
    pub text: Text,
    pub version: u64,
}
const _: () = assert!(size_of::<Json>() == 24);
const _: () = assert!(offset!(Json, text) == 0);
const _: () = assert!(offset!(Json, version) == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Column {
    pub name: Text,
    pub kind: i32,
    pub struct_size: u32,
    pub values: *const c_void,
    pub validity: *const u64,
    pub dictionary: *const c_void,
    pub dictionary_count: u64,
    pub dictionary_version: u64,
    pub elements: *const c_void,
}
const _: () = assert!(size_of::<Column>() == 72);
const _: () = assert!(offset!(Column, name) == 0);
const _: () = assert!(offset!(Column, kind) == 16);
const _: () = assert!(offset!(Column, struct_size) == 20);
const _: () = assert!(offset!(Column, values) == 24);
const _: () = assert!(offset!(Column, validity) == 32);
const _: () = assert!(offset!(Column, dictionary) == 40);
const _: () = assert!(offset!(Column, dictionary_count) == 48);
const _: () = assert!(offset!(Column, dictionary_version) == 56);
const _: () = assert!(offset!(Column, elements) == 64);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Aggregate {
    pub id: i64,
    pub uuid: Text,
    pub name: Text,
    pub metadata: Pairs,
}
const _: () = assert!(size_of::<Aggregate>() == 56);
const _: () = assert!(offset!(Aggregate, id) == 0);
const _: () = assert!(offset!(Aggregate, uuid) == 8);
const _: () = assert!(offset!(Aggregate, name) == 24);
const _: () = assert!(offset!(Aggregate, metadata) == 40);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct View {
    pub struct_size: u32,
    pub rows: u32,
    pub generation: u64,
    pub topic: Text,
    pub columns: *const Column,
    pub column_count: u32,
    pub column_stride: u32,
    pub aggregates: *const Aggregate,
    pub aggregate_count: u32,
    pub aggregate_stride: u32,
}
const _: () = assert!(size_of::<View>() == 64);
const _: () = assert!(offset!(View, struct_size) == 0);
const _: () = assert!(offset!(View, rows) == 4);
const _: () = assert!(offset!(View, generation) == 8);
const _: () = assert!(offset!(View, topic) == 16);
const _: () = assert!(offset!(View, columns) == 32);
const _: () = assert!(offset!(View, column_count) == 40);
const _: () = assert!(offset!(View, column_stride) == 44);
const _: () = assert!(offset!(View, aggregates) == 48);
const _: () = assert!(offset!(View, aggregate_count) == 56);
const _: () = assert!(offset!(View, aggregate_stride) == 60);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Writable {
    pub struct_size: u32,
    pub reserved0: u32,
    pub values: *mut c_void,
    pub validity: *mut u64,
}
const _: () = assert!(size_of::<Writable>() == 24);
const _: () = assert!(offset!(Writable, struct_size) == 0);
const _: () = assert!(offset!(Writable, reserved0) == 4);
const _: () = assert!(offset!(Writable, values) == 8);
const _: () = assert!(offset!(Writable, validity) == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Context {
    pub struct_size: u32,
    pub is_admin: i32,
    pub request_id: Text,
    pub user_id: Text,
    pub project_id: Text,
    pub remote_address: Text,
    pub roles: Strings,
    pub json: Text,
}
const _: () = assert!(size_of::<Context>() == 104);
const _: () = assert!(offset!(Context, struct_size) == 0);
const _: () = assert!(offset!(Context, is_admin) == 4);
const _: () = assert!(offset!(Context, request_id) == 8);
const _: () = assert!(offset!(Context, user_id) == 24);
const _: () = assert!(offset!(Context, project_id) == 40);
const _: () = assert!(offset!(Context, remote_address) == 56);
const _: () = assert!(offset!(Context, roles) == 72);
const _: () = assert!(offset!(Context, json) == 88);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Group {
    pub struct_size: u32,
    pub reserved0: u32,
    pub uuid: Text,
    pub name: Text,
    pub policy: Text,
    pub rules: Text,
    pub members: Strings,
    pub member_rows: *const u32,
    pub member_row_count: u64,
    pub hosts: Strings,
}
const _: () = assert!(size_of::<Group>() == 120);
const _: () = assert!(offset!(Group, struct_size) == 0);
const _: () = assert!(offset!(Group, reserved0) == 4);
const _: () = assert!(offset!(Group, uuid) == 8);
const _: () = assert!(offset!(Group, name) == 24);
const _: () = assert!(offset!(Group, policy) == 40);
const _: () = assert!(offset!(Group, rules) == 56);
const _: () = assert!(offset!(Group, members) == 72);
const _: () = assert!(offset!(Group, member_rows) == 88);
const _: () = assert!(offset!(Group, member_row_count) == 96);
const _: () = assert!(offset!(Group, hosts) == 104);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Hint {
    pub key: Text,
    pub values: Strings,
}
const _: () = assert!(size_of::<Hint>() == 32);
const _: () = assert!(offset!(Hint, key) == 0);
const _: () = assert!(offset!(Hint, values) == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Request {
    pub struct_size: u32,
    pub instances: u32,
    pub alternates: u32,
    pub present: u32,
    pub view: *const View,
    pub complete: *const u64,
    pub instance_uuids: Strings,
    pub vcpus: i64,
    pub memory_mb: i64,
    pub root_gb: i64,
    pub ephemeral_gb: i64,
    pub swap_mb: i64,
    pub is_bfv: i64,
    pub disk_gb: f64,
    pub flavor: Text,
    pub extra_specs: Pairs,
    pub image_properties: Pairs,
    pub availability_zone: Text,
    pub project_id: Text,
    pub user_id: Text,
    pub force_hosts: Strings,
    pub force_nodes: Strings,
    pub ignore_hosts: Strings,
    pub requested_host: Text,
    pub requested_node: Text,
    pub retry_hosts: *const Pair,
    pub retry_host_count: u64,
    pub retry_attempts: u64,
    pub hints: *const Hint,
    pub hint_count: u32,
    pub hint_stride: u32,
    pub group: *const Group,
    pub spec: Text,
    pub filter_properties: Text,
    pub original: Text,
    pub explain_hosts: u32,
    pub reserved0: u32,
    pub eligible: *const u64,
    pub claimable: *const u64,
}
const _: () = assert!(size_of::<Request>() == 400);
const _: () = assert!(offset!(Request, struct_size) == 0);
const _: () = assert!(offset!(Request, instances) == 4);
const _: () = assert!(offset!(Request, alternates) == 8);
const _: () = assert!(offset!(Request, present) == 12);
const _: () = assert!(offset!(Request, view) == 16);
const _: () = assert!(offset!(Request, complete) == 24);
const _: () = assert!(offset!(Request, instance_uuids) == 32);
const _: () = assert!(offset!(Request, vcpus) == 48);
const _: () = assert!(offset!(Request, memory_mb) == 56);
const _: () = assert!(offset!(Request, root_gb) == 64);
const _: () = assert!(offset!(Request, ephemeral_gb) == 72);
const _: () = assert!(offset!(Request, swap_mb) == 80);
const _: () = assert!(offset!(Request, is_bfv) == 88);
const _: () = assert!(offset!(Request, disk_gb) == 96);
const _: () = assert!(offset!(Request, flavor) == 104);
const _: () = assert!(offset!(Request, extra_specs) == 120);
const _: () = assert!(offset!(Request, image_properties) == 136);
const _: () = assert!(offset!(Request, availability_zone) == 152);
const _: () = assert!(offset!(Request, project_id) == 168);
const _: () = assert!(offset!(Request, user_id) == 184);
const _: () = assert!(offset!(Request, force_hosts) == 200);
const _: () = assert!(offset!(Request, force_nodes) == 216);
const _: () = assert!(offset!(Request, ignore_hosts) == 232);
const _: () = assert!(offset!(Request, requested_host) == 248);
const _: () = assert!(offset!(Request, requested_node) == 264);
const _: () = assert!(offset!(Request, retry_hosts) == 280);
const _: () = assert!(offset!(Request, retry_host_count) == 288);
const _: () = assert!(offset!(Request, retry_attempts) == 296);
const _: () = assert!(offset!(Request, hints) == 304);
const _: () = assert!(offset!(Request, hint_count) == 312);
const _: () = assert!(offset!(Request, hint_stride) == 316);
const _: () = assert!(offset!(Request, group) == 320);
const _: () = assert!(offset!(Request, spec) == 328);
const _: () = assert!(offset!(Request, filter_properties) == 344);
const _: () = assert!(offset!(Request, original) == 360);
const _: () = assert!(offset!(Request, explain_hosts) == 376);
const _: () = assert!(offset!(Request, reserved0) == 380);
const _: () = assert!(offset!(Request, eligible) == 384);
const _: () = assert!(offset!(Request, claimable) == 392);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct MethodCall {
    pub struct_size: u32,
    pub reserved0: u32,
    pub topic: Text,
    pub method: Text,
    pub args: Text,
    pub view: *const View,
    pub complete: *const u64,
}
const _: () = assert!(size_of::<MethodCall>() == 72);
const _: () = assert!(offset!(MethodCall, struct_size) == 0);
const _: () = assert!(offset!(MethodCall, reserved0) == 4);
const _: () = assert!(offset!(MethodCall, topic) == 8);
const _: () = assert!(offset!(MethodCall, method) == 24);
const _: () = assert!(offset!(MethodCall, args) == 40);
const _: () = assert!(offset!(MethodCall, view) == 56);
const _: () = assert!(offset!(MethodCall, complete) == 64);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Limits {
    pub vcpu: f64,
    pub memory_mb: f64,
    pub disk_gb: f64,
    pub other: Text,
}
const _: () = assert!(size_of::<Limits>() == 40);
const _: () = assert!(offset!(Limits, vcpu) == 0);
const _: () = assert!(offset!(Limits, memory_mb) == 8);
const _: () = assert!(offset!(Limits, disk_gb) == 16);
const _: () = assert!(offset!(Limits, other) == 24);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pick {
    pub struct_size: u32,
    pub instance: u32,
    pub row: u32,
    pub present: u32,
    pub weight: f64,
    pub limits: Limits,
    pub items: *const ClaimItem,
    pub item_count: u32,
    pub item_stride: u32,
    pub group_limit: u32,
    pub reserved0: u32,
}
const _: () = assert!(size_of::<Pick>() == 88);
const _: () = assert!(offset!(Pick, struct_size) == 0);
const _: () = assert!(offset!(Pick, instance) == 4);
const _: () = assert!(offset!(Pick, row) == 8);
const _: () = assert!(offset!(Pick, present) == 12);
const _: () = assert!(offset!(Pick, weight) == 16);
const _: () = assert!(offset!(Pick, limits) == 24);
const _: () = assert!(offset!(Pick, items) == 64);
const _: () = assert!(offset!(Pick, item_count) == 72);
const _: () = assert!(offset!(Pick, item_stride) == 76);
const _: () = assert!(offset!(Pick, group_limit) == 80);
const _: () = assert!(offset!(Pick, reserved0) == 84);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ClaimItem {
    pub resource: Text,
    pub amount: f64,
    pub limit: f64,
    pub present: u32,
    pub reserved0: u32,
}
const _: () = assert!(size_of::<ClaimItem>() == 40);
const _: () = assert!(offset!(ClaimItem, resource) == 0);
const _: () = assert!(offset!(ClaimItem, amount) == 16);
const _: () = assert!(offset!(ClaimItem, limit) == 24);
const _: () = assert!(offset!(ClaimItem, present) == 32);
const _: () = assert!(offset!(ClaimItem, reserved0) == 36);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Claim {
    pub struct_size: u32,
    pub row: u32,
    pub consumer: Text,
    pub items: *const ClaimItem,
    pub item_count: u32,
    pub item_stride: u32,
}
const _: () = assert!(size_of::<Claim>() == 40);
const _: () = assert!(offset!(Claim, struct_size) == 0);
const _: () = assert!(offset!(Claim, row) == 4);
const _: () = assert!(offset!(Claim, consumer) == 8);
const _: () = assert!(offset!(Claim, items) == 24);
const _: () = assert!(offset!(Claim, item_count) == 32);
const _: () = assert!(offset!(Claim, item_stride) == 36);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Cast {
    pub struct_size: u32,
    pub row: u32,
    pub consumer: Text,
    pub method: Text,
    pub args: Text,
}
const _: () = assert!(size_of::<Cast>() == 56);
const _: () = assert!(offset!(Cast, struct_size) == 0);
const _: () = assert!(offset!(Cast, row) == 4);
const _: () = assert!(offset!(Cast, consumer) == 8);
const _: () = assert!(offset!(Cast, method) == 24);
const _: () = assert!(offset!(Cast, args) == 40);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Step {
    pub struct_size: u32,
    pub instance: u32,
    pub name: Text,
    pub hosts_in: u64,
    pub hosts_out: u64,
    pub reason: Text,
}
const _: () = assert!(size_of::<Step>() == 56);
const _: () = assert!(offset!(Step, struct_size) == 0);
const _: () = assert!(offset!(Step, instance) == 4);
const _: () = assert!(offset!(Step, name) == 8);
const _: () = assert!(offset!(Step, hosts_in) == 24);
const _: () = assert!(offset!(Step, hosts_out) == 32);
const _: () = assert!(offset!(Step, reason) == 40);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Location {
    pub struct_size: u32,
    pub row: u32,
    pub host: Text,
    pub node: Text,
    pub availability_zone: Text,
    pub flavor: Text,
    pub project_id: Text,
    pub vm_state: Text,
    pub vcpus: i64,
    pub memory_mb: i64,
    pub disk_gb: f64,
}
const _: () = assert!(size_of::<Location>() == 128);
const _: () = assert!(offset!(Location, struct_size) == 0);
const _: () = assert!(offset!(Location, row) == 4);
const _: () = assert!(offset!(Location, host) == 8);
const _: () = assert!(offset!(Location, node) == 24);
const _: () = assert!(offset!(Location, availability_zone) == 40);
const _: () = assert!(offset!(Location, flavor) == 56);
const _: () = assert!(offset!(Location, project_id) == 72);
const _: () = assert!(offset!(Location, vm_state) == 88);
const _: () = assert!(offset!(Location, vcpus) == 104);
const _: () = assert!(offset!(Location, memory_mb) == 112);
const _: () = assert!(offset!(Location, disk_gb) == 120);

#[repr(C)]
pub struct Host {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub name: Text,
    pub version: Text,
    pub log: unsafe extern "C" fn(*const Host, *const Call, i32, Text),
    pub log_enabled: unsafe extern "C" fn(*const Host, i32) -> i32,
    pub count: unsafe extern "C" fn(*const Host, Text, u64),
    pub extension: unsafe extern "C" fn(*const Host, Text) -> *const c_void,
    pub fail: unsafe extern "C" fn(*mut Call, i32, Text) -> i32,
    pub context: unsafe extern "C" fn(*mut Call) -> *const Context,
    pub should_stop: unsafe extern "C" fn(*mut Call) -> i32,
    pub time_left_ns: unsafe extern "C" fn(*mut Call) -> i64,
    pub now: unsafe extern "C" fn(*mut Call) -> i64,
    pub random: unsafe extern "C" fn(*mut Call) -> u64,
    pub scratch: unsafe extern "C" fn(*mut Call, u64, u64) -> *mut c_void,
    pub column: unsafe extern "C" fn(*mut Call, *const View, Text) -> *const Column,
    pub view: unsafe extern "C" fn(*mut Call, Text) -> *const View,
    pub locate: unsafe extern "C" fn(*mut Call, Text, *mut Location) -> i32,
    pub derive: unsafe extern "C" fn(*mut Call, *const View) -> *const View,
    pub write: unsafe extern "C" fn(*mut Call, *const View, Text, *mut Writable) -> i32,
    pub append: unsafe extern "C" fn(*mut Call, *const View, Text, u32, *const c_void) -> i32,
    pub pick: unsafe extern "C" fn(*mut Call, *const Pick) -> i32,
    pub alternate: unsafe extern "C" fn(*mut Call, *const Pick) -> i32,
    pub refuse: unsafe extern "C" fn(*mut Call, u32, Text) -> i32,
    pub explain: unsafe extern "C" fn(*mut Call, *const Step),
    pub claim: unsafe extern "C" fn(*mut Call, *const Claim) -> i32,
    pub reply: unsafe extern "C" fn(*mut Call, Text) -> i32,
    pub cast: unsafe extern "C" fn(*mut Call, *const Cast) -> i32,
}
const _: () = assert!(size_of::<Host>() == 232);
const _: () = assert!(offset!(Host, struct_size) == 0);
const _: () = assert!(offset!(Host, abi_major) == 4);
const _: () = assert!(offset!(Host, abi_minor) == 6);
const _: () = assert!(offset!(Host, name) == 8);
const _: () = assert!(offset!(Host, version) == 24);
const _: () = assert!(offset!(Host, log) == 40);
const _: () = assert!(offset!(Host, log_enabled) == 48);
const _: () = assert!(offset!(Host, count) == 56);
const _: () = assert!(offset!(Host, extension) == 64);
const _: () = assert!(offset!(Host, fail) == 72);
const _: () = assert!(offset!(Host, context) == 80);
const _: () = assert!(offset!(Host, should_stop) == 88);
const _: () = assert!(offset!(Host, time_left_ns) == 96);
const _: () = assert!(offset!(Host, now) == 104);
const _: () = assert!(offset!(Host, random) == 112);
const _: () = assert!(offset!(Host, scratch) == 120);
const _: () = assert!(offset!(Host, column) == 128);
const _: () = assert!(offset!(Host, view) == 136);
const _: () = assert!(offset!(Host, locate) == 144);
const _: () = assert!(offset!(Host, derive) == 152);
const _: () = assert!(offset!(Host, write) == 160);
const _: () = assert!(offset!(Host, append) == 168);
const _: () = assert!(offset!(Host, pick) == 176);
const _: () = assert!(offset!(Host, alternate) == 184);
const _: () = assert!(offset!(Host, refuse) == 192);
const _: () = assert!(offset!(Host, explain) == 200);
const _: () = assert!(offset!(Host, claim) == 208);
const _: () = assert!(offset!(Host, reply) == 216);
const _: () = assert!(offset!(Host, cast) == 224);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Option {
    pub name: Text,
    pub kind: i32,
    pub is_default: i32,
    pub integer: i64,
    pub real: f64,
    pub string: Text,
    pub strings: Strings,
    pub table: Pairs,
}
const _: () = assert!(size_of::<Option>() == 88);
const _: () = assert!(offset!(Option, name) == 0);
const _: () = assert!(offset!(Option, kind) == 16);
const _: () = assert!(offset!(Option, is_default) == 20);
const _: () = assert!(offset!(Option, integer) == 24);
const _: () = assert!(offset!(Option, real) == 32);
const _: () = assert!(offset!(Option, string) == 40);
const _: () = assert!(offset!(Option, strings) == 56);
const _: () = assert!(offset!(Option, table) == 72);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    pub struct_size: u32,
    pub option_stride: u32,
    pub options: *const Option,
    pub option_count: u64,
}
const _: () = assert!(size_of::<Options>() == 24);
const _: () = assert!(offset!(Options, struct_size) == 0);
const _: () = assert!(offset!(Options, option_stride) == 4);
const _: () = assert!(offset!(Options, options) == 8);
const _: () = assert!(offset!(Options, option_count) == 16);

#[repr(C)]
pub struct DriverOps {
    pub struct_size: u32,
    pub reserved0: u32,
    pub create: unsafe extern "C" fn(*const Host, *mut Call, *const Options, *mut *mut Driver) -> i32,
    pub destroy: unsafe extern "C" fn(*mut Driver),
    pub select_destinations: std::option::Option<unsafe extern "C" fn(*mut Driver, *mut Call, *const Request) -> i32>,
    pub schedule_run_instance: std::option::Option<unsafe extern "C" fn(*mut Driver, *mut Call, *const Request) -> i32>,
    pub hosts_up: std::option::Option<unsafe extern "C" fn(*mut Driver, *mut Call, *const View, *mut u64) -> i32>,
    pub group_hosts: std::option::Option<unsafe extern "C" fn(*mut Driver, *mut Call, *const Group, *const View, *mut u64) -> i32>,
    pub update_service_capabilities: std::option::Option<unsafe extern "C" fn(*mut Driver, *mut Call, Text, Text, Text) -> i32>,
    pub call_method: std::option::Option<unsafe extern "C" fn(*mut Driver, *mut Call, *const MethodCall) -> i32>,
    pub extension: std::option::Option<unsafe extern "C" fn(*mut Driver, Text) -> *const c_void>,
}
const _: () = assert!(size_of::<DriverOps>() == 80);
const _: () = assert!(offset!(DriverOps, struct_size) == 0);
const _: () = assert!(offset!(DriverOps, reserved0) == 4);
const _: () = assert!(offset!(DriverOps, create) == 8);
const _: () = assert!(offset!(DriverOps, destroy) == 16);
const _: () = assert!(offset!(DriverOps, select_destinations) == 24);
const _: () = assert!(offset!(DriverOps, schedule_run_instance) == 32);
const _: () = assert!(offset!(DriverOps, hosts_up) == 40);
const _: () = assert!(offset!(DriverOps, group_hosts) == 48);
const _: () = assert!(offset!(DriverOps, update_service_capabilities) == 56);
const _: () = assert!(offset!(DriverOps, call_method) == 64);
const _: () = assert!(offset!(DriverOps, extension) == 72);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct DriverInfo {
    pub magic: u32,
    pub struct_size: u32,
    pub abi_major: u32,
    pub abi_minor: u32,
    pub id: Text,
    pub version: Text,
    pub ops: *const DriverOps,
}
const _: () = assert!(size_of::<DriverInfo>() == 56);
const _: () = assert!(offset!(DriverInfo, magic) == 0);
const _: () = assert!(offset!(DriverInfo, struct_size) == 4);
const _: () = assert!(offset!(DriverInfo, abi_major) == 8);
const _: () = assert!(offset!(DriverInfo, abi_minor) == 12);
const _: () = assert!(offset!(DriverInfo, id) == 16);
const _: () = assert!(offset!(DriverInfo, version) == 32);
const _: () = assert!(offset!(DriverInfo, ops) == 48);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Candidates {
    pub struct_size: u32,
    pub group_count: u32,
    pub groups: *const Text,
    pub providers: *const Text,
    pub rooms: *const u32,
    pub provider_count: u64,
    pub rows: *const Slice,
    pub sets: *const Slice,
    pub set_count: u64,
    pub choices: *const u32,
    pub choice_count: u64,
}
const _: () = assert!(size_of::<Candidates>() == 80);
const _: () = assert!(offset!(Candidates, struct_size) == 0);
const _: () = assert!(offset!(Candidates, group_count) == 4);
const _: () = assert!(offset!(Candidates, groups) == 8);
const _: () = assert!(offset!(Candidates, providers) == 16);
const _: () = assert!(offset!(Candidates, rooms) == 24);
const _: () = assert!(offset!(Candidates, provider_count) == 32);
const _: () = assert!(offset!(Candidates, rows) == 40);
const _: () = assert!(offset!(Candidates, sets) == 48);
const _: () = assert!(offset!(Candidates, set_count) == 56);
const _: () = assert!(offset!(Candidates, choices) == 64);
const _: () = assert!(offset!(Candidates, choice_count) == 72);

#[repr(C)]
pub struct CandidateServices {
    pub struct_size: u32,
    pub reserved0: u32,
    pub of: unsafe extern "C" fn(*mut Call) -> *const Candidates,
    pub choose: unsafe extern "C" fn(*mut Call, u32, u32, *const u32, u32) -> i32,
}
const _: () = assert!(size_of::<CandidateServices>() == 24);
const _: () = assert!(offset!(CandidateServices, struct_size) == 0);
const _: () = assert!(offset!(CandidateServices, reserved0) == 4);
const _: () = assert!(offset!(CandidateServices, of) == 8);
const _: () = assert!(offset!(CandidateServices, choose) == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Verdict {
    pub name: Text,
    pub reason: Text,
    pub passed: u32,
    pub reserved0: u32,
}
const _: () = assert!(size_of::<Verdict>() == 40);
const _: () = assert!(offset!(Verdict, name) == 0);
const _: () = assert!(offset!(Verdict, reason) == 16);
const _: () = assert!(offset!(Verdict, passed) == 32);
const _: () = assert!(offset!(Verdict, reserved0) == 36);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Term {
    pub name: Text,
    pub raw: f64,
    pub normalized: f64,
    pub multiplier: f64,
}
const _: () = assert!(size_of::<Term>() == 40);
const _: () = assert!(offset!(Term, name) == 0);
const _: () = assert!(offset!(Term, raw) == 16);
const _: () = assert!(offset!(Term, normalized) == 24);
const _: () = assert!(offset!(Term, multiplier) == 32);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct HostExplanation {
    pub struct_size: u32,
    pub instance: u32,
    pub row: u32,
    pub present: u32,
    pub verdicts: *const Verdict,
    pub verdict_count: u32,
    pub verdict_stride: u32,
    pub terms: *const Term,
    pub term_count: u32,
    pub term_stride: u32,
    pub weight: f64,
    pub rank: u64,
}
const _: () = assert!(size_of::<HostExplanation>() == 64);
const _: () = assert!(offset!(HostExplanation, struct_size) == 0);
const _: () = assert!(offset!(HostExplanation, instance) == 4);
const _: () = assert!(offset!(HostExplanation, row) == 8);
const _: () = assert!(offset!(HostExplanation, present) == 12);
const _: () = assert!(offset!(HostExplanation, verdicts) == 16);
const _: () = assert!(offset!(HostExplanation, verdict_count) == 24);
const _: () = assert!(offset!(HostExplanation, verdict_stride) == 28);
const _: () = assert!(offset!(HostExplanation, terms) == 32);
const _: () = assert!(offset!(HostExplanation, term_count) == 40);
const _: () = assert!(offset!(HostExplanation, term_stride) == 44);
const _: () = assert!(offset!(HostExplanation, weight) == 48);
const _: () = assert!(offset!(HostExplanation, rank) == 56);

#[repr(C)]
pub struct Explain {
    pub struct_size: u32,
    pub reserved0: u32,
    pub explain_host: unsafe extern "C" fn(*mut Call, *const HostExplanation) -> i32,
}
const _: () = assert!(size_of::<Explain>() == 16);
const _: () = assert!(offset!(Explain, struct_size) == 0);
const _: () = assert!(offset!(Explain, reserved0) == 4);
const _: () = assert!(offset!(Explain, explain_host) == 8);

#[repr(C)]
pub struct Changes {
    pub struct_size: u32,
    pub reserved0: u32,
    pub rows: unsafe extern "C" fn(*mut Call, *const View, u64, u32, *mut u32, u64, *mut u64) -> i32,
}
const _: () = assert!(size_of::<Changes>() == 16);
const _: () = assert!(offset!(Changes, struct_size) == 0);
const _: () = assert!(offset!(Changes, reserved0) == 4);
const _: () = assert!(offset!(Changes, rows) == 8);

#[repr(C)]
pub struct Capacity {
    pub struct_size: u32,
    pub reserved0: u32,
    pub count: unsafe extern "C" fn(*mut Driver, *mut Call, *const Request, *mut u64) -> i32,
}
const _: () = assert!(size_of::<Capacity>() == 16);
const _: () = assert!(offset!(Capacity, struct_size) == 0);
const _: () = assert!(offset!(Capacity, reserved0) == 4);
const _: () = assert!(offset!(Capacity, count) == 8);

#[repr(C)]
pub struct OfferOps {
    pub struct_size: u32,
    pub flags: u32,
    pub create: unsafe extern "C" fn(*const Host, *mut Call, *const Options, *mut *mut Offered) -> i32,
    pub destroy: unsafe extern "C" fn(*mut Offered),
}
const _: () = assert!(size_of::<OfferOps>() == 24);
const _: () = assert!(offset!(OfferOps, struct_size) == 0);
const _: () = assert!(offset!(OfferOps, flags) == 4);
const _: () = assert!(offset!(OfferOps, create) == 8);
const _: () = assert!(offset!(OfferOps, destroy) == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Offer {
    pub kind: Text,
    pub name: Text,
    pub table: *const c_void,
}
const _: () = assert!(size_of::<Offer>() == 40);
const _: () = assert!(offset!(Offer, kind) == 0);
const _: () = assert!(offset!(Offer, name) == 16);
const _: () = assert!(offset!(Offer, table) == 32);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct OffersInfo {
    pub magic: u32,
    pub struct_size: u32,
    pub abi_major: u32,
    pub abi_minor: u32,
    pub id: Text,
    pub version: Text,
    pub offers: *const Offer,
    pub offer_count: u32,
    pub offer_stride: u32,
}
const _: () = assert!(size_of::<OffersInfo>() == 64);
const _: () = assert!(offset!(OffersInfo, magic) == 0);
const _: () = assert!(offset!(OffersInfo, struct_size) == 4);
const _: () = assert!(offset!(OffersInfo, abi_major) == 8);
const _: () = assert!(offset!(OffersInfo, abi_minor) == 12);
const _: () = assert!(offset!(OffersInfo, id) == 16);
const _: () = assert!(offset!(OffersInfo, version) == 32);
const _: () = assert!(offset!(OffersInfo, offers) == 48);
const _: () = assert!(offset!(OffersInfo, offer_count) == 56);
const _: () = assert!(offset!(OffersInfo, offer_stride) == 60);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct OfferLoaded {
    pub kind: Text,
    pub name: Text,
    pub library: Text,
    pub version: Text,
    pub help: Text,
    pub table: *const c_void,
    pub instance: *mut Offered,
    pub options: *const Options,
    pub needs: Strings,
}
const _: () = assert!(size_of::<OfferLoaded>() == 120);
const _: () = assert!(offset!(OfferLoaded, kind) == 0);
const _: () = assert!(offset!(OfferLoaded, name) == 16);
const _: () = assert!(offset!(OfferLoaded, library) == 32);
const _: () = assert!(offset!(OfferLoaded, version) == 48);
const _: () = assert!(offset!(OfferLoaded, help) == 64);
const _: () = assert!(offset!(OfferLoaded, table) == 80);
const _: () = assert!(offset!(OfferLoaded, instance) == 88);
const _: () = assert!(offset!(OfferLoaded, options) == 96);
const _: () = assert!(offset!(OfferLoaded, needs) == 104);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Offers {
    pub struct_size: u32,
    pub offer_count: u32,
    pub offers: *const OfferLoaded,
    pub offer_stride: u64,
}
const _: () = assert!(size_of::<Offers>() == 24);
const _: () = assert!(offset!(Offers, struct_size) == 0);
const _: () = assert!(offset!(Offers, offer_count) == 4);
const _: () = assert!(offset!(Offers, offers) == 8);
const _: () = assert!(offset!(Offers, offer_stride) == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct FilterRun {
    pub struct_size: u32,
    pub instance: u32,
    pub flags: u32,
    pub reserved0: u32,
    pub request: *const Request,
    pub view: *const View,
    pub rows: *mut u64,
}
const _: () = assert!(size_of::<FilterRun>() == 40);
const _: () = assert!(offset!(FilterRun, struct_size) == 0);
const _: () = assert!(offset!(FilterRun, instance) == 4);
const _: () = assert!(offset!(FilterRun, flags) == 8);
const _: () = assert!(offset!(FilterRun, reserved0) == 12);
const _: () = assert!(offset!(FilterRun, request) == 16);
const _: () = assert!(offset!(FilterRun, view) == 24);
const _: () = assert!(offset!(FilterRun, rows) == 32);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct FilterLimits {
    pub struct_size: u32,
    pub present: u32,
    pub limits: Limits,
}
const _: () = assert!(size_of::<FilterLimits>() == 48);
const _: () = assert!(offset!(FilterLimits, struct_size) == 0);
const _: () = assert!(offset!(FilterLimits, present) == 4);
const _: () = assert!(offset!(FilterLimits, limits) == 8);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct FilterReason {
    pub struct_size: u32,
    pub present: u32,
    pub text: Text,
    pub resource: Text,
    pub need: f64,
    pub best: f64,
}
const _: () = assert!(size_of::<FilterReason>() == 56);
const _: () = assert!(offset!(FilterReason, struct_size) == 0);
const _: () = assert!(offset!(FilterReason, present) == 4);
const _: () = assert!(offset!(FilterReason, text) == 8);
const _: () = assert!(offset!(FilterReason, resource) == 24);
const _: () = assert!(offset!(FilterReason, need) == 40);
const _: () = assert!(offset!(FilterReason, best) == 48);

#[repr(C)]
pub struct FilterOps {
    pub struct_size: u32,
    pub flags: u32,
    pub create: unsafe extern "C" fn(*const Host, *mut Call, *const Options, *mut *mut Offered) -> i32,
    pub destroy: unsafe extern "C" fn(*mut Offered),
    pub keep: unsafe extern "C" fn(*mut Offered, *mut Call, *const FilterRun) -> i32,
    pub limits: std::option::Option<unsafe extern "C" fn(*mut Offered, *mut Call, *const FilterRun, u32, *mut FilterLimits) -> i32>,
    pub reason: std::option::Option<unsafe extern "C" fn(*mut Offered, *mut Call, *const FilterRun, *const u64, *mut FilterReason) -> i32>,
}
const _: () = assert!(size_of::<FilterOps>() == 48);
const _: () = assert!(offset!(FilterOps, struct_size) == 0);
const _: () = assert!(offset!(FilterOps, flags) == 4);
const _: () = assert!(offset!(FilterOps, create) == 8);
const _: () = assert!(offset!(FilterOps, destroy) == 16);
const _: () = assert!(offset!(FilterOps, keep) == 24);
const _: () = assert!(offset!(FilterOps, limits) == 32);
const _: () = assert!(offset!(FilterOps, reason) == 40);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WeigherRun {
    pub struct_size: u32,
    pub instance: u32,
    pub flags: u32,
    pub bounds: u32,
    pub minval: f64,
    pub maxval: f64,
    pub request: *const Request,
    pub view: *const View,
    pub rows: *const u64,
    pub raw: *mut f64,
    pub present: *mut u64,
}
const _: () = assert!(size_of::<WeigherRun>() == 72);
const _: () = assert!(offset!(WeigherRun, struct_size) == 0);
const _: () = assert!(offset!(WeigherRun, instance) == 4);
const _: () = assert!(offset!(WeigherRun, flags) == 8);
const _: () = assert!(offset!(WeigherRun, bounds) == 12);
const _: () = assert!(offset!(WeigherRun, minval) == 16);
const _: () = assert!(offset!(WeigherRun, maxval) == 24);
const _: () = assert!(offset!(WeigherRun, request) == 32);
const _: () = assert!(offset!(WeigherRun, view) == 40);
const _: () = assert!(offset!(WeigherRun, rows) == 48);
const _: () = assert!(offset!(WeigherRun, raw) == 56);
const _: () = assert!(offset!(WeigherRun, present) == 64);

#[repr(C)]
pub struct WeigherOps {
    pub struct_size: u32,
    pub flags: u32,
    pub create: unsafe extern "C" fn(*const Host, *mut Call, *const Options, *mut *mut Offered) -> i32,
    pub destroy: unsafe extern "C" fn(*mut Offered),
    pub weigh: unsafe extern "C" fn(*mut Offered, *mut Call, *mut WeigherRun) -> i32,
    pub multiplier_name: Text,
    pub multiplier: f64,
}
const _: () = assert!(size_of::<WeigherOps>() == 56);
const _: () = assert!(offset!(WeigherOps, struct_size) == 0);
const _: () = assert!(offset!(WeigherOps, flags) == 4);
const _: () = assert!(offset!(WeigherOps, create) == 8);
const _: () = assert!(offset!(WeigherOps, destroy) == 16);
const _: () = assert!(offset!(WeigherOps, weigh) == 24);
const _: () = assert!(offset!(WeigherOps, multiplier_name) == 32);
const _: () = assert!(offset!(WeigherOps, multiplier) == 48);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Answer {
    pub struct_size: u32,
    pub status: i32,
    pub body: Text,
}
const _: () = assert!(size_of::<Answer>() == 24);
const _: () = assert!(offset!(Answer, struct_size) == 0);
const _: () = assert!(offset!(Answer, status) == 4);
const _: () = assert!(offset!(Answer, body) == 8);

#[repr(C)]
pub struct AskServices {
    pub struct_size: u32,
    pub reserved0: u32,
    pub ask: unsafe extern "C" fn(*mut Call, Text, Text, *mut Answer) -> i32,
}
const _: () = assert!(size_of::<AskServices>() == 16);
const _: () = assert!(offset!(AskServices, struct_size) == 0);
const _: () = assert!(offset!(AskServices, reserved0) == 4);
const _: () = assert!(offset!(AskServices, ask) == 8);

// Pointers to static, constant data only.
unsafe impl Sync for DriverOps {}
unsafe impl Sync for DriverInfo {}
unsafe impl Sync for Offer {}
unsafe impl Sync for OffersInfo {}

impl Text {
    pub const fn of(text: &str) -> Text {
        Text { data: text.as_ptr(), size: text.len() as u64 }
    }
}
