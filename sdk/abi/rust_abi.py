#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes driver.h and ext/ in Rust, for the crate in sdk/rust, from the frozen layouts in frozen.c and in
frozen/, which lies beside it.

    rust_abi.py FROZEN_C            print abi.rs
    rust_abi.py FROZEN_C ABI_RS     exit status 1 if ABI_RS is another text
"""
import difflib
import re
import sys
from pathlib import Path

from headers import frozen_text

NUMBERS = {"uint8_t": "u8", "uint16_t": "u16", "uint32_t": "u32", "uint64_t": "u64", "int32_t": "i32", "int64_t": "i64",
           "double": "f64", "char": "u8", "void": "c_void", "gantry_code": "i32", "gantry_string": "Text"}
SIGNED = ("OK", "NO_VALID_HOST", "INVALID_ARGUMENT", "UNSUPPORTED", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED",
          "CLAIM_LOST", "INTERNAL", "LOG_", "TYPE_", "OPTION_")
# The operations that a driver or an offer may leave NULL.
OPTIONAL = {"gantry_driver_ops": ("select_destinations", "schedule_run_instance", "hosts_up", "group_hosts",
                                  "update_service_capabilities", "call_method", "extension"),
            "gantry_filter_ops": ("limits", "reason")}

HEAD = """// SPDX-License-Identifier: Apache-2.0
//
//! gantry/driver.h and gantry/ext/ in Rust: the same constants, and the same structs in the same order. The headers say
//! what they mean. A field `type` is called `kind` here. An optional operation is None, a required service is a bare
//! function.
//!
//! A struct of the host may be shorter than it is here, if the host is older. Keep a raw pointer to it, because a
//! reference promises the whole struct, and ask `has!` before you read a field that came later.
#![allow(dead_code, unused_macros, unused_imports)]

use std::ffi::c_void;
use std::mem::size_of;

/// Numbers in place of a struct: what is read at a field's place is half of its offset.
#[repr(C, align(8))]
pub struct Ruler([u16; 512]);

const fn ruler() -> Ruler {
    let mut marks = [0; 512];
    let mut mark = 0;
    while mark < marks.len() {
        marks[mark] = mark as u16;
        mark += 1;
    }
    Ruler(marks)
}
pub const RULER: &Ruler = &ruler();

/// The size of the field that a function borrows from its struct.
pub const fn size_of_field<T, F>(_: fn(&T) -> &F) -> usize {
    size_of::<F>()
}

/// The offset of a field, as offset_of! of Rust 1.77.
macro_rules! offset {
    ($owner:ty, $field:ident) => {{
        const OWNER: *const $owner = crate::abi::RULER as *const crate::abi::Ruler as *const $owner;
        const HALF: u16 = unsafe { *std::ptr::addr_of!((*OWNER).$field).cast::<u16>() };
        HALF as usize * 2
    }};
}
pub(crate) use offset;

/// GANTRY_HAS: whether the struct at a pointer has the field. The struct of an older maker may end before the field.
macro_rules! has {
    ($pointer:expr, $owner:ident, $field:ident) => {{
        const END: usize = crate::abi::offset!(crate::abi::$owner, $field)
            + crate::abi::size_of_field(|owner: &crate::abi::$owner| &owner.$field);
        (*$pointer).struct_size as usize >= END
    }};
}
pub(crate) use has;
"""

TAIL = """
// Pointers to static, constant data only.
unsafe impl Sync for DriverOps {}
unsafe impl Sync for DriverInfo {}
unsafe impl Sync for Offer {}
unsafe impl Sync for OffersInfo {}

