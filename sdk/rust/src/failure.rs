// SPDX-License-Identifier: Apache-2.0
//
//! How an operation ends that has no result.

use crate::abi;
use std::fmt;

/// The result of an operation and of the host's services.
pub type Result<T = ()> = std::result::Result<T, Failure>;

/// The codes with which an operation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// No host fits; a result, not a failure.
    NoValidHost,
    /// The driver cannot make sense of the request.
    InvalidArgument,
    /// The driver or the host does not offer this function.
    Unsupported,
    /// The deadline has passed.
    DeadlineExceeded,
    /// Memory or another limit of the host was reached.
    ResourceExhausted,
    /// The driver's own fault.
    Internal,
    /// A code of a later host, which the operation returns as it is.
    Unknown(i32),
}

impl Code {
    pub(crate) fn of(raw: i32) -> Code {
        match raw {
            abi::NO_VALID_HOST => Code::NoValidHost,
            abi::INVALID_ARGUMENT => Code::InvalidArgument,
            abi::UNSUPPORTED => Code::Unsupported,
            abi::DEADLINE_EXCEEDED => Code::DeadlineExceeded,
            abi::RESOURCE_EXHAUSTED => Code::ResourceExhausted,
            abi::INTERNAL => Code::Internal,
            other => Code::Unknown(other),
        }
    }

    pub(crate) fn raw(self) -> i32 {
        match self {
            Code::NoValidHost => abi::NO_VALID_HOST,
            Code::InvalidArgument => abi::INVALID_ARGUMENT,
            Code::Unsupported => abi::UNSUPPORTED,
            Code::DeadlineExceeded => abi::DEADLINE_EXCEEDED,
            Code::ResourceExhausted => abi::RESOURCE_EXHAUSTED,
            Code::Internal => abi::INTERNAL,
            Code::Unknown(raw) => raw,
        }
    }
}

/// Why an operation has no result: a code, and a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    code: Code,
    /// `None`: a service of the host failed and has told the host a sentence already.
    sentence: Option<String>,
}

impl Failure {
    pub fn new(code: Code, sentence: impl Into<String>) -> Failure {
        Failure { code, sentence: Some(sentence.into()) }
    }

    pub fn no_valid_host(sentence: impl Into<String>) -> Failure {
        Failure::new(Code::NoValidHost, sentence)
    }

    pub fn invalid_argument(sentence: impl Into<String>) -> Failure {
        Failure::new(Code::InvalidArgument, sentence)
    }

    pub fn unsupported(sentence: impl Into<String>) -> Failure {
        Failure::new(Code::Unsupported, sentence)
    }

    pub fn deadline_exceeded(sentence: impl Into<String>) -> Failure {
        Failure::new(Code::DeadlineExceeded, sentence)
    }

    pub fn internal(sentence: impl Into<String>) -> Failure {
        Failure::new(Code::Internal, sentence)
    }

    pub fn code(&self) -> Code {
        self.code
    }

    pub fn sentence(&self) -> Option<&str> {
        self.sentence.as_deref()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.sentence().unwrap_or("a service of the host failed"))
    }
}

impl std::error::Error for Failure {}

/// Takes the answer of a service: an unknown code is a failure, too.
pub(crate) fn expect_ok(answer: i32) -> Result {
    match answer {
        abi::OK => Ok(()),
        code => Err(Failure { code: Code::of(code), sentence: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_keeps_its_number_and_an_unknown_one_is_a_failure() {
        for raw in 1..12 {
            assert_eq!(expect_ok(raw).unwrap_err().code().raw(), raw);
        }
        assert_eq!(expect_ok(99).unwrap_err().code(), Code::Unknown(99));
        assert!(expect_ok(abi::OK).is_ok());
    }
}
