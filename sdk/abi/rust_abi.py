#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes driver.h in Rust, for the starter project, from the frozen layout in frozen.c.

    rust_abi.py FROZEN_C            print abi.rs
    rust_abi.py FROZEN_C ABI_RS     exit status 1 if ABI_RS is another text
"""
import difflib
import re
import sys

NUMBERS = {"uint8_t": "u8", "uint16_t": "u16", "uint32_t": "u32", "uint64_t": "u64", "int32_t": "i32", "int64_t": "i64",
           "double": "f64", "char": "u8", "void": "c_void", "gantry_code": "i32", "gantry_string": "Text",
           "gantry_driver": "Driver"}
SIGNED = ("OK", "NO_VALID_HOST", "INVALID_ARGUMENT", "UNSUPPORTED", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED",
          "CLAIM_LOST", "INTERNAL", "LOG_", "TYPE_", "OPTION_")
# These take or hold the driver's own type.
GENERIC = ("gantry_driver_ops", "gantry_driver_info")

HEAD = """// SPDX-License-Identifier: Apache-2.0
//
//! gantry/driver.h in Rust: the same constants, and the same structs in the same order. driver.h says what they mean.
//! A field `type` is called `kind` here. An optional operation is None, a required service is a bare function.
#![allow(dead_code)]

use std::ffi::c_void;
use std::mem::size_of;
"""

TAIL = """
// Pointers to static, constant data only.
unsafe impl<Driver> Sync for DriverOps<Driver> {}
unsafe impl<Driver> Sync for DriverInfo<Driver> {}

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
    name = "".join(part.capitalize() for part in c_name.removeprefix("gantry_").split("_"))
    return name + "<Driver>" if c_name in GENERIC else name


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


def constants(source):
    for name, value in re.findall(r"FROZEN\(GANTRY_(\w+) == (\w+)\);", source):
        kind = "i32" if name.startswith(SIGNED) else "u32"
        yield f"pub const {name}: {kind} = {value.rstrip('u')};"


def struct(c_name, size, fields):
    yield ""
    yield "#[repr(C)]"
    if c_name == "gantry_string" or not any("(*)" in text for _, text in fields):
        yield "#[derive(Clone, Copy)]"
    yield f"pub struct {name_of(c_name)} {{"
    for field, text in fields:
        is_optional = c_name == "gantry_driver_ops" and field not in ("create", "destroy")
        yield f"    pub {'kind' if field == 'type' else field}: {field_type(text, is_optional)},"
    yield "}"
    yield f"const _: () = assert!(size_of::<{name_of(c_name).replace('Driver>', 'c_void>')}>() == {size});"


def abi(source):
    lines = [HEAD, *constants(source), "", "/// A running call; opaque.", "pub enum Call {}"]
    layouts = dict(re.findall(r"^SIZE\((\w+), (\d+)\);", source, re.M))
    fields = {name: [] for name in layouts}
    for owner, field, text in re.findall(r"^FIELD\((\w+), (\w+), \d+,\s*(.*?)\);$", source, re.M | re.S):
        fields[owner].append((field, text))
    for name, size in layouts.items():
        lines += struct(name, size, fields[name])
    return "\n".join(lines) + "\n" + TAIL


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        expected = abi(file.read())
    if len(sys.argv) < 3:
        print(expected, end="")
        return 0
    with open(sys.argv[2], encoding="utf-8") as file:
        found = file.read()
    sys.stdout.writelines(difflib.unified_diff(found.splitlines(True), expected.splitlines(True), "found", "expected"))
    return found != expected


if __name__ == "__main__":
    sys.exit(main())
