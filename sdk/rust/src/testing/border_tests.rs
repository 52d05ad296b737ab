// SPDX-License-Identifier: Apache-2.0
//
//! What passes between a host and a driver: codes and types that are not known, structs that are shorter, panics.

use super::*;
use crate::call::Call;
use crate::columns::{Documents, Integers, Reals, Sets, Texts, Uuids};
use crate::entry::NoOperations as _;
use crate::guard::guarded;
use crate::options::Options;
use crate::pick::{Claimed, Pick};
use crate::request::{ExplainHosts, MethodCall, Request};
use std::ptr::null;

struct Driven;

impl Driver for Driven {
    fn create(_: &Call<'_>, options: &Options<'_>) -> Result<Self> {
        options.boolean("on").map(|_| Driven)
    }
}

impl Methods for Driven {
    fn call_method(&self, call: &Call<'_>, method: &MethodCall<'_>) -> Result {
        match method.method() {
            "panic" => panic!("at {}", method.args()),
            "odd panic" => std::panic::panic_any(7),
            "pick" => assert_eq!(call.pick(&Pick::new(0, 0))?, Claimed::Held),
            "type" => assert!(method.view().find::<Integers<'_>>("up").is_none()),
            "null" => assert_eq!(method.view().texts("rack")?.get(1), None),
            "numbers" => {
                let bounds = [1, 2, 3, 10, 1 << 33, (1 << 63) + 1, u64::MAX];
                let drawn: Vec<u64> = bounds.iter().map(|bound| call.random_below(*bound)).collect();
                call.reply(&format!("{:?}", drawn))?;
            }
            other => return Err(Failure::unsupported(format!("no {}", other))),
        }
        Ok(())
    }
}

fn ran(host: &FakeHost, method: &str) -> Outcome {
    let driver = host.create::<Driven>(&[("on", OptionValue::Boolean(true))]).unwrap();
    driver.call_method(method, "{}")
}

#[test]
fn a_panic_is_a_failure_with_its_message() {
    let outcome = ran(&FakeHost::new(1), "panic");
    assert_eq!(outcome.failed, Some(Code::Internal));
    assert_eq!(outcome.sentence, "the driver panicked: at {}");
    assert_eq!(ran(&FakeHost::new(1), "odd panic").sentence, "the driver panicked: no message");
}

#[test]
fn a_failure_has_its_code_and_sentence() {
    let outcome = ran(&FakeHost::new(1), "help");
    assert_eq!((outcome.failed, outcome.sentence.as_str()), (Some(Code::Unsupported), "no help"));
    let refused = FakeHost::new(1).create::<Driven>(&[("on", OptionValue::Real(1.0))]).err().unwrap();
    assert!(refused.to_string().contains("option 'on', found none with that name and the type boolean"));
}

#[test]
fn an_unknown_code_of_a_service_is_returned() {
    unsafe extern "C" fn later(_: *mut abi::Call, _: *const abi::Pick) -> i32 {
        99
    }
    let mut host = FakeHost::new(1);
    host.raw.pick = later;
    let outcome = ran(&host, "pick");
    assert_eq!((outcome.failed, outcome.sentence.as_str()), (Some(Code::Unknown(99)), ""));
}

#[test]
fn a_failure_cannot_say_ok() {
    let host = FakeHost::new(0);
    let mut call = host.call();
    let failed = |_: &Call<'_>| Err(Failure::new(Code::Unknown(0), "odd"));
    assert_eq!(unsafe { guarded(&host.raw, call.raw(), failed) }, abi::INTERNAL);
}

#[test]
fn a_column_of_another_type_and_a_null_are_passed_over() {
    let mut host = FakeHost::new(2);
    host.texts("rack", [Some("r1".to_string()), None]);
    assert_eq!(ran(&host, "type").failed, None);
    assert_eq!(ran(&host, "null").failed, None);
}

#[test]
fn random_numbers_are_those_of_the_sdk_for_cpp() {
    let mut host = FakeHost::new(1);
    let drawn = |host: &FakeHost| {
        let mut call = host.call();
        let call = unsafe { Call::new(&host.raw, call.raw()) };
        let bounds = [1, 2, 3, 10, 1 << 33, (1 << 63) + 1, u64::MAX];
        (call.random(), bounds.map(|bound| call.random_below(bound)))
    };
    let of_1 = [0, 1, 1, 6, 1233274404, 3515805966490203214, 15996139959407692320];
    assert_eq!(drawn(&host), (12966619160104079557, of_1));
    host.seed = 42;
    let of_42 = [0, 1, 2, 9, 6612011618, 6633989454467100377, 15679888225317814406];
    assert_eq!(drawn(&host), (1546998764402558742, of_42));
    assert_eq!(ran(&host, "numbers").reply, ran(&host, "numbers").reply);
}

#[test]
fn a_request_that_ends_before_a_field_does_not_have_it() {
    let host = FakeHost::new(1);
    let mut call = host.call();
    let words = [1_u64];
    let mut view: abi::View = unsafe { zeroed() };
    view.rows = 1;
    let mut raw: abi::Request = unsafe { zeroed() };
    (raw.view, raw.eligible, raw.explain_hosts) = (&view, words.as_ptr(), 7);
    raw.struct_size = (abi::offset!(abi::Request, eligible) + size_of::<*const u64>()) as u32;
    let eligible = |raw: &abi::Request, call: *mut abi::Call| {
        let request = unsafe { Request::new(&host.raw, call, raw) };
        assert_eq!(request.explain_hosts(), ExplainHosts::AllFilters);
        assert!(request.claimable().is_none() && request.group().is_none() && request.hint("rack").is_none());
        request.eligible().map(|rows| rows.count())
    };
    assert_eq!(eligible(&raw, call.raw()), Some(1));
    raw.struct_size -= 1;
    assert_eq!(eligible(&raw, call.raw()), None);
}

#[test]
fn a_column_without_rows_may_have_null_pointers() {
    use crate::columns::ColumnType;
    let mut raw: abi::Column = unsafe { zeroed() };
    raw.validity = null();
    unsafe {
        assert!(Integers::read(&raw, 0).values().is_empty() && Reals::read(&raw, 0).values().is_empty());
        assert!(Texts::read(&raw, 0).dictionary().is_empty());
        assert_eq!((Sets::read(&raw, 0).code_count(), Sets::read(&raw, 0).meaning(0)), (0, None));
        let _ = (Documents::read(&raw, 0), Uuids::read(&raw, 0));
    }
}

#[test]
fn operations_that_a_driver_lacks_are_left_to_the_host() {
    assert!(Operations::<Driven>::CALL_METHOD.is_some() && Operations::<Driven>::SELECT_DESTINATIONS.is_none());
    assert!(Operations::<Driven>::HOSTS_UP.is_none() && Operations::<Driven>::EXTENSION.is_none());
}
