// SPDX-License-Identifier: Apache-2.0
//
//! The loops that most drivers share: the two select operations, and a random choice among rows.

use crate::bits::Bitmap;
use crate::call::Call;
use crate::failure::{Failure, Result};
use crate::pick::{Claimed, Pick};
use crate::request::Request;

/// A part of a driver that places one instance.
pub trait Placer {
    /// Picks a row for the instance and returns the row. `None`: no host is left.
    fn place(&mut self, instance: u32) -> Result<Option<u32>>;
    /// Returns why the last `place` found no host.
    fn reason(&self) -> String;
}

/// Places all instances, or fails if one instance finds no host. For select_destinations.
pub fn place_all(call: &Call<'_>, request: &Request<'_>, placer: &mut impl Placer) -> Result {
    for instance in 0..request.instances() {
        call.stop_if_late("instances were placed")?;
        if placer.place(instance)?.is_none() {
            return Err(Failure::no_valid_host(placer.reason()));
        }
    }
    Ok(())
}

/// Places each instance by itself, and refuses an instance that finds no host. For schedule_run_instance.
pub fn place_each(call: &Call<'_>, request: &Request<'_>, placer: &mut impl Placer) -> Result {
    for instance in 0..request.instances() {
        call.stop_if_late("instances were placed")?;
        if placer.place(instance)?.is_none() {
            call.refuse(instance, &placer.reason())?;
        }
    }
    Ok(())
}

/// Places instances on random rows of a set, each row with equal probability. The picks have no limits. Several
/// instances may get the same row.
pub struct RandomChoice<'c> {
    call: &'c Call<'c>,
    rows: Bitmap,
    left: u32,
}

impl<'c> RandomChoice<'c> {
    pub fn new(call: &'c Call<'_>, rows: Bitmap) -> RandomChoice<'c> {
        let left = rows.count();
        RandomChoice { call, rows, left }
    }

    /// Picks a row for an instance, and names up to `alternates` other rows as alternates, each at most once. `None`: no
    /// row is left.
    pub fn place(&mut self, instance: u32, alternates: u32) -> Result<Option<u32>> {
        while let Some(row) = random_row(self.call, &self.rows, self.left) {
            if self.call.pick(&Pick::new(instance, row))? == Claimed::Held {
                self.offer(instance, row, alternates)?;
                return Ok(Some(row));
            }
            self.rows.clear(row);
            self.left -= 1;
        }
        Ok(None)
    }

    fn offer(&self, instance: u32, chosen: u32, mut alternates: u32) -> Result {
        let mut others = self.rows.clone();
        others.clear(chosen);
        for left in (1..self.left).rev() {
            if alternates == 0 {
                break;
            }
            if let Some(row) = random_row(self.call, &others, left) {
                if self.call.alternate(&Pick::new(instance, row))? == Claimed::Held {
                    alternates -= 1;
                }
                others.clear(row);
            }
        }
        Ok(())
    }
}

/// Returns a random one of the `left` rows of a set.
fn random_row(call: &Call<'_>, rows: &Bitmap, left: u32) -> Option<u32> {
    match left {
        0 => None,
        _ => rows.nth(call.random_below(left.into())),
    }
}
