// SPDX-License-Identifier: Apache-2.0
//
//! The C functions of a driver, and the table of those that a type has.

use crate::abi;
use crate::bits::Bitmap;
use crate::call::Call;
use crate::driver::{Capacity, Decide, Driver, GroupHosts, HostsUp, Methods, ServiceCapabilities};
use crate::failure::Result;
use crate::guard::{create_instance, destroy_instance, give_rows, guarded, install_hook, Instance};
use crate::request::{Group, MethodCall, Request};
use crate::text::text;
use crate::view::View;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::size_of;
use std::ptr::null;

unsafe extern "C" fn create<D: Driver>(
    host: *const abi::Host,
    call: *mut abi::Call,
    options: *const abi::Options,
    out: *mut *mut abi::Driver,
) -> i32 {
    // SAFETY: the arguments are the host's, as driver.h says; so they are in each function of this file.
    unsafe { create_instance(host, call, options, out, D::create) }
}

unsafe extern "C" fn destroy<D: Driver>(driver: *mut abi::Driver) {
    unsafe { destroy_instance::<D>(driver.cast()) }
}

unsafe fn with<D: Driver>(
    driver: *mut abi::Driver,
    call: *mut abi::Call,
    operation: impl FnOnce(&D, &Call<'_>, *const abi::Host) -> Result,
) -> i32 {
    unsafe {
        let instance = driver.cast::<Instance<D>>();
        let host = (*instance).host;
        guarded(host, call, |call| operation(&(*instance).object, call, host))
    }
}

unsafe extern "C" fn select_destinations<D: Decide>(
    driver: *mut abi::Driver,
    raw: *mut abi::Call,
    request: *const abi::Request,
) -> i32 {
    unsafe {
        with::<D>(driver, raw, |driver, call, host| driver.select_destinations(call, &Request::new(host, raw, request)))
    }
}

unsafe extern "C" fn schedule_run_instance<D: Decide>(
    driver: *mut abi::Driver,
    raw: *mut abi::Call,
    request: *const abi::Request,
) -> i32 {
    unsafe {
        with::<D>(driver, raw, |driver, call, host| {
            driver.schedule_run_instance(call, &Request::new(host, raw, request))
        })
    }
}

unsafe extern "C" fn hosts_up<D: HostsUp>(
    driver: *mut abi::Driver,
    raw: *mut abi::Call,
    view: *const abi::View,
    rows_out: *mut u64,
) -> i32 {
    unsafe {
        with::<D>(driver, raw, |driver, call, host| {
            let view = View::new(host, raw, view);
            let mut rows = Bitmap::empty(view.rows());
            driver.hosts_up(call, &view, &mut rows)?;
            give_rows(&rows, rows_out);
            Ok(())
        })
    }
}

unsafe extern "C" fn group_hosts<D: GroupHosts>(
    driver: *mut abi::Driver,
    raw: *mut abi::Call,
    group: *const abi::Group,
    view: *const abi::View,
    rows_out: *mut u64,
) -> i32 {
    unsafe {
        with::<D>(driver, raw, |driver, call, host| {
            let view = View::new(host, raw, view);
            let mut rows = Bitmap::empty(view.rows());
            driver.group_hosts(call, &Group::new(group), &view, &mut rows)?;
            give_rows(&rows, rows_out);
            Ok(())
        })
    }
}

unsafe extern "C" fn update_service_capabilities<D: ServiceCapabilities>(
    driver: *mut abi::Driver,
    raw: *mut abi::Call,
    service: abi::Text,
    host: abi::Text,
    capabilities: abi::Text,
) -> i32 {
    unsafe {
        with::<D>(driver, raw, |driver, call, _| {
            let (service, host) = (text(service), text(host));
            driver.update_service_capabilities(call, service, host, text(capabilities))
        })
    }
}

unsafe extern "C" fn call_method<D: Methods>(
    driver: *mut abi::Driver,
    raw: *mut abi::Call,
    method: *const abi::MethodCall,
) -> i32 {
    unsafe {
        with::<D>(driver, raw, |driver, call, host| driver.call_method(call, &MethodCall::new(host, raw, method)))
    }
}

unsafe extern "C" fn count_capacity<D: Capacity>(
    driver: *mut abi::Driver,
    raw: *mut abi::Call,
    request: *const abi::Request,
    counts: *mut u64,
) -> i32 {
    unsafe {
        with::<D>(driver, raw, |driver, call, host| {
            let request = Request::new(host, raw, request);
            let mut own = vec![0; request.view().rows() as usize];
            driver.count_capacity(call, &request, &mut own)?;
            counts.copy_from_nonoverlapping(own.as_ptr(), own.len());
            Ok(())
        })
    }
}

struct CapacityTable<D>(PhantomData<D>);

impl<D: Capacity> CapacityTable<D> {
    const TABLE: abi::Capacity =
        abi::Capacity { struct_size: size_of::<abi::Capacity>() as u32, reserved0: 0, count: count_capacity::<D> };
}

unsafe extern "C" fn extension<D: Capacity>(_: *mut abi::Driver, id: abi::Text) -> *const c_void {
    // No author's code runs here, so that nothing can panic.
    match unsafe { text(id) } {
        abi::CAPACITY_EXTENSION => (&CapacityTable::<D>::TABLE as *const abi::Capacity).cast(),
        _ => null(),
    }
}

type Decision = unsafe extern "C" fn(*mut abi::Driver, *mut abi::Call, *const abi::Request) -> i32;
type Rows = unsafe extern "C" fn(*mut abi::Driver, *mut abi::Call, *const abi::View, *mut u64) -> i32;
type GroupRows =
    unsafe extern "C" fn(*mut abi::Driver, *mut abi::Call, *const abi::Group, *const abi::View, *mut u64) -> i32;
type Capabilities = unsafe extern "C" fn(*mut abi::Driver, *mut abi::Call, abi::Text, abi::Text, abi::Text) -> i32;
type Method = unsafe extern "C" fn(*mut abi::Driver, *mut abi::Call, *const abi::MethodCall) -> i32;
type Extension = unsafe extern "C" fn(*mut abi::Driver, abi::Text) -> *const c_void;

/// The operations of a type. A constant of `Operations` comes before the one of `NoOperations` of the same name, and is
/// there if the type implements the trait.
pub struct Operations<D>(PhantomData<D>);

pub trait NoOperations {
    const SELECT_DESTINATIONS: Option<Decision> = None;
    const SCHEDULE_RUN_INSTANCE: Option<Decision> = None;
    const HOSTS_UP: Option<Rows> = None;
    const GROUP_HOSTS: Option<GroupRows> = None;
    const UPDATE_SERVICE_CAPABILITIES: Option<Capabilities> = None;
    const CALL_METHOD: Option<Method> = None;
    const EXTENSION: Option<Extension> = None;
}

impl<D> NoOperations for Operations<D> {}

impl<D: Driver> Operations<D> {
    pub const CREATE: unsafe extern "C" fn(
        *const abi::Host,
        *mut abi::Call,
        *const abi::Options,
        *mut *mut abi::Driver,
    ) -> i32 = create::<D>;
    pub const DESTROY: unsafe extern "C" fn(*mut abi::Driver) = destroy::<D>;
}

impl<D: Decide> Operations<D> {
    pub const SELECT_DESTINATIONS: Option<Decision> = Some(select_destinations::<D>);
    pub const SCHEDULE_RUN_INSTANCE: Option<Decision> = Some(schedule_run_instance::<D>);
}

impl<D: HostsUp> Operations<D> {
    pub const HOSTS_UP: Option<Rows> = Some(hosts_up::<D>);
}

impl<D: GroupHosts> Operations<D> {
    pub const GROUP_HOSTS: Option<GroupRows> = Some(group_hosts::<D>);
}

impl<D: ServiceCapabilities> Operations<D> {
    pub const UPDATE_SERVICE_CAPABILITIES: Option<Capabilities> = Some(update_service_capabilities::<D>);
}

impl<D: Methods> Operations<D> {
    pub const CALL_METHOD: Option<Method> = Some(call_method::<D>);
}

impl<D: Capacity> Operations<D> {
    pub const EXTENSION: Option<Extension> = Some(extension::<D>);
}

/// The types that a driver may be: with threads = 'reentrant', types that several threads may use at once.
pub trait Threads<const REENTRANT: bool> {}
impl<D: Driver> Threads<false> for D {}
impl<D: Driver + Sync> Threads<true> for D {}

/// Compiles if the type may be used as the manifest says.
pub const fn check_threads<D: Threads<REENTRANT>, const REENTRANT: bool>() {}

/// Returns what the entry returns: nothing if a host of this version cannot load the driver (driver.h, convention 9).
pub fn accept<Info>(host_major: u32, host_minor: u32, info: &'static Info) -> *const Info {
    let is_same_minor = host_minor == abi::ABI_MINOR;
    if host_major != abi::ABI_MAJOR || (abi::ABI_MAJOR == 0 && !is_same_minor) {
        return null();
    }
    install_hook();
    info
}
