// SPDX-License-Identifier: Apache-2.0
//
//! The weigher without a daemon.

use super::*;
use gantry_driver::testing::*;

fn scores(unminded: f64) -> Vec<Option<f64>> {
    let mut host = FakeHost::new(3);
    host.reals("stats.inlet_celsius", [Some(10.0), Some(17.0), Some(30.0)]);
    let options = [("unminded_celsius", OptionValue::Real(unminded))];
    host.weigh::<CoolWeigher>(&options, &FakeRequest::default()).unwrap()
}

#[test]
fn a_cool_host_weighs_more_than_a_hot_one() {
    assert!(scores(18.0)[1] > scores(18.0)[2]);
}

#[test]
fn hosts_below_the_temperature_are_alike() {
    assert_eq!(scores(18.0)[0], scores(18.0)[1]);
    assert!(scores(12.0)[0] > scores(12.0)[1]);
}
