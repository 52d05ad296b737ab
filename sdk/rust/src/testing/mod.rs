// SPDX-License-Identifier: Apache-2.0
//
//! A host for testing what a driver decides, without a daemon: columns, requests, picks, refusals, steps and replies. A
//! service beyond these fails with `Unsupported`. gantry/testing/fake_host.hpp plays a whole host for a built file.
//!
//! ```
//! use gantry_driver::testing::*;
//! # use gantry_driver::*;
//! # struct AnyHost;
//! # impl Driver for AnyHost {
//! #     fn create(_: &Call<'_>, _: &Options<'_>) -> Result<Self> { Ok(AnyHost) }
//! # }
//! # impl Decide for AnyHost {
//! #     fn select_destinations(&self, call: &Call<'_>, request: &Request<'_>) -> Result {
//! #         let row = candidates(call, request)?.rows().first();
//! #         let row = row.ok_or_else(|| Failure::no_valid_host("none is up"))?;
//! #         call.pick(&Pick::new(0, row)).map(|_| ())
//! #     }
//! #     fn schedule_run_instance(&self, call: &Call<'_>, request: &Request<'_>) -> Result {
//! #         self.select_destinations(call, request)
//! #     }
//! # }
//! let mut host = FakeHost::new(2);
//! host.flags("up", [Some(false), Some(true)]);
//! let driver = host.create::<AnyHost>(&[]).unwrap();
//! let outcome = driver.select_destinations(&FakeRequest::default());
//! assert_eq!(outcome.picks[0].row, 1);
//! ```

#[cfg(test)]
mod border_tests;
mod request;
mod rules;
mod services;

use crate::abi::{self, Text};
use crate::bits::words_of;
use crate::driver::{Decide, Driver, Methods};
use crate::entry::Operations;
use crate::failure::{Code, Failure, Result};
use services::{seeded, table};
use std::collections::HashSet;
use std::marker::PhantomData;
use std::mem::{size_of, zeroed};
use std::ptr::null_mut;

enum Values {
    Bits(Vec<u64>),
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    Codes(Vec<u32>, Vec<String>),
}

struct FakeColumn {
    name: String,
    values: Values,
    validity: Vec<u64>,
}

/// Hosts, all up and named host-0, host-1 and so on, and the settings of a test.
pub struct FakeHost {
    rows: u32,
    columns: Vec<FakeColumn>,
    /// The seed of each call's random numbers.
    pub seed: u64,
    /// The rows whose claims are lost.
    pub lost: HashSet<u32>,
    /// Whether the deadline of each call has passed.
    pub stop: bool,
    raw: abi::Host,
}

/// The value of an option of the driver.
#[derive(Clone, Debug)]
pub enum OptionValue {
    Boolean(bool),
    Integer(i64),
    Real(f64),
    Text(String),
}

/// A request for instances. The members are those of `Request`.
#[derive(Clone, Debug)]
pub struct FakeRequest {
    pub instances: u32,
    pub alternates: u32,
    pub vcpus: Option<i64>,
    pub memory_mb: Option<i64>,
    pub ignore_hosts: Vec<String>,
    pub extra_specs: Vec<(String, String)>,
    pub hints: Vec<(String, Vec<String>)>,
}

impl Default for FakeRequest {
    fn default() -> FakeRequest {
        FakeRequest {
            instances: 1,
            alternates: 0,
            vcpus: None,
            memory_mb: None,
            ignore_hosts: Vec::new(),
            extra_specs: Vec::new(),
            hints: Vec::new(),
        }
    }
}

/// A pick whose claim held, or an alternate.
#[derive(Clone, Debug, PartialEq)]
pub struct Picked {
    pub instance: u32,
    pub row: u32,
    pub limit_memory_mb: Option<f64>,
}

/// A step of the decision: its name, how many hosts went in, how many came out, and the reason.
pub type Told = (String, u64, u64, String);

/// The result of one call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// `None`: the operation succeeded.
    pub failed: Option<Code>,
    pub sentence: String,
    pub picks: Vec<Picked>,
    pub alternates: Vec<Picked>,
    pub refusals: Vec<(u32, String)>,
    pub steps: Vec<Told>,
    pub reply: Option<String>,
}

