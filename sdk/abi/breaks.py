# SPDX-License-Identifier: Apache-2.0
"""Changes that break drivers in the field, each with the gate that has to find it. gates_test.py makes them, one at a time,
in a copy of sdk/."""
import re
from typing import NamedTuple

DRIVER = "include/gantry/driver.h"
FILTER = "include/gantry/ext/filter.h"
EXPLAIN = "include/gantry/ext/explain.h"
EXTENSIONS = "abi/frozen/1_0_extensions.c"


class Break(NamedTuple):
    number: int  # 0: beside the numbered ones
    what: str
    gate: tuple  # a script and its further arguments, or frozen.c
    told: str    # the gate says it
    edits: tuple  # (file, pattern with one match, replacement) each


def one(number, what, gate, told, *edit):
    return Break(number, what, tuple(gate.split()), told, (edit,))


def swapped(path, first, second):
    return path, rf"({first}[^\n]*\n)({second}[^\n]*\n)", r"\2\1"


BREAKS = (
    one(1, "a field inserted into gantry_request", "frozen.c", "offsetof(gantry_request, complete)",
        DRIVER, r"(  const uint64_t\* complete; +/\* bitmap)", r"  uint64_t inserted;\n\1"),
    one(2, "limits.vcpu and limits.memory_mb swapped", "frozen.c", "offsetof(gantry_limits, vcpu)",
        *swapped(DRIVER, "  double vcpu;", "  double memory_mb;")),
    one(3, "pick and alternate swapped, of one signature", "frozen.c", "offsetof(gantry_host, pick)",
        DRIVER, r"(?s)(gantry_code \(\*)pick(\)\(gantry_call\* call, const gantry_pick\* pick\);.*?\(\*)alternate\b",
        r"\1alternate\2pick"),
    one(4, "a field appended to a struct that never grows", "frozen.c", "sizeof(gantry_limits) == (40)",
        DRIVER, r"(\n\} gantry_limits;)", r"\n  double appended;\1"),
    one(5, "const dropped from view.columns", "frozen.c", "HAS_TYPE(gantry_view, columns",
        DRIVER, r"const (gantry_column\* columns;)", r"\1"),
    one(6, "GANTRY_CLAIM_LOST with another number", "frozen.c", "GANTRY_CLAIM_LOST == 6",
        DRIVER, "GANTRY_CLAIM_LOST = 6", "GANTRY_CLAIM_LOST = 9"),
    one(7, "a bound lowered: GANTRY_MOST_ITEMS", "constants.py", "GANTRY_MOST_ITEMS: expected 1024u, found 256u",
        DRIVER, r"(define GANTRY_MOST_ITEMS) \w+", r"\1 256u"),
    one(8, "a bound lowered: GANTRY_MOST_JSON_DEPTH", "constants.py", "GANTRY_MOST_JSON_DEPTH: expected 56u, found 16u",
        DRIVER, r"(define GANTRY_MOST_JSON_DEPTH) \w+", r"\1 16u"),
    one(9, "GANTRY_HAS wants a byte more", "objects.py has", "GANTRY_HAS of gantry_request.eligible",
        DRIVER, r"(define GANTRY_HAS\(.*struct_size) >=", r"\1 >"),
    one(10, "the manifest's section renamed", "objects.py manifest", "expected a section .gantry.manifest, found none",
        DRIVER, r'section\("\.gantry\.manifest"\)', 'section(".gantry.manifesto")'),
    one(11, "another format of the manifest", "objects.py manifest", 'found b"manifest = 2',
        DRIVER, r'"manifest = 1\\n', r'"manifest = 2\\n'),
    one(12, "the version's text against its numbers", "frozen.c", "GANTRY_ABI_TEXT",
        DRIVER, r'(define GANTRY_ABI_TEXT) "[0-9.]+"', r'\1 "9.9"'),
    one(13, "the entry hidden", "objects.py exports", "expected the one exported symbol 'T gantry_driver_entry', found []",
        DRIVER, r'visibility\("default"\)', 'visibility("hidden")'),
    one(14, "the entry under its name in C++", "objects.py exports", "gantry_driver_entry by g++: expected the one",
        DRIVER, r'extern "C" \{', 'namespace {}\nextern "C++" {'),
    one(15, "gantry_string aligned to 16 bytes", "frozen.c", "offsetof(",
        DRIVER, r"(typedef struct) (gantry_string) \{", r"\1 __attribute__((aligned(16))) \2 {"),
    one(16, "another calling convention for pick", "frozen.c", "HAS_TYPE(gantry_host, pick",
        DRIVER, r"(gantry_code \()(\*pick\))", r"\1__attribute__((ms_abi)) \2"),
    one(17, "another revision of gantry.offers/1", "frozen.c", "GANTRY_OFFERS_EXTENSION",
        "include/gantry/ext/offers.h", '_EXTENSION "gantry.offers/1"', '_EXTENSION "gantry.offers/2"'),
    one(18, "another kind of the same length", "constants.py",
        'GANTRY_FILTER_KIND: expected "gantry.filter/1", found "gantry.kilter/1"',
        FILTER, "gantry.filter/1\"\n", "gantry.kilter/1\"\n"),
    one(19, "a new bit with a value that is in use", "constants.py", "GANTRY_PICK_APART and GANTRY_PICK_LATER: expected",
        DRIVER, "GANTRY_PICK_TOGETHER = 64", "GANTRY_PICK_TOGETHER = 64, GANTRY_PICK_LATER = 32"),
    one(20, "a new code without a word", "constants.py", "GANTRY_LATER: expected a line in constants.txt",
        DRIVER, "(GANTRY_INTERNAL = 7)", r"\1, GANTRY_LATER = 8"),
    one(21, "a new column type without a word", "constants.py", "GANTRY_TYPE_U8: expected a line in constants.txt",
        DRIVER, "(GANTRY_TYPE_UUIDS = 7)", r"\1, GANTRY_TYPE_U8 = 8"),
    one(22, "now in milliseconds", "words.py", "Returns the time of the call",
        DRIVER, "time of the call, nanoseconds since", "time of the call, milliseconds since"),
    one(23, "log in another thread class", "words.py", "[any] Logs one line",
        DRIVER, r"\[any\] Logs one line", "[call] Logs one line"),
    one(24, "hosts_up mandatory", "words.py", "[worker] Optional",
        DRIVER, r"\[worker\] Optional\. Sets the bits of the rows that are up",
        "[worker] Mandatory. Sets the bits of the rows that are up"),
    one(25, "a column renamed", "words.py", "free_ram_mb, free_disk_gb",
        DRIVER, "free_ram_mb, free_disk_gb ", "left_ram_mb, free_disk_gb "),
    one(26, "a meaning for a reserved field", "frozen.c", "reserved0",
        DRIVER, r"uint32_t reserved0;(\n  const uint64_t\* eligible|\n  /\* Bitmap: the rows that may be used)",
        r"uint32_t cells;\1"),
    one(27, "a field appended without a line of a release", "released.py",
        "gantry_column.later: expected a line FIELD(gantry_column, later",
        DRIVER, r"(\n\} gantry_column;)", r"\n  uint64_t later;\1"),
    Break(28, "two fields swapped together with their frozen lines", ("released.py",),
          "frozen/1_0_extensions.c: expected the file as it was released",
          (swapped(FILTER, "  uint32_t struct_size;", r"  uint32_t flags; /\* GANTRY_FILTER_\* \*/"),
           (EXTENSIONS, re.escape("gantry_filter_ops, struct_size, 0"), "gantry_filter_ops, struct_size, 4"),
           (EXTENSIONS, re.escape("gantry_filter_ops, flags, 4"), "gantry_filter_ops, flags, 0"))),
    Break(29, "two fields of one type swapped, frozen lines made anew", ("released.py",),
          "frozen/1_0_extensions.c: expected the file as it was released",
          (swapped(EXPLAIN, "  double raw;", "  double normalized;"),
           (EXTENSIONS, re.escape("gantry_term, raw, 16"), "gantry_term, raw, 24"),
           (EXTENSIONS, re.escape("gantry_term, normalized, 24"), "gantry_term, normalized, 16"))),
    one(30, "a wrapper that wants its own minor", "objects.py answers", "fits_host(1, 0): expected True",
        "include/gantry/driver/entry.hpp", r"GANTRY_ABI_MAJOR != 0 \|\| host_minor == GANTRY_ABI_MINOR",
        "host_minor == GANTRY_ABI_MINOR"),
    one(31, "a wrapper whose random_below is biased", "objects.py answers", "gantry::call::random_below(",
        "include/gantry/driver/call.hpp", r"while \(static_cast<std::uint64_t>\(product\) < uneven\)",
        "if (uneven == bound)"),
    one(32, "a version script that shows all", "objects.py exports", "by g++ with gantry_driver.map: expected the one",
        "cmake/gantry_driver.map", r"  local: \*;\n", ""),
    one(0, "a frozen line taken out", "released.py", "frozen/1_0.c: expected the file as it was released",
        "abi/frozen/1_0.c", r"FIELD\(gantry_view, rows, [^\n]*\n", ""),
    one(0, "a kept manifest changed", "released.py", "frozen/1_0_manifests/options.toml: expected the file as it was",
        "abi/frozen/1_0_manifests/options.toml", "default = -5", "default = 5"),
    one(0, "a released sentence changed, words.txt made anew", "released.py",
        'words.txt: driver.h and ext/*.h: expected "The row numbers are 0 to rows-1."',
        "abi/words.txt", "The row numbers are 0 to", "The row numbers are 1 to"),
)
