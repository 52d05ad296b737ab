// SPDX-License-Identifier: Apache-2.0
//
//! The manifest, read and written while the driver is compiled.

use crate::abi::{Text, ABI_TEXT};

/// Where the value of a line  key = 'value'  above the manifest's first table begins and ends. Both are 0 if there is no
/// such line.
const fn place_of(manifest: &str, key: &str) -> (usize, usize) {
    let (text, key) = (manifest.as_bytes(), key.as_bytes());
    let mut at = 0;
    while at < text.len() {
        at = after_blanks(text, at);
        if at < text.len() && text[at] == b'[' {
            return (0, 0);
        }
        if starts_with(text, at, key) {
            let equals = after_blanks(text, at + key.len());
            if equals < text.len() && text[equals] == b'=' {
                return quoted(text, after_blanks(text, equals + 1));
            }
        }
        while at < text.len() && text[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    (0, 0)
}

const fn after_blanks(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && (text[at] == b' ' || text[at] == b'\t') {
        at += 1;
    }
    at
}

const fn starts_with(text: &[u8], at: usize, key: &[u8]) -> bool {
    let mut index = 0;
    while index < key.len() {
        if at + index >= text.len() || text[at + index] != key[index] {
            return false;
        }
        index += 1;
    }
    true
}

const fn quoted(text: &[u8], open: usize) -> (usize, usize) {
    if open >= text.len() || (text[open] != b'\'' && text[open] != b'"') {
        return (0, 0);
    }
    let mut close = open + 1;
    while close < text.len() && text[close] != text[open] && text[close] != b'\n' {
        close += 1;
    }
    if close < text.len() && text[close] == text[open] {
        (open + 1, close)
    } else {
        (0, 0)
    }
}

/// Returns whether the manifest has this value above its first table.
pub const fn says(manifest: &str, key: &str, value: &str) -> bool {
    let (begin, end) = place_of(manifest, key);
    end - begin == value.len() && starts_with(manifest.as_bytes(), begin, value.as_bytes())
}

/// Returns a value above the first table as a part of `bytes(manifest)`. The section of the manifest is then referred to
/// by what the entry returns, so that no linker leaves it out.
pub const fn value_in(bytes: &'static [u8], manifest: &str, key: &str, needs_minor: u32) -> Text {
    let (begin, end) = place_of(manifest, key);
    let at = size(manifest, needs_minor) - 1 - manifest.len() + begin;
    assert!(at + (end - begin) < bytes.len());
    // SAFETY: the value lies within the bytes.
    Text { data: unsafe { bytes.as_ptr().add(at) }, size: (end - begin) as u64 }
}

/// Stops the compiler if the manifest lacks its id or its version.
pub const fn check(manifest: &str) {
    let (id, version) = (place_of(manifest, "id"), place_of(manifest, "version"));
    assert!(id.0 < id.1, "the manifest needs a line  id = '...'  above its first [table]");
    assert!(version.0 < version.1, "the manifest needs a line  version = '...'  above its first [table]");
}

const fn digits_of(number: u32) -> usize {
    let (mut digits, mut rest) = (1, number / 10);
    while rest > 0 {
        digits += 1;
        rest /= 10;
    }
    digits
}

const BEFORE_ABI: &str = "manifest = 1\nabi = '";
const BEFORE_MINOR: &str = "'\nneeds_minor = ";

/// The size of `bytes(manifest)`.
pub const fn size(manifest: &str, needs_minor: u32) -> usize {
    let head = BEFORE_ABI.len() + ABI_TEXT.len() + BEFORE_MINOR.len();
    head + digits_of(needs_minor) + 1 + manifest.len() + 1
}

/// GANTRY_MANIFEST: the bytes for the section .gantry.manifest, with the lines `manifest`, `abi` and `needs_minor`, and
/// a NUL at the end.
pub const fn bytes<const SIZE: usize>(manifest: &str, needs_minor: u32) -> [u8; SIZE] {
    let (bytes, at) = append([0; SIZE], 0, BEFORE_ABI);
    let (bytes, at) = append(bytes, at, ABI_TEXT);
    let (mut bytes, mut at) = append(bytes, at, BEFORE_MINOR);
    let (mut digit, mut rest) = (digits_of(needs_minor), needs_minor);
    let end = at + digit;
    while digit > 0 {
        digit -= 1;
        bytes[at + digit] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    bytes[end] = b'\n';
    at = end + 1;
    append(bytes, at, manifest).0
}

const fn append<const SIZE: usize>(mut bytes: [u8; SIZE], at: usize, text: &str) -> ([u8; SIZE], usize) {
    let mut index = 0;
    while index < text.len() {
        bytes[at + index] = text.as_bytes()[index];
        index += 1;
    }
    (bytes, at + index)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\n  id = 'first_fit'\nidle = 'x'\nversion=\"1.2\"\n[options.id]\nthreads = 'serial'\n";

    #[test]
    fn the_manifest_has_the_lines_of_the_host() {
        let written = bytes::<{ size(TEXT, 12) }>(TEXT, 12);
        let text = std::str::from_utf8(&written).unwrap();
        assert_eq!(text, format!("manifest = 1\nabi = '{}'\nneeds_minor = 12\n{}\0", ABI_TEXT, TEXT));
    }

    #[test]
    fn values_stand_above_the_first_table() {
        static BYTES: [u8; size(TEXT, 5)] = bytes(TEXT, 5);
        let id = value_in(&BYTES, TEXT, "id", 5);
        assert_eq!(unsafe { crate::text::text(id) }, "first_fit");
        assert!(says(TEXT, "version", "1.2") && says(TEXT, "id", "first_fit"));
        assert!(!says(TEXT, "threads", "serial") && !says(TEXT, "id", "first"));
        assert!(!says("id = 'open\nversion = '1'\n", "id", "open"));
    }
}
