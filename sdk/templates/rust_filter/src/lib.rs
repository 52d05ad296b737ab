// SPDX-License-Identifier: Apache-2.0
//
//! A site's own filters for the driver filter: one for whole columns and one for single hosts. Take what you need;
//! [driver.filter] names the file in libraries, the filters in enabled_filters.
#![forbid(unsafe_code)]

use gantry_driver::*;

#[cfg(test)]
mod tests;

/// Returns the watts that the flavor asks for by the extra spec site:power_w, 0 if it asks for none.
fn power_wanted(request: &Request<'_>) -> Result<i64> {
    let value = request.extra_spec("site:power_w").unwrap_or("0");
    let refused = |_| Failure::invalid_argument(format!("extra spec site:power_w: expected watts, found '{}'", value));
    value.parse().map_err(refused)
}

/// Keeps the hosts with that much power left, beside a reserve that the site sets.
///
/// One instance. A reload makes a second one with other options while the first one works, and ends the first one then:
/// all that an instance knows is in its fields, and nothing is in statics.
struct PowerFilter {
    reserve_w: i64,
}

impl Filter for PowerFilter {
    fn create(_: &Call<'_>, options: &Options<'_>) -> Result<Self> {
        Ok(PowerFilter { reserve_w: options.integer("reserve_w")? })
    }

    fn keep(&self, _: &Call<'_>, run: &FilterRun<'_>, rows: &mut Bitmap) -> Result {
        let wanted = power_wanted(&run.request)? + self.reserve_w;
        let left = run.view.integers("stats.power_left_w")?;
        rows.keep_if(|row| left[row] >= wanted);
        Ok(())
    }

    fn reason(&self, _: &Call<'_>, run: &FilterRun<'_>, removed: Bits<'_>) -> Result<FilterReason> {
        let left = run.view.integers("stats.power_left_w")?;
        Ok(FilterReason {
            text: "they have too little power left".to_string(),
            resource: "power_w".to_string(),
            need: Some(power_wanted(&run.request)? as f64),
            best: removed.iter().map(|row| left[row] - self.reserve_w).max().map(|best| best as f64),
        })
    }
}

gantry_offers! { "
id = 'site_filters'
version = '0.1.0'
description = 'power and racks, as our site counts them'
license = 'Apache-2.0'
vendor = 'Example'
[offers.PowerFilter]
kind = 'gantry.filter/1'
help = 'keeps hosts that have the power which the extra spec site:power_w asks for'
threads = 'reentrant'
columns.needs = ['stats.power_left_w:i64']
[offers.PowerFilter.options.reserve_w]
type = 'integer'
default = 0
minimum = 0
maximum = 1048576
help = 'watts that are never given out'
[offers.RackFilter]
kind = 'gantry.filter/1'
help = 'keeps to the rack that the scheduler hint rack names'
threads = 'reentrant'
columns.uses = ['stats.rack:string']
",
    filter("PowerFilter", PowerFilter),
    host_filter("RackFilter", |host, request| {
        let rack = request.hint("rack").and_then(|racks| racks.first());
        rack.is_none() || host.text("stats.rack") == rack
    }, "their rack differs"),
}
