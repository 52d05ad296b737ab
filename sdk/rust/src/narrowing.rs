// SPDX-License-Identifier: Apache-2.0
//
//! A set of rows that shrinks rule by rule, and tells the host of each rule.

use crate::bits::{Bitmap, Bits};
use crate::call::Call;
use crate::candidates::rows_up;
use crate::columns::{Flags, Integers, Texts};
use crate::explain::{HostExplanation, Step, Verdict};
use crate::failure::Result;
use crate::request::{ExplainHosts, Request};
use crate::view::View;

type ReasonOf<'c> = Box<dyn Fn(u32) -> String + 'c>;

struct ToldStep<'c> {
    name: String,
    reason: String,
    /// `None`: the reason holds for each row.
    reason_of: Option<ReasonOf<'c>>,
}

/// A set of rows that shrinks rule by rule. Each rule is explained to the host as a step with its numbers of rows, until
/// the set is empty. The step that emptied the set is remembered, for the sentence of NoValidHost.
pub struct Narrowing<'c> {
    call: &'c Call<'c>,
    view: View<'c>,
    rows: Bitmap,
    left: u32,
    any_up: bool,
    emptied_by: String,
    eligible: Option<Bits<'c>>,
    /// The rows that the last step left, if hosts are to be explained.
    before: Option<Bitmap>,
    removed: Vec<(u32, usize)>,
    steps: Vec<ToldStep<'c>>,
}

