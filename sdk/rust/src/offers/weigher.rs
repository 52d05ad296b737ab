// SPDX-License-Identifier: Apache-2.0
//
//! Weighers: scores for the hosts that passed the filters.

use super::host_row::{HostColumns, HostRow};
use super::stop_if_late;
use crate::abi;
use crate::bits::Bitmap;
use crate::call::Call;
use crate::failure::{Failure, Result};
use crate::guard::{bitmap_of, create_instance, destroy_instance, give_rows, guarded, Instance};
use crate::options::Options;
use crate::request::Request;
use crate::view::View;
use std::marker::PhantomData;
use std::mem::size_of;

/// The input of one run of a weigher, and the place of its scores. Valid during the run.
pub struct WeigherRun<'c> {
    pub request: Request<'c>,
    /// The view to read: the request's view, or a derived view that shows the instances placed before.
    pub view: View<'c>,
    /// The rows to score.
    pub rows: Bitmap,
    /// The instance to place. `None`: the whole request.
    pub instance: Option<u32>,
    pub is_rebuild: bool,
    /// The score that is normalized to 0. `None`: the lowest score among the rows.
    pub minval: Option<f64>,
    /// The score that is normalized to 1. `None`: the highest score among the rows.
    pub maxval: Option<f64>,
    pub(crate) scores: Vec<Option<f64>>,
}

impl<'c> WeigherRun<'c> {
    pub(crate) fn new(
        request: Request<'c>,
        view: View<'c>,
        rows: Bitmap,
        instance: Option<u32>,
        is_rebuild: bool,
    ) -> WeigherRun<'c> {
        let scores = vec![None; view.rows() as usize];
        WeigherRun { request, view, rows, instance, is_rebuild, minval: None, maxval: None, scores }
    }

    /// Sets the score of a row. A row without a score weighs 0. Fails if the score is not finite, and panics if the row
    /// is not in the view.
    pub fn score(&mut self, row: u32, score: f64) -> Result {
        if !score.is_finite() {
            let host = self.view.find::<crate::Texts<'_>>("host").and_then(|hosts| hosts.get(row));
            let host = host.unwrap_or_default();
            let found = format!("expected a finite score, found {} for host '{}'", score, host);
            return Err(Failure::internal(found));
        }
        self.scores[row as usize] = Some(score);
        Ok(())
    }
}

/// A weigher that reads whole columns.
pub trait Weigher: Sized + Send + Sync + 'static {
    /// The factor of the normalized score in the host's weight.
    const MULTIPLIER: f64 = 1.0;
    /// The name of an option, and of a key in the metadata of aggregates, that replace the multiplier (ext/weigher.h).
    const MULTIPLIER_NAME: &'static str = "";

    fn create(call: &Call<'_>, options: &Options<'_>) -> Result<Self>;
    /// Scores the rows of the run. A higher score is better.
    fn weigh(&self, call: &Call<'_>, run: &mut WeigherRun<'_>) -> Result;
}

/// A weigher without options that looks at one host at a time. `gantry_offers!` makes one of a closure.
pub trait HostWeigher: Send + Sync + 'static {
    /// Returns the score of a host. `None`: the host has no score and weighs 0.
    fn score(host: &HostRow<'_, '_>, request: &Request<'_>) -> Option<f64>;
}

/// The weigher that runs a `HostWeigher`.
pub struct EachHostWeigher<W>(PhantomData<W>);

impl<W: HostWeigher> Weigher for EachHostWeigher<W> {
    fn create(_: &Call<'_>, _: &Options<'_>) -> Result<Self> {
        Ok(EachHostWeigher(PhantomData))
    }

    fn weigh(&self, call: &Call<'_>, run: &mut WeigherRun<'_>) -> Result {
        let columns = HostColumns::new(run.view);
        let mut asked = 0;
        for row in run.rows.clone().iter() {
            stop_if_late(call, &mut asked)?;
            if let Some(score) = W::score(&HostRow::new(&columns, row), &run.request) {
                run.score(row, score)?;
            }
        }
        Ok(())
    }
}

unsafe extern "C" fn create<W: Weigher>(
    host: *const abi::Host,
    call: *mut abi::Call,
    options: *const abi::Options,
    out: *mut *mut abi::Offered,
) -> i32 {
    // SAFETY: the arguments are the host's and the driver's, as ext/weigher.h says, here and below.
    unsafe { create_instance(host, call, options, out, W::create) }
}

unsafe extern "C" fn destroy<W: Weigher>(weigher: *mut abi::Offered) {
    unsafe { destroy_instance::<W>(weigher.cast()) }
}

unsafe extern "C" fn weigh<W: Weigher>(
    weigher: *mut abi::Offered,
    raw: *mut abi::Call,
    run: *mut abi::WeigherRun,
) -> i32 {
    unsafe {
        let instance = weigher.cast::<Instance<W>>();
        let host = (*instance).host;
        guarded(host, raw, |call| {
            let view = View::new(host, raw, (*run).view);
            let rows = bitmap_of((*run).rows, view.rows());
            let to_place = ((*run).instance != u32::MAX).then_some((*run).instance);
            let is_rebuild = (*run).flags & abi::RUN_REBUILD != 0;
            let request = Request::new(host, raw, (*run).request);
            let mut input = WeigherRun::new(request, view, rows, to_place, is_rebuild);
            let to_score = input.rows.clone();
            (*instance).object.weigh(call, &mut input)?;
            give_scores(&input, to_score, run);
            Ok(())
        })
    }
}

/// Writes the scores and the ends of their scale to the driver's struct.
unsafe fn give_scores(input: &WeigherRun<'_>, to_score: Bitmap, run: *mut abi::WeigherRun) {
    let mut present = to_score.clone();
    for row in to_score.iter() {
        match input.scores[row as usize] {
            // SAFETY: the driver's array has an element for each row.
            Some(score) => unsafe { *(*run).raw.add(row as usize) = score },
            None => present.clear(row),
        }
    }
    unsafe {
        give_rows(&present, (*run).present);
        if let Some(minval) = input.minval {
            (*run).minval = minval;
            (*run).bounds |= abi::WEIGHER_MINVAL;
        }
        if let Some(maxval) = input.maxval {
            (*run).maxval = maxval;
            (*run).bounds |= abi::WEIGHER_MAXVAL;
        }
    }
}

struct Table<W>(PhantomData<W>);

impl<W: Weigher> Table<W> {
    const OPS: abi::WeigherOps = abi::WeigherOps {
        struct_size: size_of::<abi::WeigherOps>() as u32,
        flags: 0,
        create: create::<W>,
        destroy: destroy::<W>,
        weigh: weigh::<W>,
        multiplier_name: abi::Text::of(W::MULTIPLIER_NAME),
        multiplier: W::MULTIPLIER,
    };
}

/// Returns the offer of a weigher, for `gantry_offers!`.
pub const fn weigher_offer<W: Weigher>(name: &'static str) -> abi::Offer {
    let table: &'static abi::WeigherOps = &Table::<W>::OPS;
    abi::Offer {
        kind: abi::Text::of(abi::WEIGHER_KIND),
        name: abi::Text::of(name),
        table: table as *const abi::WeigherOps as *const std::ffi::c_void,
    }
}