impl Text {
    pub const fn of(text: &str) -> Text {
        Text { data: text.as_ptr(), size: text.len() as u64 }
    }
}
"""


def name_of(c_name):
    """The Rust name of a type: gantry_claim_item is ClaimItem."""
    if c_name in NUMBERS:
        return NUMBERS[c_name]
    return "".join(part.capitalize() for part in c_name.removeprefix("gantry_").split("_"))


def rust_type(text):
    """The Rust type of a C type without functions: const gantry_pair* is *const Pair."""
    text = text.strip()
    if array := re.fullmatch(r"(\w+)\[(\d+)\]", text):
        return f"[{name_of(array[1])}; {array[2]}]"
    if text.endswith("*"):
        inner = text[:-1].strip()
        if inner.startswith("const "):
            return "*const " + rust_type(inner.removeprefix("const "))
        return "*mut " + rust_type(inner)
    return name_of(text)


def field_type(text, is_optional):
    function = re.fullmatch(r"(.+?)\s*\(\*\)\((.*)\)", text, re.S)
    if not function:
        return rust_type(text)
    arguments = ", ".join(rust_type(argument) for argument in function[2].split(","))
    result = "" if function[1] == "void" else " -> " + rust_type(function[1])
    written = f'unsafe extern "C" fn({arguments}){result}'
    return f"std::option::Option<{written}>" if is_optional else written


def field_name(c_name):
    return "kind" if c_name == "type" else c_name


def constants(source):
    for name, value in re.findall(r"FROZEN\(GANTRY_(\w+) == (\w+)\);", source):
        kind = "u64" if value == "UINT64_MAX" else "i32" if name.startswith(SIGNED) else "u32"
        yield f"pub const {name}: {kind} = {'u64::MAX' if kind == 'u64' else value.rstrip('u')};"


def texts(source):
    """A constant for each text that is frozen, by its size or by strcmp."""
    for name, text in re.findall(r'FROZEN\(.*?\bGANTRY_(\w+)\b[^";]*"([^"]*)"', source):
        yield f'pub const {name}: &str = "{text}";'


def struct(c_name, size, fields):
    yield ""
    yield "#[repr(C)]"
    if c_name == "gantry_string" or not any("(*)" in text for _, _, text in fields):
        yield "#[derive(Clone, Copy)]"
    yield f"pub struct {name_of(c_name)} {{"
    for field, _, text in fields:
        is_optional = field in OPTIONAL.get(c_name, ())
        yield f"    pub {field_name(field)}: {field_type(text, is_optional)},"
    yield "}"
    yield f"const _: () = assert!(size_of::<{name_of(c_name)}>() == {size});"
    for field, offset, _ in fields:
        yield f"const _: () = assert!(offset!({name_of(c_name)}, {field_name(field)}) == {offset});"


def abi(source):
    frozen_texts = list(texts(source))
    if not any(line.startswith("pub const ABI_TEXT:") for line in frozen_texts):
        sys.exit("frozen.c: expected a line FROZEN(...) with GANTRY_ABI_TEXT and its text, found none")
    lines = [HEAD, *constants(source), *frozen_texts]
    for name, meaning in (("Call", "A running call"), ("Driver", "An instance of a driver"), ("Offered", "An instance of an offer")):
        lines += ["", f"/// {meaning}; opaque.", f"pub enum {name} {{}}"]
    layouts = dict(re.findall(r"^(?:SIZE|GREW)\((\w+), (\d+)\);", source, re.M))
    fields = {name: [] for name in layouts}
    for owner, field, offset, text in re.findall(r"^FIELD\((\w+), (\w+), (\d+),\s*(.*?)\);$", source, re.M | re.S):
        fields[owner].append((field, offset, text))
    for name, size in layouts.items():
        lines += struct(name, size, fields[name])
    return "\n".join(lines) + "\n" + TAIL


def main():
    expected = abi(frozen_text(Path(sys.argv[1]).parent))
    if len(sys.argv) < 3:
        print(expected, end="")
        return 0
    found = Path(sys.argv[2]).read_text(encoding="utf-8")
    sys.stdout.writelines(difflib.unified_diff(found.splitlines(True), expected.splitlines(True), "found", "expected"))
    return found != expected


if __name__ == "__main__":
    sys.exit(main())