struct FakeCall<'h> {
    host: &'h FakeHost,
    columns: Vec<abi::Column>,
    dictionaries: Vec<Vec<Text>>,
    random: [u64; 4],
    outcome: Outcome,
}

fn bitmap(bits: impl Iterator<Item = bool>) -> Vec<u64> {
    let mut words = Vec::new();
    for (row, bit) in bits.enumerate() {
        words.resize(row / 64 + 1, 0);
        words[row / 64] |= u64::from(bit) << (row % 64);
    }
    words
}

macro_rules! columns {
    ($($name:ident($value:ty) = $make:expr;)*) => {
        $(/// Adds a column, or replaces the one of that name, with a value for each host. `None`: never reported.
        pub fn $name(&mut self, name: &str, values: impl IntoIterator<Item = Option<$value>>) {
            let values: Vec<Option<$value>> = values.into_iter().collect();
            assert_eq!(values.len(), self.rows as usize, "expected a value for each host in column {}", name);
            let validity = bitmap(values.iter().map(|value| value.is_some()));
            let make: fn(Vec<Option<$value>>) -> Values = $make;
            self.columns.retain(|column| column.name != name);
            self.columns.push(FakeColumn { name: name.to_string(), values: make(values), validity });
        })*
    };
}

impl FakeHost {
    pub fn new(rows: u32) -> FakeHost {
        let mut host = FakeHost { rows, columns: Vec::new(), seed: 1, lost: HashSet::new(), stop: false, raw: table() };
        let of_all = |value| vec![Some(value); rows as usize];
        host.flags("up", of_all(true));
        host.flags("disabled", of_all(false));
        host.texts("host", (0..rows).map(|row| Some(format!("host-{}", row))));
        host
    }

    // What a null row holds is poison: a driver has to ask first.
    columns! {
        flags(bool) = |values| Values::Bits(bitmap(values.into_iter().map(|value| value.unwrap_or(true))));
        integers(i64) = |values| Values::Integers(values.into_iter().map(|value| value.unwrap_or(i64::MIN)).collect());
        reals(f64) = |values| Values::Reals(values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect());
        texts(String) = |values| {
            let texts: Vec<String> = values.iter().flatten().cloned().collect();
            let code = |text: &String| texts.iter().position(|known| known == text).unwrap_or(0) as u32;
            let codes = values.iter().map(|text| text.as_ref().map_or(u32::MAX, code)).collect();
            Values::Codes(codes, texts)
        };
    }

    fn view(&self) -> abi::View {
        // SAFETY: a view of zeros is empty.
        let mut view: abi::View = unsafe { zeroed() };
        view.struct_size = size_of::<abi::View>() as u32;
        view.rows = self.rows;
        view.generation = 1;
        view.topic = Text::of("compute");
        view
    }

    fn call(&self) -> FakeCall<'_> {
        let mut call = FakeCall {
            host: self,
            columns: Vec::new(),
            dictionaries: Vec::new(),
            random: seeded(self.seed),
            outcome: Outcome::default(),
        };
        for column in &self.columns {
            // SAFETY: a column of zeros is one of no type.
            let mut raw: abi::Column = unsafe { zeroed() };
            raw.name = Text::of(&column.name);
            raw.struct_size = size_of::<abi::Column>() as u32;
            raw.validity = column.validity.as_ptr();
            let (kind, values) = match &column.values {
                Values::Bits(words) => (abi::TYPE_BOOL, words.as_ptr().cast()),
                Values::Integers(values) => (abi::TYPE_I64, values.as_ptr().cast()),
                Values::Reals(values) => (abi::TYPE_F64, values.as_ptr().cast()),
                Values::Codes(codes, texts) => {
                    let dictionary: Vec<Text> = texts.iter().map(|text| Text::of(text)).collect();
                    raw.dictionary = dictionary.as_ptr().cast();
                    raw.dictionary_count = dictionary.len() as u64;
                    call.dictionaries.push(dictionary);
                    (abi::TYPE_STRING, codes.as_ptr().cast())
                }
            };
            raw.kind = kind;
            raw.values = values;
            call.columns.push(raw);
        }
        call
    }

    /// Creates a driver with these options. The host is borrowed: change it before, or after the driver has gone.
    pub fn create<D: Driver>(&self, options: &[(&str, OptionValue)]) -> Result<FakeDriver<'_, D>> {
        let list = raw_options(options);
        let mut call = self.call();
        let mut driver = null_mut();
        // SAFETY: the arguments live until create returns, and the host outlives the driver.
        let code = unsafe { (Operations::<D>::CREATE)(&self.raw, call.raw(), &options_of(&list), &mut driver) };
        if code != abi::OK {
            return Err(Failure::new(Code::of(code), call.outcome.sentence));
        }
        Ok(FakeDriver { host: self, driver, of: PhantomData })
    }
}

