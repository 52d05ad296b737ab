// SPDX-License-Identifier: Apache-2.0
//
//! Filters: rules that say which hosts a request may use.

use super::host_row::{HostColumns, HostRow};
use super::stop_if_late;
use crate::abi;
use crate::bits::{Bitmap, Bits};
use crate::call::Call;
use crate::failure::Result;
use crate::guard::{bitmap_of, create_instance, destroy_instance, give_rows, guarded, Instance};
use crate::options::Options;
use crate::pick::{bit_if, Limits};
use crate::request::Request;
use crate::view::View;
use std::marker::PhantomData;
use std::mem::size_of;
use std::ptr::addr_of_mut;

/// The input of one run of a filter. Valid during the run.
#[derive(Clone, Copy)]
pub struct FilterRun<'c> {
    pub request: Request<'c>,
    /// The view to read: the request's view, or a derived view that shows the instances placed before.
    pub view: View<'c>,
    /// The instance to place. `None`: the whole request.
    pub instance: Option<u32>,
    pub is_rebuild: bool,
}

/// Why rows did not pass, for people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilterReason {
    /// One line about the rows, e.g. "their rack is another one". Empty: none.
    pub text: String,
    /// The resource that ran short, with its unit, e.g. "power_w". Empty: none.
    pub resource: String,
    /// The amount that the request needs.
    pub need: Option<f64>,
    /// The largest amount that one of the removed rows had. `None`: no row had any.
    pub best: Option<f64>,
}

/// A filter that reads whole columns.
pub trait Filter: Sized + Send + Sync + 'static {
    /// The filter runs for the first instance only, and the result holds for all instances.
    const ONCE_PER_REQUEST: bool = false;
    /// The filter also runs when a host is checked for a rebuild of its own instance.
    const ON_REBUILD: bool = false;

    fn create(call: &Call<'_>, options: &Options<'_>) -> Result<Self>;
    /// Clears the rows that do not pass. The result for a row depends on the request and the view only.
    fn keep(&self, call: &Call<'_>, run: &FilterRun<'_>, rows: &mut Bitmap) -> Result;
    /// Returns the limits for a row that passed.
    fn limits(&self, _: &Call<'_>, _: &FilterRun<'_>, _row: u32) -> Result<Limits> {
        Ok(Limits::default())
    }
    /// Returns why rows did not pass. `removed`: the rows that `keep` has removed.
    fn reason(&self, _: &Call<'_>, _: &FilterRun<'_>, _removed: Bits<'_>) -> Result<FilterReason> {
        Ok(FilterReason::default())
    }
}

/// A filter without options that looks at one host at a time. `gantry_offers!` makes one of a closure.
pub trait HostFilter: Send + Sync + 'static {
    /// Why a host does not pass.
    const REASON: &'static str = "";
    fn passes(host: &HostRow<'_, '_>, request: &Request<'_>) -> bool;
}

/// The filter that runs a `HostFilter`.
pub struct EachHostFilter<F>(PhantomData<F>);

impl<F: HostFilter> Filter for EachHostFilter<F> {
    fn create(_: &Call<'_>, _: &Options<'_>) -> Result<Self> {
        Ok(EachHostFilter(PhantomData))
    }

    fn keep(&self, call: &Call<'_>, run: &FilterRun<'_>, rows: &mut Bitmap) -> Result {
        let columns = HostColumns::new(run.view);
        let mut asked = 0;
        for row in rows.clone().iter() {
            stop_if_late(call, &mut asked)?;
            if !F::passes(&HostRow::new(&columns, row), &run.request) {
                rows.clear(row);
            }
        }
        Ok(())
    }

    fn reason(&self, _: &Call<'_>, _: &FilterRun<'_>, _: Bits<'_>) -> Result<FilterReason> {
        Ok(FilterReason { text: F::REASON.to_string(), ..FilterReason::default() })
    }
}

/// # Safety
/// The arguments are those of a function of a filter's table.
unsafe fn with<F: Filter>(
    filter: *mut abi::Offered,
    raw: *mut abi::Call,
    run: *const abi::FilterRun,
    operation: impl FnOnce(&F, &Call<'_>, &FilterRun<'_>) -> Result,
) -> i32 {
    // SAFETY: as the caller vouches.
    unsafe {
        let instance = filter.cast::<Instance<F>>();
        let host = (*instance).host;
        let run = FilterRun {
            request: Request::new(host, raw, (*run).request),
            view: View::new(host, raw, (*run).view),
            instance: ((*run).instance != u32::MAX).then_some((*run).instance),
            is_rebuild: (*run).flags & abi::RUN_REBUILD != 0,
        };
        guarded(host, raw, |call| operation(&(*instance).object, call, &run))
    }
}

