// SPDX-License-Identifier: Apache-2.0
//
//! The driver without a daemon.

use super::*;
use gantry_driver::testing::*;

fn host() -> FakeHost {
    let mut host = FakeHost::new(3);
    host.flags("up", [Some(false), Some(true), Some(true)]);
    host.integers("memory_mb", [Some(4096); 3]);
    host.reals("memory_mb_used", [Some(0.0), Some(3900.0), Some(0.0)]);
    host
}

fn driver(host: &FakeHost, reserve_mb: i64) -> FakeDriver<'_, FirstFit> {
    host.create(&[("reserve_mb", OptionValue::Integer(reserve_mb))]).unwrap()
}

fn request(memory_mb: i64) -> FakeRequest {
    FakeRequest { memory_mb: Some(memory_mb), ..FakeRequest::default() }
}

#[test]
fn an_instance_goes_to_the_first_host_that_is_up_and_has_the_memory() {
    let outcome = driver(&host(), 100).select_destinations(&request(1024));
    let row = 2;
    assert_eq!(outcome.picks, [Picked { instance: 0, row, limit_memory_mb: Some(3996.0) }]);
}

#[test]
fn without_such_a_host_the_reason_is_told() {
    let outcome = driver(&host(), 0).schedule_run_instance(&request(8192));
    assert_eq!(outcome.refusals, [(0, "memory_mb: they have too little memory left".to_string())]);
}

#[test]
fn a_lost_claim_moves_on_to_the_next_host() {
    let mut host = host();
    host.lost.insert(1);
    assert_eq!(driver(&host, 0).select_destinations(&request(100)).picks[0].row, 2);
}

#[test]
fn a_second_instance_has_options_of_its_own() {
    let host = host();
    let first = driver(&host, 0);
    let second = driver(&host, 4096);
    assert_eq!(first.select_destinations(&request(1024)).failed, None);
    drop(first);
    assert_eq!(second.select_destinations(&request(1024)).failed, Some(Code::NoValidHost));
}
