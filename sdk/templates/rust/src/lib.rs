// SPDX-License-Identifier: Apache-2.0
//
//! A driver in Rust: the first host that is up and has the memory. Rename it, then change `Columns::fits`.

mod abi;

use abi::{Call, DriverInfo, DriverOps, Host, Limits, Options, Pick, Request, Text};
use std::mem::size_of;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null;

const MANIFEST_TEXT: &str = "manifest = 1
abi = '0.4'
id = 'first_fit'
version = '0.1.0'
description = 'the first host that is up and has the memory'
topics = ['compute']
threads = 'reentrant'
[columns]
needs = ['up', 'disabled', 'memory_mb', 'memory_mb_used']
\0";

#[used]
#[link_section = ".gantry.manifest"]
static MANIFEST: [u8; MANIFEST_TEXT.len()] = {
    let mut bytes = [0; MANIFEST_TEXT.len()];
    let mut index = 0;
    while index < bytes.len() {
        bytes[index] = MANIFEST_TEXT.as_bytes()[index];
        index += 1;
    }
    bytes
};

pub struct Driver {
    host: *const Host,
}

/// The columns of one call.
struct Columns {
    up: *const u64,
    disabled: *const u64,
    complete: *const u64,
    eligible: *const u64,
    memory_mb: *const i64,
    memory_mb_used: *const f64,
    rows: u32,
}

fn bit(bitmap: *const u64, row: u32) -> bool {
    unsafe { (*bitmap.add(row as usize / 64) >> (row % 64)) & 1 != 0 }
}

impl Columns {
    unsafe fn new(host: &Host, call: *mut Call, request: &Request) -> Columns {
        let values = |name| (*(host.column)(call, request.view, Text::of(name))).values;
        Columns {
            up: values("up").cast(),
            disabled: values("disabled").cast(),
            complete: request.complete,
            // A host that was built with an earlier header has no such field.
            eligible: if request.struct_size as usize >= size_of::<Request>() { request.eligible } else { null() },
            memory_mb: values("memory_mb").cast(),
            memory_mb_used: values("memory_mb_used").cast(),
            rows: (*request.view).rows,
        }
    }

    fn limit(&self, row: u32) -> f64 {
        unsafe { *self.memory_mb.add(row as usize) as f64 }
    }

    fn fits(&self, row: u32, wanted: f64) -> bool {
        let used = unsafe { *self.memory_mb_used.add(row as usize) };
        (self.eligible.is_null() || bit(self.eligible, row)) && bit(self.up, row) && !bit(self.disabled, row) && bit(self.complete, row) && used + wanted <= self.limit(row)
    }
}

/// Places one instance; a claim that is lost moves on to the next host.
unsafe fn place(host: &Host, call: *mut Call, request: &Request, instance: u32) -> i32 {
    let columns = Columns::new(host, call, request);
    let wanted = if request.present & abi::REQUEST_MEMORY_MB != 0 { request.memory_mb as f64 } else { 0.0 };
    for row in (0..columns.rows).filter(|&row| columns.fits(row, wanted)) {
        let nothing = Text { data: null(), size: 0 };
        let pick = Pick {
            struct_size: size_of::<Pick>() as u32,
            instance,
            row,
            present: abi::LIMIT_MEMORY_MB,
            weight: 0.0,
            limits: Limits { vcpu: 0.0, memory_mb: columns.limit(row), disk_gb: 0.0, other: nothing },
            items: null(),
            item_count: 0,
            item_stride: 0,
            group_limit: 0,
            reserved0: 0,
            providers: null(),
            provider_count: 0,
            reserved1: 0,
        };
        match (host.pick)(call, &pick) {
            abi::CLAIM_LOST => continue,
            code => return code,
        }
    }
    abi::NO_VALID_HOST
}

const NO_HOST: Text = Text::of("no host that is up has the memory");

/// Runs an operation; a panic becomes a failure.
unsafe fn guarded(driver: *mut Driver, call: *mut Call, operation: impl FnOnce(&Host) -> i32) -> i32 {
    let host = &*(*driver).host;
    match catch_unwind(AssertUnwindSafe(|| operation(host))) {
        Ok(code) => code,
        Err(_) => (host.fail)(call, abi::INTERNAL, Text::of("the driver panicked")),
    }
}

unsafe extern "C" fn create(host: *const Host, _: *mut Call, _: *const Options, out: *mut *mut Driver) -> i32 {
    *out = Box::into_raw(Box::new(Driver { host }));
    abi::OK
}

unsafe extern "C" fn destroy(driver: *mut Driver) {
    drop(Box::from_raw(driver));
}

/// All instances or none.
unsafe extern "C" fn select_destinations(driver: *mut Driver, call: *mut Call, request: *const Request) -> i32 {
    guarded(driver, call, |host| {
        for instance in 0..(*request).instances {
            match place(host, call, &*request, instance) {
                abi::OK => continue,
                abi::NO_VALID_HOST => return (host.fail)(call, abi::NO_VALID_HOST, NO_HOST),
                code => return code,
            }
        }
        abi::OK
    })
}

/// Each instance on its own.
unsafe extern "C" fn schedule_run_instance(driver: *mut Driver, call: *mut Call, request: *const Request) -> i32 {
    guarded(driver, call, |host| {
        for instance in 0..(*request).instances {
            let code = match place(host, call, &*request, instance) {
                abi::NO_VALID_HOST => (host.refuse)(call, instance, NO_HOST),
                code => code,
            };
            if code != abi::OK {
                return code;
            }
        }
        abi::OK
    })
}

static OPERATIONS: DriverOps<Driver> = DriverOps {
    struct_size: size_of::<DriverOps<Driver>>() as u32,
    reserved0: 0,
    create,
    destroy,
    select_destinations: Some(select_destinations),
    schedule_run_instance: Some(schedule_run_instance),
    hosts_up: None,
    group_hosts: None,
    update_service_capabilities: None,
    call_method: None,
    extension: None,
};

static INFO: DriverInfo<Driver> = DriverInfo {
    magic: abi::MAGIC,
    struct_size: size_of::<DriverInfo<Driver>>() as u32,
    abi_major: abi::ABI_MAJOR,
    abi_minor: abi::ABI_MINOR,
    id: Text::of("first_fit"),
    version: Text::of("0.1.0"),
    ops: &OPERATIONS,
};

#[no_mangle]
pub extern "C" fn gantry_driver_entry(host_major: u32, host_minor: u32) -> *const DriverInfo<Driver> {
    if (host_major, host_minor) == (abi::ABI_MAJOR, abi::ABI_MINOR) {
        &INFO
    } else {
        null()
    }
}