impl<'c> Narrowing<'c> {
    /// Starts with the rows that are up and not disabled.
    pub fn of_view(call: &'c Call<'_>, view: View<'c>) -> Result<Narrowing<'c>> {
        Narrowing::new(call, view, false, None)
    }

    /// The same for a request, which may ask for explanations of single hosts. Rows that are not eligible are left out
    /// from the start, and no step counts them.
    pub fn of_request(call: &'c Call<'_>, request: &Request<'c>) -> Result<Narrowing<'c>> {
        let explains = request.explain_hosts() != ExplainHosts::None;
        Narrowing::new(call, request.view(), explains, request.eligible())
    }

    fn new(call: &'c Call<'_>, view: View<'c>, explains: bool, eligible: Option<Bits<'c>>) -> Result<Narrowing<'c>> {
        let all = eligible.map_or_else(|| Bitmap::full(view.rows()), Bitmap::from);
        let mut rows = rows_up(&view)?;
        rows.keep(&all);
        let mut found = Narrowing {
            call,
            view,
            rows,
            left: all.count(),
            any_up: false,
            emptied_by: String::new(),
            eligible,
            before: explains.then_some(all),
            removed: Vec::new(),
            steps: Vec::new(),
        };
        let reason = match (view.rows(), found.left) {
            (0, _) => "no host is known on this topic",
            (_, 0) => "no host is among placement's candidates",
            _ => "the service is down or disabled",
        };
        found.tell("up", reason, None, found.rows.count());
        found.any_up = found.left != 0;
        Ok(found)
    }

    /// Returns whether any row was up and not disabled at the start.
    pub fn any_up(&self) -> bool {
        self.any_up
    }

    pub fn rows(&self) -> &Bitmap {
        &self.rows
    }

    pub fn rows_mut(&mut self) -> &mut Bitmap {
        &mut self.rows
    }

    /// Returns the number of rows that the last step left.
    pub fn left(&self) -> u32 {
        self.left
    }

    /// Applies a rule: removes the rows for which the test is false, and explains that.
    pub fn keep_if(&mut self, name: &str, reason: &str, test: impl FnMut(u32) -> bool) {
        self.rows.keep_if(test);
        self.step(name, reason);
    }

    /// Explains a rule. Call this after the rule has changed the rows. `reason` says why rows were removed.
    pub fn step(&mut self, name: &str, reason: &str) {
        self.step_that_left(name, reason, self.rows.count());
    }

    /// Explains a rule that does not change the rows. `left` is the number of rows that the rule left.
    pub fn step_that_left(&mut self, name: &str, reason: &str, left: u32) {
        if self.left != 0 {
            self.tell(name, reason, None, left);
        }
    }

    /// Explains a rule with which each row has a reason of its own.
    pub fn step_with(&mut self, name: &str, reason: &str, reason_of: impl Fn(u32) -> String + 'c) {
        if self.left != 0 {
            self.tell(name, reason, Some(Box::new(reason_of)), self.rows.count());
        }
    }

    /// Returns "step: reason" of the step that emptied the set. Empty if rows are left.
    pub fn emptied_by(&self) -> &str {
        &self.emptied_by
    }

    /// Returns whether the request asks for explanations of single hosts.
    pub fn explains_hosts(&self) -> bool {
        self.before.is_some()
    }

    /// Explains, for the first instance, the rows that the steps removed, if the request asks for it. Call this once,
    /// after the last step and after the rows that are left were explained.
    pub fn explain_removed(&self) {
        for (row, step) in &self.removed {
            let told = &self.steps[*step];
            let reason = match &told.reason_of {
                _ if *step == 0 => why_not_up(&self.view, *row),
                Some(reason_of) => reason_of(*row),
                None => told.reason.clone(),
            };
            let name = if *step == 0 { "up" } else { &told.name };
            self.explain(*row, &[Verdict { name, passed: false, reason: &reason }]);
        }
        if let (true, Some(eligible)) = (self.explains_hosts(), self.eligible) {
            let reason = "not among placement's candidates";
            let against = Verdict { name: "placement", passed: false, reason };
            for row in (0..self.view.rows()).filter(|row| !eligible.contains(*row)) {
                self.explain(row, &[against]);
            }
        }
    }

    /// Explains, for the first instance, all rows, if the request asks for it: rows that are left passed, and no rank or
    /// weight is known of them.
    pub fn explain_all(&self) {
        if self.explains_hosts() {
            self.rows.iter().for_each(|row| self.explain(row, &[]));
            self.explain_removed();
        }
    }

    fn explain(&self, row: u32, verdicts: &[Verdict<'_>]) {
        // Explanations only tell: a host without room for more leaves them out.
        let _ = self.call.explain_host(&HostExplanation { row, verdicts, ..Default::default() });
    }

    fn tell(&mut self, name: &str, reason: &str, reason_of: Option<ReasonOf<'c>>, left: u32) {
        if let Some(before) = &mut self.before {
            before.remove(&self.rows);
            let step = self.steps.len();
            self.removed.extend(before.iter().map(|row| (row, step)));
            let (name, reason) = (name.to_string(), reason.to_string());
            self.steps.push(ToldStep { name, reason, reason_of });
            *before = self.rows.clone();
        }
        let is_worth_saying = left < self.left || self.left == 0;
        self.call.explain(&Step {
            name,
            hosts_in: self.left.into(),
            hosts_out: left.into(),
            reason: if is_worth_saying { reason } else { "" },
            instance: None,
        });
        if left == 0 {
            self.emptied_by = format!("{}: {}", name, reason);
        }
        self.left = left;
    }
}

/// Returns why a row's service may not be chosen: disabled and for which reason, forced down, or down since when.
pub fn why_not_up(view: &View<'_>, row: u32) -> String {
    let is_set = |name| view.find::<Flags<'_>>(name).and_then(|flags| flags.get(row)) == Some(true);
    if is_set("disabled") {
        let reason = view.find::<Texts<'_>>("disabled_reason").and_then(|texts| texts.get(row));
        return reason.map_or("disabled".to_string(), |reason| format!("disabled: {}", reason));
    }
    if is_set("forced_down") {
        return "forced down".to_string();
    }
    match view.find::<Integers<'_>>("last_seen_up").and_then(|seen| seen.get(row)) {
        Some(seen) => format!("down, last seen up at {}", time_text(seen.div_euclid(1_000_000_000))),
        None => "down, never seen up".to_string(),
    }
}

/// Returns seconds since 1970 UTC as "2026-01-31T23:59:59Z".
fn time_text(seconds: i64) -> String {
    let (days, of_day) = (seconds.div_euclid(86400), seconds.rem_euclid(86400));
    // Years begin in March here, so that a leap day is the last day of its year.
    let since_march_0 = days + 719_468;
    let (era, of_era) = (since_march_0.div_euclid(146_097), since_march_0.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let (hour, minute) = (of_day / 3600, of_day / 60 % 60);
    format!("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", year, month, day, hour, minute, of_day % 60)
}

#[cfg(test)]
mod tests {
    use super::time_text;

    #[test]
    fn a_time_is_written_in_utc() {
        assert_eq!(time_text(0), "1970-01-01T00:00:00Z");
        assert_eq!(time_text(1_709_210_096), "2024-02-29T12:34:56Z");
        assert_eq!(time_text(1_735_689_599), "2024-12-31T23:59:59Z");
        assert_eq!(time_text(-1), "1969-12-31T23:59:59Z");
    }
}
