// SPDX-License-Identifier: Apache-2.0
//
//! A filter without a daemon.

use super::*;
use gantry_driver::testing::*;

fn kept(reserve_w: i64, wanted: &str) -> Result<Vec<u32>> {
    let mut host = FakeHost::new(2);
    host.integers("stats.power_left_w", [Some(100), Some(900)]);
    let extra_specs = vec![("site:power_w".to_string(), wanted.to_string())];
    let request = FakeRequest { extra_specs, ..FakeRequest::default() };
    host.keep::<PowerFilter>(&[("reserve_w", OptionValue::Integer(reserve_w))], &request)
}

#[test]
fn hosts_with_the_power_pass() {
    assert_eq!(kept(0, "100").unwrap(), [0, 1]);
    assert_eq!(kept(0, "101").unwrap(), [1]);
}

#[test]
fn the_reserve_is_kept() {
    assert_eq!(kept(50, "51").unwrap(), [1]);
}

#[test]
fn watts_are_numbers() {
    assert_eq!(kept(0, "much").unwrap_err().code(), Code::InvalidArgument);
}
