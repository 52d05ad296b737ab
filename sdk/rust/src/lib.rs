// SPDX-License-Identifier: Apache-2.0
//
//! Drivers, filters and weighers for the scheduler service Gantry, in safe Rust. `gantry/driver.h` is the contract that
//! this crate keeps; [`abi`] is that header in Rust. A driver is a type, some traits and one macro:
//!
//! ```
//! #![forbid(unsafe_code)]
//! use gantry_driver::*;
//!
//! struct AnyHost;
//!
//! impl Driver for AnyHost {
//!     fn create(_: &Call<'_>, _: &Options<'_>) -> Result<Self> {
//!         Ok(AnyHost)
//!     }
//! }
//!
//! struct Hosts<'c>(&'c Call<'c>, Narrowing<'c>);
//!
//! impl Placer for Hosts<'_> {
//!     fn place(&mut self, instance: u32) -> Result<Option<u32>> {
//!         while let Some(row) = self.1.rows().first() {
//!             if self.0.pick(&Pick::new(instance, row))? == Claimed::Held {
//!                 return Ok(Some(row));
//!             }
//!             self.1.rows_mut().clear(row);
//!         }
//!         Ok(None)
//!     }
//!     fn reason(&self) -> String {
//!         self.1.emptied_by().to_string()
//!     }
//! }
//!
//! impl Decide for AnyHost {
//!     fn select_destinations(&self, call: &Call<'_>, request: &Request<'_>) -> Result {
//!         place_all(call, request, &mut Hosts(call, candidates(call, request)?))
//!     }
//!     fn schedule_run_instance(&self, call: &Call<'_>, request: &Request<'_>) -> Result {
//!         place_each(call, request, &mut Hosts(call, candidates(call, request)?))
//!     }
//! }
//!
//! gantry_driver!(AnyHost, "
//! id = 'any_host'
//! version = '1.0.0'
//! description = 'the first host that is up'
//! topics = ['compute']
//! threads = 'reentrant'
//! [columns]
//! needs = ['up', 'disabled', 'host']
//! ");
//! # fn main() {}
//! ```
//!
//! A library of rules for the driver `filter` is a list of types and closures:
//!
//! ```
//! #![forbid(unsafe_code)]
//! use gantry_driver::*;
//!
//! gantry_offers!("
//! id = 'site_rules'
//! version = '1.0.0'
//! description = 'the rules of our site'
//! [offers.RackFilter]
//! kind = 'gantry.filter/1'
//! help = 'keeps to the rack that the hint rack names'
//! threads = 'reentrant'
//! columns.uses = ['stats.rack:string']
//! [offers.CoolWeigher]
//! kind = 'gantry.weigher/1'
//! help = 'prefers cool hosts'
//! threads = 'reentrant'
//! columns.needs = ['stats.inlet_celsius:f64']
//! ",
//!     host_filter("RackFilter", |host, request| {
//!         let rack = request.hint("rack").and_then(|racks| racks.first());
//!         rack.is_none() || host.text("stats.rack") == rack
//!     }, "their rack differs"),
//!     host_weigher("CoolWeigher", |host, _| host.real("stats.inlet_celsius").map(|celsius| -celsius)),
//! );
//! # fn main() {}
//! ```
//!
//! # What the compiler refuses
//!
//! A view, a request and all that comes of them end with the call. A driver cannot keep them:
//!
//! ```compile_fail,E0521
//! # use gantry_driver::*;
//! struct Keeper(std::sync::Mutex<Option<View<'static>>>);
//! impl Keeper {
//!     fn keep(&self, request: &Request<'_>) {
//!         *self.0.lock().unwrap() = Some(request.view()); // the view outlives its call
//!     }
//! }
//! ```
//!
//! A call stays on its thread:
//!
//! ```compile_fail,E0277
//! # use gantry_driver::*;
//! fn on_another_thread(call: &Call<'_>) {
//!     std::thread::scope(|scope| { scope.spawn(|| call.random()); });
//! }
//! ```
//!
//! What was read of a derived view is given up before the view is written:
//!
//! ```compile_fail,E0502
//! # use gantry_driver::*;
//! fn consume(derived: &mut Derived<'_>) -> Result<f64> {
//!     let before = derived.view().reals("vcpus_used")?;
//!     derived.reals("vcpus_used")?.set(0, 1.0);
//!     Ok(before[0])
//! }
//! ```
//!
//! A driver whose manifest says `threads = 'reentrant'` is one that several threads may use at once. With
//! `threads = 'serial'` this one compiles:
//!
//! ```compile_fail,E0277
//! # use gantry_driver::*;
//! struct Counter(std::cell::Cell<u64>);
//! impl Driver for Counter {
//!     fn create(_: &Call<'_>, _: &Options<'_>) -> Result<Self> { Ok(Counter(Default::default())) }
//! }
//! impl Methods for Counter {
//!     fn call_method(&self, call: &Call<'_>, _: &MethodCall<'_>) -> Result {
//!         self.0.set(self.0.get() + 1);
//!         call.reply(&self.0.get().to_string())
//!     }
//! }
//! gantry_driver!(Counter, "
//! id = 'counter'
//! version = '1'
//! threads = 'reentrant'
//! ");
//! # fn main() {}
//! ```
//!
//! # Panics
//!
//! A panic of a driver, such as an index that is out of range, ends the operation: its caller is answered with the message
//! and the place, and the driver is said to be at fault. The crate does not build with `panic = "abort"`. Memory that has
//! run out aborts, as it does in all Rust.
#![deny(unsafe_op_in_unsafe_fn)]

#[rustfmt::skip]
pub mod abi;
mod allocation;
mod bits;
mod call;
mod candidates;
mod columns;
mod decision;
mod derived;
mod driver;
#[doc(hidden)]
pub mod entry;
mod explain;
mod failure;
mod guard;
#[doc(hidden)]
pub mod manifest;
mod narrowing;
pub mod offers;
mod options;
mod pick;
mod placement;
mod registration;
mod request;
pub mod testing;
mod text;
mod view;

pub use allocation::AllocationCandidates;
pub use bits::{Bitmap, Bits};
pub use call::{Call, Context, Level, Location};
pub use candidates::{candidates, quoted, rows_up, texts_of, usable_hosts};
pub use columns::{ColumnType, Documents, Flags, Integers, Json, Reals, Sets, Texts, Uuids, Validity};
pub use derived::{Cells, Derived};
pub use driver::{
    claims_that_fit, Capacity, Decide, Driver, GroupHosts, HostsUp, Methods, ServiceCapabilities, ANY_NUMBER,
};
pub use explain::{HostExplanation, Step, Term, Verdict};
pub use failure::{Code, Failure, Result};
pub use narrowing::{why_not_up, Narrowing};
pub use offers::{Filter, FilterReason, FilterRun, HostRow, Weigher, WeigherRun};
pub use options::Options;
pub use pick::{Cast, ClaimItem, Claimed, GroupBound, Limits, Pick};
pub use placement::{place_all, place_each, Placer, RandomChoice};
pub use request::{ExplainHosts, Group, MethodCall, Request};
pub use text::{Pairs, Strings, Uuid};
pub use view::{Aggregate, View};
