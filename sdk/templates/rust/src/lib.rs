// SPDX-License-Identifier: Apache-2.0
//
//! A driver in Rust: the first host that is up and has the memory. Rename it, then change `Columns::fits`.

mod abi;

use abi::{has, Call, DriverInfo, DriverOps, Host, Limits, Option as HostOption, Options, Pick, Request, Text};
use std::mem::{size_of, zeroed};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null;
use std::slice::from_raw_parts;

const MANIFEST_TEXT: &str = "id = 'first_fit'
version = '0.1.0'
description = 'the first host that is up and has the memory'
topics = ['compute']
threads = 'reentrant'
[columns]
needs = ['up', 'disabled', 'memory_mb', 'memory_mb_used']
[options.reserve_mb]
type = 'integer'
default = 0
minimum = 0
help = 'MiB kept free on each host'
";

#[used]
#[link_section = ".gantry.manifest"]
static MANIFEST: [u8; abi::manifest_size(MANIFEST_TEXT)] = abi::manifest(MANIFEST_TEXT);

/// One instance. A reload makes a second one with other options while the first one works, and ends the first one then:
/// all that an instance knows is here, and nothing is in statics.
pub struct Driver {
    host: *const Host,
    reserve_mb: i64,
}

/// The value of an option. The host gives each option of the manifest, with its default if it is not configured.
unsafe fn integer_option(options: *const Options, name: &str) -> i64 {
    let first = (*options).options.cast::<u8>();
    for index in 0..(*options).option_count as usize {
        let option = first.add(index * (*options).option_stride as usize).cast::<HostOption>();
        let found = (*option).name;
        if found.size > 0 && from_raw_parts(found.data, found.size as usize) == name.as_bytes() {
            return (*option).integer;
        }
    }
    0
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
    reserve_mb: i64,
}

fn bit(bitmap: *const u64, row: u32) -> bool {
    unsafe { (*bitmap.add(row as usize / 64) >> (row % 64)) & 1 != 0 }
}

impl Columns {
    unsafe fn new(driver: &Driver, call: *mut Call, request: *const Request) -> Columns {
        let values = |name| (*((*driver.host).column)(call, (*request).view, Text::of(name))).values;
        Columns {
            up: values("up").cast(),
            disabled: values("disabled").cast(),
            complete: (*request).complete,
            // A host that was built with an earlier header has no such field.
            eligible: if has!(request, Request, eligible) { (*request).eligible } else { null() },
            memory_mb: values("memory_mb").cast(),
            memory_mb_used: values("memory_mb_used").cast(),
            rows: (*(*request).view).rows,
            reserve_mb: driver.reserve_mb,
        }
    }

    fn limit(&self, row: u32) -> f64 {
        unsafe { (*self.memory_mb.add(row as usize) - self.reserve_mb) as f64 }
    }

    fn fits(&self, row: u32, wanted: f64) -> bool {
        let used = unsafe { *self.memory_mb_used.add(row as usize) };
        let may_be_used = self.eligible.is_null() || bit(self.eligible, row);
        let is_up = bit(self.up, row) && !bit(self.disabled, row);
        may_be_used && is_up && bit(self.complete, row) && used + wanted <= self.limit(row)
    }
}

/// Places one instance; a claim that is lost moves on to the next host.
unsafe fn place(driver: &Driver, call: *mut Call, request: *const Request, instance: u32) -> i32 {
    let columns = Columns::new(driver, call, request);
    let has_memory_mb = (*request).present & abi::REQUEST_MEMORY_MB != 0;
    let wanted = if has_memory_mb { (*request).memory_mb as f64 } else { 0.0 };
    for row in (0..columns.rows).filter(|&row| columns.fits(row, wanted)) {
        let pick = Pick {
            struct_size: size_of::<Pick>() as u32,
            instance,
            row,
            // The claim is held against the memory without the reserve.
            present: abi::LIMIT_MEMORY_MB,
            limits: Limits { memory_mb: columns.limit(row), ..zeroed() },
            ..zeroed()
        };
        match ((*driver.host).pick)(call, &pick) {
            abi::CLAIM_LOST => continue,
            code => return code,
        }
    }
    abi::NO_VALID_HOST
}

const NO_HOST: Text = Text::of("no host that is up has the memory");

/// Runs an operation; a panic becomes a failure.
unsafe fn guarded(driver: *mut Driver, call: *mut Call, operation: impl FnOnce(&Driver) -> i32) -> i32 {
    let driver = &*driver;
    match catch_unwind(AssertUnwindSafe(|| operation(driver))) {
        Ok(code) => code,
        Err(_) => ((*driver.host).fail)(call, abi::INTERNAL, Text::of("the driver panicked")),
    }
}

unsafe extern "C" fn create(host: *const Host, _: *mut Call, options: *const Options, out: *mut *mut Driver) -> i32 {
    *out = Box::into_raw(Box::new(Driver { host, reserve_mb: integer_option(options, "reserve_mb") }));
    abi::OK
}

unsafe extern "C" fn destroy(driver: *mut Driver) {
    drop(Box::from_raw(driver));
}

/// All instances or none.
unsafe extern "C" fn select_destinations(driver: *mut Driver, call: *mut Call, request: *const Request) -> i32 {
    guarded(driver, call, |driver| {
        for instance in 0..(*request).instances {
            match place(driver, call, request, instance) {
                abi::OK => continue,
                abi::NO_VALID_HOST => return ((*driver.host).fail)(call, abi::NO_VALID_HOST, NO_HOST),
                code => return code,
            }
        }
        abi::OK
    })
}

/// Each instance on its own.
unsafe extern "C" fn schedule_run_instance(driver: *mut Driver, call: *mut Call, request: *const Request) -> i32 {
    guarded(driver, call, |driver| {
        for instance in 0..(*request).instances {
            let code = match place(driver, call, request, instance) {
                abi::NO_VALID_HOST => ((*driver.host).refuse)(call, instance, NO_HOST),
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
    // While the major is 0, each minor is a version of its own.
    if host_major == abi::ABI_MAJOR && (abi::ABI_MAJOR != 0 || host_minor == abi::ABI_MINOR) {
        &INFO
    } else {
        null()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_ends_before_the_field_does_not_have_it() {
        let end = abi::offset!(Request, eligible) + size_of::<*const u64>();
        let mut request: Request = unsafe { zeroed() };
        request.struct_size = end as u32;
        assert!(has!(&request, Request, eligible));
        request.struct_size -= 1;
        assert!(!has!(&request, Request, eligible));
    }

    #[test]
    fn the_manifest_has_the_lines_of_the_host() {
        let text = std::str::from_utf8(&MANIFEST).unwrap();
        assert!(text.starts_with(&format!("manifest = 1\nabi = '{}'\nid = ", abi::ABI_TEXT)));
        assert!(text.ends_with("each host'\n\0"));
    }
}
