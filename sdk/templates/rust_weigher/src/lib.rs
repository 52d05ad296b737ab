// SPDX-License-Identifier: Apache-2.0
//
//! A site's own weigher for the driver filter: prefers hosts that run cool. Rename it, then change weigh.
#![forbid(unsafe_code)]

use gantry_driver::*;

#[cfg(test)]
mod tests;

/// Prefers the coolest hosts, as far as they are above the temperature that the site does not mind.
///
/// One instance. A reload makes a second one with other options while the first one works, and ends the first one then:
/// all that an instance knows is in its fields, and nothing is in statics.
struct CoolWeigher {
    unminded: f64,
}

impl Weigher for CoolWeigher {
    const MULTIPLIER_NAME: &'static str = "cool_weight_multiplier";

    fn create(_: &Call<'_>, options: &Options<'_>) -> Result<Self> {
        Ok(CoolWeigher { unminded: options.real("unminded_celsius")? })
    }

    // A score has any scale: the driver brings the scores of one decision to 0 to 1. A host without a score counts as
    // the worst.
    fn weigh(&self, _: &Call<'_>, run: &mut WeigherRun<'_>) -> Result {
        let inlet = run.view.reals("stats.inlet_celsius")?;
        for row in run.rows.clone().iter() {
            run.score(row, -inlet[row].max(self.unminded))?;
        }
        Ok(())
    }
}

gantry_offers! { "
id = 'site_weighers'
version = '0.1.0'
description = 'prefers hosts that run cool'
license = 'Apache-2.0'
vendor = 'Example'
[offers.CoolWeigher]
kind = 'gantry.weigher/1'
help = 'prefers hosts with cool air at their inlet'
threads = 'reentrant'
columns.needs = ['stats.inlet_celsius:f64']
[offers.CoolWeigher.options.cool_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts; negative prefers the hottest'
[offers.CoolWeigher.options.unminded_celsius]
type = 'real'
default = 18.0
minimum = -50.0
maximum = 100.0
help = 'hosts below this temperature are alike'
",
    weigher("CoolWeigher", CoolWeigher),
}
