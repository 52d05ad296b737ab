// SPDX-License-Identifier: Apache-2.0
//
//! Filters and weighers without a daemon.

use super::{options_of, raw_options, FakeHost, FakeRequest, OptionValue};
use crate::bits::Bitmap;
use crate::call::Call;
use crate::failure::Result;
use crate::offers::{Filter, FilterRun, Weigher, WeigherRun};
use crate::options::Options;
use crate::request::Request;

impl FakeHost {
    fn with<T>(
        &self,
        options: &[(&str, OptionValue)],
        request: &FakeRequest,
        run: impl FnOnce(&Call<'_>, &Options<'_>, Request<'_>) -> Result<T>,
    ) -> Result<T> {
        let list = raw_options(options);
        let mut call = self.call();
        request.with_raw(&self.view(), |raw| {
            let (options, raw_call) = (options_of(&list), call.raw());
            // SAFETY: all of them live until `run` returns.
            unsafe {
                let call = Call::new(&self.raw, raw_call);
                run(&call, &Options::new(&options), Request::new(&self.raw, raw_call, raw))
            }
        })
    }

    /// Creates a filter and runs it once for the whole request. Returns the rows that pass.
    pub fn keep<F: Filter>(&self, options: &[(&str, OptionValue)], request: &FakeRequest) -> Result<Vec<u32>> {
        self.with(options, request, |call, options, request| {
            let mut rows = Bitmap::full(self.rows);
            let run = FilterRun { request, view: request.view(), instance: None, is_rebuild: false };
            F::create(call, options)?.keep(call, &run, &mut rows)?;
            Ok(rows.iter().collect())
        })
    }

    /// Creates a weigher and runs it once for the whole request. Returns the score of each row.
    pub fn weigh<W: Weigher>(
        &self,
        options: &[(&str, OptionValue)],
        request: &FakeRequest,
    ) -> Result<Vec<Option<f64>>> {
        self.with(options, request, |call, options, request| {
            let mut run = WeigherRun::new(request, request.view(), Bitmap::full(self.rows), None, false);
            W::create(call, options)?.weigh(call, &mut run)?;
            Ok(run.scores)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Failure;

    struct Racks;

    impl Filter for Racks {
        fn create(_: &Call<'_>, _: &Options<'_>) -> Result<Self> {
            Ok(Racks)
        }
        fn keep(&self, _: &Call<'_>, run: &FilterRun<'_>, rows: &mut Bitmap) -> Result {
            let rack = run.request.hint("rack").and_then(|racks| racks.first());
            let racks = run.view.texts("rack")?;
            rows.keep_if(|row| racks.get(row) == rack);
            Ok(())
        }
    }

    struct Power(f64);

    impl Weigher for Power {
        fn create(_: &Call<'_>, options: &Options<'_>) -> Result<Self> {
            options.real("factor").map(Power)
        }
        fn weigh(&self, _: &Call<'_>, run: &mut WeigherRun<'_>) -> Result {
            let left = run.view.reals("power")?;
            let scored: Vec<(u32, f64)> =
                run.rows.iter().filter_map(|row| left.get(row).map(|left| (row, left))).collect();
            scored.iter().try_for_each(|(row, left)| run.score(*row, left * self.0))
        }
    }

    #[test]
    fn a_filter_keeps_rows_and_a_weigher_scores_them() {
        let mut host = FakeHost::new(3);
        host.texts("rack", [Some("r1".to_string()), None, Some("r2".to_string())]);
        host.reals("power", [Some(1.5), None, Some(3.0)]);
        let hints = vec![("rack".to_string(), vec!["r2".to_string()])];
        let request = FakeRequest { hints, ..FakeRequest::default() };
        assert_eq!(host.keep::<Racks>(&[], &request), Ok(vec![2]));
        let factor = |factor| [("factor", OptionValue::Real(factor))];
        assert_eq!(host.weigh::<Power>(&factor(2.0), &request), Ok(vec![Some(3.0), None, Some(6.0)]));
        let refused = "expected a finite score, found inf for host 'host-0'";
        assert_eq!(host.weigh::<Power>(&factor(f64::INFINITY), &request), Err(Failure::internal(refused)));
    }
}
