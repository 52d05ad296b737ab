// SPDX-License-Identifier: Apache-2.0
//
//! The services with which a driver decides and answers.

use crate::abi;
use crate::call::{service, Call};
use crate::failure::{expect_ok, Result};
use crate::pick::{raw_items, Cast, ClaimItem, Claimed, GroupBound, Pick};
use std::mem::size_of;

impl Call<'_> {
    // ---- deciding

    /// Chooses a row for an instance, and in the same step claims the instance's resources and the items.
    pub fn pick(&self, pick: &Pick<'_>) -> Result<Claimed> {
        self.choose(pick)?;
        let items = raw_items(pick.items);
        claimed(service!(self, pick, &pick.raw(&items, pick.bound)))
    }

    /// Names a further choice for an instance. The order of the calls is the order of preference. Claims nothing.
    pub fn alternate(&self, pick: &Pick<'_>) -> Result<Claimed> {
        self.choose(pick)?;
        claimed(service!(self, alternate, &pick.raw(&[], GroupBound::default())))
    }

    fn choose(&self, pick: &Pick<'_>) -> Result {
        if pick.providers.is_empty() {
            return Ok(());
        }
        let table: *const abi::CandidateServices = self.needed(abi::CANDIDATES_EXTENSION)?;
        let (first, count) = (pick.providers.as_ptr(), pick.providers.len() as u32);
        // SAFETY: the table is the host's and constant.
        expect_ok(unsafe { ((*table).choose)(self.raw, pick.instance, pick.row, first, count) })
    }

    /// Says why this instance gets no row. For schedule_run_instance.
    pub fn refuse(&self, instance: u32, reason: &str) -> Result {
        expect_ok(service!(self, refuse, instance, abi::Text::of(reason)))
    }

    // ---- custom methods

    /// Claims named resources of a row for a consumer, all or none, beside all that the consumer holds already. A report
    /// of the host that lists the consumer ends the claim.
    pub fn claim(&self, row: u32, consumer: &str, items: &[ClaimItem<'_>]) -> Result<Claimed> {
        let items = raw_items(items);
        let claim = abi::Claim {
            struct_size: size_of::<abi::Claim>() as u32,
            row,
            consumer: abi::Text::of(consumer),
            items: items.as_ptr(),
            item_count: items.len() as u32,
            item_stride: size_of::<abi::ClaimItem>() as u32,
        };
        claimed(service!(self, claim, &claim))
    }

    /// Gives the answer of the operation, as JSON. Call it at most once.
    pub fn reply(&self, json: &str) -> Result {
        expect_ok(service!(self, reply, abi::Text::of(json)))
    }

    /// Queues a message to the service of a row.
    pub fn cast(&self, cast: &Cast<'_>) -> Result {
        let raw = abi::Cast {
            struct_size: size_of::<abi::Cast>() as u32,
            row: cast.row,
            consumer: abi::Text::of(cast.consumer),
            method: abi::Text::of(cast.method),
            args: abi::Text::of(cast.args),
        };
        expect_ok(service!(self, cast, &raw))
    }
}

fn claimed(answer: i32) -> Result<Claimed> {
    match answer {
        abi::CLAIM_LOST => Ok(Claimed::Lost),
        code => expect_ok(code).map(|()| Claimed::Held),
    }
}