unsafe extern "C" fn create<F: Filter>(
    host: *const abi::Host,
    call: *mut abi::Call,
    options: *const abi::Options,
    out: *mut *mut abi::Offered,
) -> i32 {
    // SAFETY: the arguments are the host's and the driver's, as ext/filter.h says, here and below.
    unsafe { create_instance(host, call, options, out, F::create) }
}

unsafe extern "C" fn destroy<F: Filter>(filter: *mut abi::Offered) {
    unsafe { destroy_instance::<F>(filter.cast()) }
}

unsafe extern "C" fn keep<F: Filter>(
    filter: *mut abi::Offered,
    call: *mut abi::Call,
    run: *const abi::FilterRun,
) -> i32 {
    unsafe {
        with::<F>(filter, call, run, |filter, call, input| {
            let before = bitmap_of((*run).rows, input.view.rows());
            let mut rows = before.clone();
            filter.keep(call, input, &mut rows)?;
            rows.keep(&before); // a filter sets no bits
            give_rows(&rows, (*run).rows);
            Ok(())
        })
    }
}

unsafe extern "C" fn limits<F: Filter>(
    filter: *mut abi::Offered,
    call: *mut abi::Call,
    run: *const abi::FilterRun,
    row: u32,
    out: *mut abi::FilterLimits,
) -> i32 {
    unsafe {
        with::<F>(filter, call, run, |filter, call, input| {
            let found = filter.limits(call, input, row)?;
            let (mut limits, present) = found.raw();
            limits.other = call.keep_text(&found.other)?;
            let struct_size = size_of::<abi::FilterLimits>() as u32;
            let filled = abi::FilterLimits { struct_size, present, limits };
            fill_in(out, addr_of_mut!((*out).struct_size), filled);
            Ok(())
        })
    }
}

unsafe extern "C" fn reason<F: Filter>(
    filter: *mut abi::Offered,
    call: *mut abi::Call,
    run: *const abi::FilterRun,
    removed: *const u64,
    out: *mut abi::FilterReason,
) -> i32 {
    unsafe {
        with::<F>(filter, call, run, |filter, call, input| {
            let removed = bitmap_of(removed, input.view.rows());
            let found = filter.reason(call, input, removed.bits())?;
            let filled = abi::FilterReason {
                struct_size: size_of::<abi::FilterReason>() as u32,
                present: bit_if(found.need.is_some(), abi::REASON_NEED)
                    | bit_if(found.best.is_some(), abi::REASON_BEST),
                text: call.keep_text(&found.text)?,
                resource: call.keep_text(&found.resource)?,
                need: found.need.unwrap_or(0.0),
                best: found.best.unwrap_or(0.0),
            };
            fill_in(out, addr_of_mut!((*out).struct_size), filled);
            Ok(())
        })
    }
}

/// Copies a struct into one of the other side, up to the size that both know, which its struct_size then says.
///
/// # Safety
/// `out` points to as many bytes as the number at `size`, its struct_size, says.
unsafe fn fill_in<T>(out: *mut T, size: *mut u32, filled: T) {
    // SAFETY: no more bytes are copied than either side has.
    unsafe {
        let both = size_of::<T>().min(*size as usize);
        out.cast::<u8>().copy_from_nonoverlapping((&filled as *const T).cast(), both);
        *size = both as u32;
    }
}

struct Table<F>(PhantomData<F>);

impl<F: Filter> Table<F> {
    const OPS: abi::FilterOps = abi::FilterOps {
        struct_size: size_of::<abi::FilterOps>() as u32,
        flags: if F::ONCE_PER_REQUEST { abi::FILTER_ONCE_PER_REQUEST } else { 0 }
            | if F::ON_REBUILD { abi::FILTER_ON_REBUILD } else { 0 },
        create: create::<F>,
        destroy: destroy::<F>,
        keep: keep::<F>,
        limits: Some(limits::<F>),
        reason: Some(reason::<F>),
    };
}

/// Returns the offer of a filter, for `gantry_offers!`.
pub const fn filter_offer<F: Filter>(name: &'static str) -> abi::Offer {
    let table: &'static abi::FilterOps = &Table::<F>::OPS;
    abi::Offer {
        kind: abi::Text::of(abi::FILTER_KIND),
        name: abi::Text::of(name),
        table: table as *const abi::FilterOps as *const std::ffi::c_void,
    }
}
