// SPDX-License-Identifier: Apache-2.0
//
//! gantry/driver.h in Rust: the same constants, and the same structs in the same order. driver.h says what they mean.
//! A field `type` is called `kind` here. An optional operation is None, a required service is a bare function.
#![allow(dead_code)]

use std::ffi::c_void;
use std::mem::size_of;

pub const ABI_MAJOR: u32 = 0;
pub const ABI_MINOR: u32 = 4;
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
pub const EXPLANATION_WEIGHT: u32 = 1;
pub const EXPLANATION_RANK: u32 = 2;
pub const OPTION_BOOLEAN: i32 = 1;
pub const OPTION_INTEGER: i32 = 2;
pub const OPTION_REAL: i32 = 3;
pub const OPTION_STRING: i32 = 4;
pub const OPTION_STRINGS: i32 = 5;
pub const OPTION_TABLE: i32 = 6;

/// A running call; opaque.
pub enum Call {}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    pub data: *const u8,
    pub size: u64,
}
const _: () = assert!(size_of::<Text>() == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Strings {
    pub items: *const Text,
    pub count: u64,
}
const _: () = assert!(size_of::<Strings>() == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair {
    pub key: Text,
    pub value: Text,
}
const _: () = assert!(size_of::<Pair>() == 32);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pairs {
    pub items: *const Pair,
    pub count: u64,
}
const _: () = assert!(size_of::<Pairs>() == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Uuid {
    pub bytes: [u8; 16],
}
const _: () = assert!(size_of::<Uuid>() == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Slice {
    pub begin: u32,
    pub count: u32,
}
const _: () = assert!(size_of::<Slice>() == 8);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Json {
    pub text: Text,
    pub version: u64,
}
const _: () = assert!(size_of::<Json>() == 24);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Column {
    pub name: Text,
    pub kind: i32,
    pub reserved0: u32,
    pub values: *const c_void,
    pub validity: *const u64,
    pub dictionary: *const c_void,
    pub dictionary_count: u64,
    pub dictionary_version: u64,
    pub elements: *const c_void,
}
const _: () = assert!(size_of::<Column>() == 72);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Aggregate {
    pub id: i64,
    pub uuid: Text,
    pub name: Text,
    pub metadata: Pairs,
}
const _: () = assert!(size_of::<Aggregate>() == 56);

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

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Writable {
    pub struct_size: u32,
    pub reserved0: u32,
    pub values: *mut c_void,
    pub validity: *mut u64,
}
const _: () = assert!(size_of::<Writable>() == 24);

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

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Hint {
    pub key: Text,
    pub values: Strings,
}
const _: () = assert!(size_of::<Hint>() == 32);

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
    pub candidates: *const Candidates,
}
const _: () = assert!(size_of::<Request>() == 408);

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

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Limits {
    pub vcpu: f64,
    pub memory_mb: f64,
    pub disk_gb: f64,
    pub other: Text,
}
const _: () = assert!(size_of::<Limits>() == 40);

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
    pub providers: *const u32,
    pub provider_count: u32,
    pub reserved1: u32,
}
const _: () = assert!(size_of::<Pick>() == 104);

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

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Verdict {
    pub name: Text,
    pub reason: Text,
    pub passed: u32,
    pub reserved0: u32,
}
const _: () = assert!(size_of::<Verdict>() == 40);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Term {
    pub name: Text,
    pub raw: f64,
    pub normalized: f64,
    pub multiplier: f64,
}
const _: () = assert!(size_of::<Term>() == 40);

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
}
const _: () = assert!(size_of::<Location>() == 104);

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
    pub explain_host: unsafe extern "C" fn(*mut Call, *const HostExplanation) -> i32,
}
const _: () = assert!(size_of::<Host>() == 240);

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

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    pub struct_size: u32,
    pub option_stride: u32,
    pub options: *const Option,
    pub option_count: u64,
}
const _: () = assert!(size_of::<Options>() == 24);

#[repr(C)]
pub struct DriverOps<Driver> {
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
const _: () = assert!(size_of::<DriverOps<c_void>>() == 80);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct DriverInfo<Driver> {
    pub magic: u32,
    pub struct_size: u32,
    pub abi_major: u32,
    pub abi_minor: u32,
    pub id: Text,
    pub version: Text,
    pub ops: *const DriverOps<Driver>,
}
const _: () = assert!(size_of::<DriverInfo<c_void>>() == 56);

// Pointers to static, constant data only.
unsafe impl<Driver> Sync for DriverOps<Driver> {}
unsafe impl<Driver> Sync for DriverInfo<Driver> {}

impl Text {
    pub const fn of(text: &str) -> Text {
        Text { data: text.as_ptr(), size: text.len() as u64 }
    }
}
