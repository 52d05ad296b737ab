// SPDX-License-Identifier: Apache-2.0
//
//! The twin of sdk/templates/filter: a filter for whole columns, one for single hosts and a weigher.
#![forbid(unsafe_code)]

use gantry_driver::*;

/// Returns the watts that the flavor asks for by the extra spec site:power_w, 0 if it asks for none.
fn power_wanted(request: &Request<'_>) -> Result<i64> {
    let value = request.extra_spec("site:power_w").unwrap_or("0");
    let refused = |_| Failure::invalid_argument(format!("extra spec site:power_w: expected watts, found '{}'", value));
    value.parse().map_err(refused)
}

/// Keeps the hosts with that much power left, beside a reserve that the site sets.
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

    fn limits(&self, _: &Call<'_>, run: &FilterRun<'_>, row: u32) -> Result<Limits> {
        let left = run.view.integers("stats.power_left_w")?[row];
        Ok(Limits { vcpu: Some(left as f64), other: format!("{{\"power_w\": {}}}", left), ..Limits::default() })
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

/// Prefers the hosts with the most power left.
struct PowerWeigher;

impl Weigher for PowerWeigher {
    const MULTIPLIER_NAME: &'static str = "power_weight_multiplier";

    fn create(_: &Call<'_>, _: &Options<'_>) -> Result<Self> {
        Ok(PowerWeigher)
    }

    fn weigh(&self, _: &Call<'_>, run: &mut WeigherRun<'_>) -> Result {
        let left = run.view.integers("stats.power_left_w")?;
        for row in run.rows.clone().iter() {
            run.score(row, left[row] as f64)?;
        }
        Ok(())
    }
}

gantry_offers! { "
id = 'site_filters'
version = '0.1.0'
description = 'power and racks, as our site counts them'
[offers.PowerFilter]
kind = 'gantry.filter/1'
help = 'keeps hosts that have the power which the extra spec site:power_w asks for'
threads = 'reentrant'
columns.needs = ['stats.power_left_w:i64']
[offers.PowerFilter.options.reserve_w]
type = 'integer'
default = 0
help = 'watts that are never given out'
[offers.RackFilter]
kind = 'gantry.filter/1'
help = 'keeps to the rack that the scheduler hint rack names'
threads = 'reentrant'
columns.uses = ['stats.rack:string']
[offers.PowerWeigher]
kind = 'gantry.weigher/1'
help = 'prefers hosts with power left'
threads = 'reentrant'
columns.needs = ['stats.power_left_w:i64']
[offers.PowerWeigher.options.power_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts; negative packs'
[offers.BadWeigher]
kind = 'gantry.weigher/1'
help = 'gives a score that is no number'
threads = 'reentrant'
",
    filter("PowerFilter", PowerFilter),
    host_filter("RackFilter", |host, request| {
        let rack = request.hint("rack").and_then(|racks| racks.first());
        rack.is_none() || host.text("stats.rack") == rack
    }, "their rack differs"),
    weigher("PowerWeigher", PowerWeigher),
    host_weigher("BadWeigher", |host, _| host.integer("vcpus").map(|_| f64::NAN)),
}
