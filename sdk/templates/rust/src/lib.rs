// SPDX-License-Identifier: Apache-2.0
//
//! A driver in Rust: the first host that is up and has the memory. Rename it, then change `Hosts`.
#![forbid(unsafe_code)]

use gantry_driver::*;

#[cfg(test)]
mod tests;

/// The hosts that a request may use, in the order of the view.
struct Hosts<'c> {
    call: &'c Call<'c>,
    found: Narrowing<'c>,
    memory_mb: Integers<'c>,
    reserve_mb: i64,
}

impl<'c> Hosts<'c> {
    fn new(call: &'c Call<'_>, request: &Request<'c>, reserve_mb: i64) -> Result<Hosts<'c>> {
        let memory_mb = request.view().integers("memory_mb")?;
        let used = request.view().reals("memory_mb_used")?;
        let wanted = request.memory_mb().unwrap_or(0) as f64;
        let mut found = candidates(call, request)?;
        let fits = |row: u32| used[row] + wanted <= (memory_mb[row] - reserve_mb) as f64;
        found.keep_if("memory_mb", "they have too little memory left", fits);
        found.explain_all();
        Ok(Hosts { call, found, memory_mb, reserve_mb })
    }
}

impl Placer for Hosts<'_> {
    fn place(&mut self, instance: u32) -> Result<Option<u32>> {
        while let Some(row) = self.found.rows().first() {
            let mut pick = Pick::new(instance, row);
            pick.limits.memory_mb = Some((self.memory_mb[row] - self.reserve_mb) as f64); // the claim is held against it
            if self.call.pick(&pick)? == Claimed::Held {
                return Ok(Some(row));
            }
            self.found.rows_mut().clear(row); // full, or taken by somebody faster
        }
        Ok(None)
    }

    fn reason(&self) -> String {
        let step = self.found.emptied_by();
        if step.is_empty() { "no host has the memory any more" } else { step }.to_string()
    }
}

/// One instance. A reload makes a second one with other options while the first one works, and ends the first one then:
/// all that an instance knows is in its fields, and nothing is in statics.
struct FirstFit {
    reserve_mb: i64,
}

impl Driver for FirstFit {
    fn create(_: &Call<'_>, options: &Options<'_>) -> Result<Self> {
        Ok(FirstFit { reserve_mb: options.integer("reserve_mb")? })
    }
}

impl Decide for FirstFit {
    fn select_destinations(&self, call: &Call<'_>, request: &Request<'_>) -> Result {
        place_all(call, request, &mut Hosts::new(call, request, self.reserve_mb)?)
    }

    fn schedule_run_instance(&self, call: &Call<'_>, request: &Request<'_>) -> Result {
        place_each(call, request, &mut Hosts::new(call, request, self.reserve_mb)?)
    }
}

gantry_driver! { FirstFit, "
id = 'first_fit'
version = '0.1.0'
description = 'the first host that is up and has the memory'
license = 'Apache-2.0'
vendor = 'Example'
topics = ['compute']
threads = 'reentrant'
[columns]
needs = ['up', 'disabled', 'host', 'memory_mb', 'memory_mb_used']
uses = ['hypervisor_hostname']
[options.reserve_mb]
type = 'integer'
default = 0
minimum = 0
maximum = 1048576
help = 'MiB kept free on each host'
" }
