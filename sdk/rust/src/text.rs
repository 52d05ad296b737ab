// SPDX-License-Identifier: Apache-2.0
//
//! Texts and lists of the host, as Rust types that borrow from the host for the length of a call.

use crate::abi;
use std::marker::PhantomData;
use std::mem::{size_of, MaybeUninit};

/// Returns the elements at a pointer. A list of size 0 is empty, and its pointer may be null.
///
/// # Safety
/// If `count` is not 0, `data` points to that many elements, which stay as they are during `'c`.
pub(crate) unsafe fn elements<'c, T>(data: *const T, count: u64) -> &'c [T] {
    if count == 0 || data.is_null() {
        return &[];
    }
    // SAFETY: the caller vouches for the elements.
    unsafe { std::slice::from_raw_parts(data, count as usize) }
}

/// # Safety
/// The text stays as it is during `'c`, and is UTF-8, as driver.h promises of each text of the host.
pub(crate) unsafe fn text<'c>(raw: abi::Text) -> &'c str {
    // SAFETY: the caller vouches for the bytes.
    let bytes = unsafe { elements(raw.data, raw.size) };
    debug_assert!(std::str::from_utf8(bytes).is_ok());
    // SAFETY: the text is UTF-8.
    unsafe { std::str::from_utf8_unchecked(bytes) }
}

/// Returns the element of an array whose elements may be longer than this version knows.
///
/// # Safety
/// The array at `first` has more than `index` elements, `stride` bytes apart.
pub(crate) unsafe fn strided<T>(first: *const T, index: usize, stride: usize) -> *const T {
    // SAFETY: the element lies within the array.
    unsafe { first.cast::<u8>().add(index * stride).cast() }
}

/// Returns a copy of a struct of the host: fields that an older host does not have are 0.
///
/// # Safety
/// `raw` points to `size` bytes of such a struct, all of whose fields may be 0.
pub(crate) unsafe fn copy_of<T: Copy>(raw: *const T, size: u32) -> T {
    let mut copy = MaybeUninit::<T>::zeroed();
    let size = size_of::<T>().min(size as usize);
    // SAFETY: no more bytes are copied than either side has.
    unsafe {
        raw.cast::<u8>().copy_to_nonoverlapping(copy.as_mut_ptr().cast(), size);
        copy.assume_init()
    }
}

/// A list of texts.
#[derive(Clone, Copy)]
pub struct Strings<'c>(&'c [abi::Text]);

impl<'c> Strings<'c> {
    /// # Safety
    /// The list and its texts stay as they are during `'c`.
    pub(crate) unsafe fn new(raw: abi::Strings) -> Self {
        // SAFETY: as the caller vouches.
        Strings(unsafe { elements(raw.items, raw.count) })
    }

    pub(crate) unsafe fn of(raw: &'c [abi::Text]) -> Self {
        Strings(raw)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, index: usize) -> Option<&'c str> {
        // SAFETY: the maker of the list vouched for its texts.
        self.0.get(index).map(|raw| unsafe { text(*raw) })
    }

    pub fn first(&self) -> Option<&'c str> {
        self.get(0)
    }

    pub fn contains(&self, wanted: &str) -> bool {
        self.iter().any(|text| text == wanted)
    }

    pub fn iter(&self) -> impl Iterator<Item = &'c str> + 'c {
        // SAFETY: the maker of the list vouched for its texts.
        self.0.iter().map(|raw| unsafe { text(*raw) })
    }
}

/// A list of keys with their values.
#[derive(Clone, Copy)]
pub struct Pairs<'c>(&'c [abi::Pair]);

impl<'c> Pairs<'c> {
    /// # Safety
    /// The list and its texts stay as they are during `'c`.
    pub(crate) unsafe fn new(items: *const abi::Pair, count: u64) -> Self {
        // SAFETY: as the caller vouches.
        Pairs(unsafe { elements(items, count) })
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value of the first pair with this key.
    pub fn get(&self, key: &str) -> Option<&'c str> {
        self.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'c str, &'c str)> + 'c {
        // SAFETY: the maker of the list vouched for its texts.
        self.0.iter().map(|raw| unsafe { (text(raw.key), text(raw.value)) })
    }
}

/// A UUID: its bytes in the order of the digits of the text form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Uuid(pub [u8; 16]);

impl Uuid {
    /// Reads 32 hexadecimal digits, with or without hyphens. `None` for any other text.
    pub fn parse(text: &str) -> Option<Uuid> {
        let mut bytes = [0; 16];
        let mut digits = 0;
        for letter in text.chars() {
            if letter == '-' && digits != 0 && digits % 2 == 0 {
                continue;
            }
            let value = letter.to_digit(16)? as u8;
            if digits == 32 {
                return None;
            }
            bytes[digits / 2] = bytes[digits / 2] << 4 | value;
            digits += 1;
        }
        (digits == 32).then_some(Uuid(bytes))
    }
}

/// Lists of the host borrow for the length of a call and stay on its thread.
pub(crate) type OnThisThread<'c> = PhantomData<(&'c (), *const ())>;

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::null;

    #[test]
    fn a_list_of_size_0_may_have_a_null_pointer() {
        assert_eq!(unsafe { text(abi::Text { data: null(), size: 0 }) }, "");
        let list = unsafe { Strings::new(abi::Strings { items: null(), count: 0 }) };
        assert!(list.is_empty() && list.first().is_none());
        assert_eq!(unsafe { Pairs::new(null(), 0) }.get("key"), None);
    }

    #[test]
    fn a_uuid_is_read_with_or_without_hyphens() {
        let bytes = Uuid([0x6f, 0x70, 0x65, 0x6e, 0x73, 0x74, 0x41, 0x63, 0x8b, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(Uuid::parse("6f70656e-7374-4163-8b00-000000000001"), Some(bytes));
        assert_eq!(Uuid::parse("6F70656E737441638B00000000000001"), Some(bytes));
        assert_eq!(Uuid::parse("6f70656e-7374-4163-8b00-00000000000"), None);
        assert_eq!(Uuid::parse("6f70656e-7374-4163-8b00-0000000000011"), None);
    }
}
