// SPDX-License-Identifier: Apache-2.0
//
//! What a driver is: `Driver`, and beside it the traits of the operations that it has. `gantry_driver!` finds out which
//! of them a type implements; the host's default applies to the others. Each of them is a worker operation of driver.h: several
//! run at a time if the manifest says threads = 'reentrant', which the type must then allow by being `Sync`.

use crate::bits::Bitmap;
use crate::call::Call;
use crate::failure::Result;
use crate::options::Options;
use crate::request::{Group, MethodCall, Request};
use crate::view::View;

/// An instance of a driver. A reload makes a second instance with other options while the first one works, and ends the
/// first one then: all that an instance knows is in its fields, and nothing is in statics.
pub trait Driver: Sized + Send + 'static {
    fn create(call: &Call<'_>, options: &Options<'_>) -> Result<Self>;
}

/// A driver that chooses hosts.
pub trait Decide: Driver {
    /// Picks a row for every instance. Fails with `NoValidHost` if one finds no host.
    fn select_destinations(&self, call: &Call<'_>, request: &Request<'_>) -> Result;
    /// Picks a row for each instance or refuses that instance.
    fn schedule_run_instance(&self, call: &Call<'_>, request: &Request<'_>) -> Result;
}

/// A driver with custom methods, which the manifest lists.
pub trait Methods: Driver {
    fn call_method(&self, call: &Call<'_>, method: &MethodCall<'_>) -> Result;
}

/// A driver with an own idea of the hosts that are up.
pub trait HostsUp: Driver {
    /// Sets the rows that are up. `rows` is empty at first.
    fn hosts_up(&self, call: &Call<'_>, view: &View<'_>, rows: &mut Bitmap) -> Result;
}

/// A driver with an own idea of the hosts of a server group.
pub trait GroupHosts: Driver {
    /// Sets the rows that hold members of the group. `rows` is empty at first.
    fn group_hosts(&self, call: &Call<'_>, group: &Group<'_>, view: &View<'_>, rows: &mut Bitmap) -> Result;
}

/// A driver that looks at what services report of themselves.
pub trait ServiceCapabilities: Driver {
    /// Handles the capabilities, JSON. The host stores the JSON given to `Call::reply`, or the capabilities if there was
    /// no reply.
    fn update_service_capabilities(&self, call: &Call<'_>, service: &str, host: &str, capabilities: &str) -> Result;
}

/// A driver that can tell how many more instances fit (ext/capacity.h).
pub trait Capacity: Driver {
    /// Writes how many instances each row takes; the counts are 0 at first. Fails with `Unsupported` if it cannot count.
    fn count_capacity(&self, call: &Call<'_>, request: &Request<'_>, counts: &mut [u64]) -> Result;
}

/// The count of a row that takes any number of instances.
pub const ANY_NUMBER: u64 = crate::abi::CAPACITY_UNBOUNDED;

/// Returns how often `amount` can be claimed of a resource: the number of claims after which use + amount is at most the
/// limit, one after the other. `used` is the use with the claims of today.
pub fn claims_that_fit(used: f64, amount: f64, limit: f64) -> u64 {
    const MOST: f64 = 9007199254740992.0; // 2^53: beyond it a float no longer counts in ones
    let fits = |earlier: f64| used + earlier * amount + amount <= limit;
    if !fits(0.0) {
        return 0;
    }
    let quotient = ((limit - used) / amount).floor();
    if amount.is_nan() || amount <= 0.0 || quotient.is_nan() || quotient >= MOST {
        return ANY_NUMBER;
    }
    // The quotient is rounded, the sums of a claim are not.
    let mut count = quotient;
    while count > 1.0 && !fits(count - 1.0) {
        count -= 1.0;
    }
    if fits(count) {
        count += 1.0;
    }
    count as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_fit_as_often_as_their_sums_say() {
        assert_eq!(claims_that_fit(0.0, 0.1, 0.3), 2);
        assert_eq!(claims_that_fit(512.0, 512.0, 4096.0), 7);
        assert_eq!(claims_that_fit(4096.0, 1.0, 4096.0), 0);
        assert_eq!(claims_that_fit(0.0, 0.0, 1.0), ANY_NUMBER);
    }
}