fn raw_options(options: &[(&str, OptionValue)]) -> Vec<abi::Option> {
    // SAFETY: an option of zeros has no value.
    let raw = |(name, value): &(&str, OptionValue)| unsafe {
        let mut option: abi::Option = zeroed();
        option.name = Text::of(name);
        match value {
            OptionValue::Boolean(on) => (option.kind, option.integer) = (abi::OPTION_BOOLEAN, i64::from(*on)),
            OptionValue::Integer(number) => (option.kind, option.integer) = (abi::OPTION_INTEGER, *number),
            OptionValue::Real(number) => (option.kind, option.real) = (abi::OPTION_REAL, *number),
            OptionValue::Text(text) => (option.kind, option.string) = (abi::OPTION_STRING, Text::of(text)),
        }
        option
    };
    options.iter().map(raw).collect()
}

fn options_of(list: &[abi::Option]) -> abi::Options {
    abi::Options {
        struct_size: size_of::<abi::Options>() as u32,
        option_stride: size_of::<abi::Option>() as u32,
        options: list.as_ptr(),
        option_count: list.len() as u64,
    }
}

/// A driver that a fake host has created.
pub struct FakeDriver<'h, D: Driver> {
    host: &'h FakeHost,
    driver: *mut abi::Driver,
    of: PhantomData<D>,
}

impl<D: Driver> Drop for FakeDriver<'_, D> {
    fn drop(&mut self) {
        // SAFETY: the driver came from its create.
        unsafe { (Operations::<D>::DESTROY)(self.driver) }
    }
}

impl<D: Driver> FakeDriver<'_, D> {
    fn run(&self, operation: impl FnOnce(*mut abi::Driver, *mut abi::Call, &abi::View) -> i32) -> Outcome {
        let view = self.host.view();
        let mut call = self.host.call();
        let code = operation(self.driver, call.raw(), &view);
        call.outcome.failed = (code != abi::OK).then(|| Code::of(code));
        call.outcome
    }
}

impl<D: Decide> FakeDriver<'_, D> {
    pub fn select_destinations(&self, request: &FakeRequest) -> Outcome {
        self.decide(Operations::<D>::SELECT_DESTINATIONS, request)
    }

    pub fn schedule_run_instance(&self, request: &FakeRequest) -> Outcome {
        self.decide(Operations::<D>::SCHEDULE_RUN_INSTANCE, request)
    }

    fn decide(
        &self,
        operation: Option<unsafe extern "C" fn(*mut abi::Driver, *mut abi::Call, *const abi::Request) -> i32>,
        request: &FakeRequest,
    ) -> Outcome {
        self.run(|driver, call, view| {
            request.with_raw(view, |raw| {
                // SAFETY: the arguments live until the operation returns.
                operation.map_or(abi::UNSUPPORTED, |operation| unsafe { operation(driver, call, raw) })
            })
        })
    }
}

impl<D: Methods> FakeDriver<'_, D> {
    /// Runs a custom method. `args` is a JSON object.
    pub fn call_method(&self, method: &str, args: &str) -> Outcome {
        let complete = vec![u64::MAX; words_of(self.host.rows)];
        self.run(|driver, call, view| {
            let raw = abi::MethodCall {
                struct_size: size_of::<abi::MethodCall>() as u32,
                reserved0: 0,
                topic: view.topic,
                method: Text::of(method),
                args: Text::of(args),
                view,
                complete: complete.as_ptr(),
            };
            // SAFETY: the arguments live until the operation returns.
            Operations::<D>::CALL_METHOD.map_or(abi::UNSUPPORTED, |method| unsafe { method(driver, call, &raw) })
        })
    }
}
