// SPDX-License-Identifier: Apache-2.0
//
//! gantry/driver.h 0.4 in Rust: the same structs in the same order. driver.h says what they mean.
#![allow(dead_code)]

use std::ffi::c_void;

pub const MAGIC: u32 = 0x5952_4e47;
pub const ABI_MAJOR: u32 = 0;
pub const ABI_MINOR: u32 = 4;

pub const OK: i32 = 0;
pub const NO_VALID_HOST: i32 = 1;
pub const CLAIM_LOST: i32 = 6;
pub const INTERNAL: i32 = 7;

pub const REQUEST_MEMORY_MB: u32 = 2;

/// Bits of Pick::present.
pub const LIMIT_VCPU: u32 = 1;
pub const LIMIT_MEMORY_MB: u32 = 2;
pub const LIMIT_DISK_GB: u32 = 4;
pub const PICK_WEIGHT: u32 = 8;
pub const PICK_APART: u32 = 32;
pub const PICK_TOGETHER: u32 = 64;
/// Of ClaimItem::present.
pub const CLAIM_LIMIT: u32 = 16;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    pub data: *const u8,
    pub size: u64,
}

impl Text {
    pub const fn of(text: &str) -> Text {
        Text { data: text.as_ptr(), size: text.len() as u64 }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct List {
    pub items: *const c_void,
    pub count: u64,
}

#[repr(C)]
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

#[repr(C)]
pub struct View {
    pub struct_size: u32,
    pub rows: u32,
    pub generation: u64,
    pub topic: Text,
    pub columns: *const Column,
    pub column_count: u32,
    pub column_stride: u32,
    pub aggregates: *const c_void,
    pub aggregate_count: u32,
    pub aggregate_stride: u32,
}

#[repr(C)]
pub struct Request {
    pub struct_size: u32,
    pub instances: u32,
    pub alternates: u32,
    pub present: u32,
    pub view: *const View,
    pub complete: *const u64,
    pub instance_uuids: List,
    pub vcpus: i64,
    pub memory_mb: i64,
    pub root_gb: i64,
    pub ephemeral_gb: i64,
    pub swap_mb: i64,
    pub is_bfv: i64,
    pub disk_gb: f64,
    pub flavor: Text,
    pub extra_specs: List,
    pub image_properties: List,
    pub availability_zone: Text,
    pub project_id: Text,
    pub user_id: Text,
    pub force_hosts: List,
    pub force_nodes: List,
    pub ignore_hosts: List,
    pub requested_host: Text,
    pub requested_node: Text,
    pub retry_hosts: *const c_void,
    pub retry_host_count: u64,
    pub retry_attempts: u64,
    pub hints: *const c_void,
    pub hint_count: u32,
    pub hint_stride: u32,
    pub group: *const c_void,
    pub spec: Text,
    pub filter_properties: Text,
    pub original: Text,
    pub explain_hosts: u32,
    pub reserved0: u32,
}

#[repr(C)]
pub struct Limits {
    pub vcpu: f64,
    pub memory_mb: f64,
    pub disk_gb: f64,
    pub other: Text,
}

#[repr(C)]
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

#[repr(C)]
pub struct ClaimItem {
    pub resource: Text,
    pub amount: f64,
    pub limit: f64,
    pub present: u32,
    pub reserved0: u32,
}

#[repr(C)]
pub struct Cast {
    pub struct_size: u32,
    pub row: u32,
    pub consumer: Text,
    pub method: Text,
    pub args: Text,
}

/// One call under way; opaque.
pub enum Call {}

/// Services that this driver does not use stand as bare pointers.
type Unused = *const c_void;

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
    pub context: Unused,
    pub should_stop: unsafe extern "C" fn(*mut Call) -> i32,
    pub time_left_ns: unsafe extern "C" fn(*mut Call) -> i64,
    pub now: unsafe extern "C" fn(*mut Call) -> i64,
    pub random: unsafe extern "C" fn(*mut Call) -> u64,
    pub scratch: unsafe extern "C" fn(*mut Call, u64, u64) -> *mut c_void,
    pub column: unsafe extern "C" fn(*mut Call, *const View, Text) -> *const Column,
    pub view: unsafe extern "C" fn(*mut Call, Text) -> *const View,
    pub locate: Unused,
    pub derive: unsafe extern "C" fn(*mut Call, *const View) -> *const View,
    pub write: Unused,
    pub append: Unused,
    pub pick: unsafe extern "C" fn(*mut Call, *const Pick) -> i32,
    pub alternate: unsafe extern "C" fn(*mut Call, *const Pick) -> i32,
    pub refuse: unsafe extern "C" fn(*mut Call, u32, Text) -> i32,
    pub explain: Unused,
    pub claim: Unused,
    pub reply: unsafe extern "C" fn(*mut Call, Text) -> i32,
    pub cast: unsafe extern "C" fn(*mut Call, *const Cast) -> i32,
    pub explain_host: Unused,
}

#[repr(C)]
pub struct Operations<Driver> {
    pub struct_size: u32,
    pub reserved0: u32,
    pub create: unsafe extern "C" fn(*const Host, *mut Call, *const c_void, *mut *mut Driver) -> i32,
    pub destroy: unsafe extern "C" fn(*mut Driver),
    pub select_destinations: unsafe extern "C" fn(*mut Driver, *mut Call, *const Request) -> i32,
    pub schedule_run_instance: unsafe extern "C" fn(*mut Driver, *mut Call, *const Request) -> i32,
    pub hosts_up: Unused,
    pub group_hosts: Unused,
    pub update_service_capabilities: Unused,
    pub call_method: Unused,
    pub extension: Unused,
}

#[repr(C)]
pub struct Info<Driver: 'static> {
    pub magic: u32,
    pub struct_size: u32,
    pub abi_major: u32,
    pub abi_minor: u32,
    pub id: Text,
    pub version: Text,
    pub operations: &'static Operations<Driver>,
}

// Pointers to static, constant text only.
unsafe impl<Driver> Sync for Info<Driver> {}
unsafe impl<Driver> Sync for Operations<Driver> {}
