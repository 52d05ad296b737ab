// SPDX-License-Identifier: Apache-2.0
//
//! Filters and weighers that a library offers to a driver (ext/offers.h). `gantry_offers!` lists them.

mod filter;
mod host_row;
mod weigher;

pub use filter::{filter_offer, EachHostFilter, Filter, FilterReason, FilterRun, HostFilter};
pub use host_row::HostRow;
pub use weigher::{weigher_offer, EachHostWeigher, HostWeigher, Weigher, WeigherRun};

use crate::call::Call;
use crate::failure::Result;

/// Ends a loop over hosts if the deadline has passed. Asks at every 4096th call. `asked` starts at 0.
fn stop_if_late(call: &Call<'_>, asked: &mut u32) -> Result {
    *asked += 1;
    match *asked % 4096 {
        0 => call.stop_if_late("hosts were looked at"),
        _ => Ok(()),
    }
}
