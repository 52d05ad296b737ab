#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what the macros of driver.h come to in compiled code.

    objects.py INCLUDE ABI has         GANTRY_HAS and GANTRY_REACHES are true from the exact end of each frozen field on
    objects.py INCLUDE ABI manifest    GANTRY_MANIFEST leaves the lines of the host, the text and a NUL in its section
    objects.py INCLUDE ABI exports     a driver and a library of offers export their entry under its C name, and nothing
                                       else
    objects.py INCLUDE ABI answers     random_below and fits_host of the C++ wrapper answer as conventions 9 and 10 say
"""
import re
import sys
import tempfile
from pathlib import Path

from headers import compiled, frozen_text, includes, need, run

LANGUAGES = (("gcc", "c", "c11"), ("g++", "c++", "c++17"))
SECTION = ".gantry.manifest"

HAS = """#include <stdio.h>
#include <string.h>
static int failures = 0;
static void expect(const char* macro, const char* field, unsigned size, int wanted, int found) {
  if (!wanted == !found) return;
  printf("gantry/driver.h: %s of %s with %u bytes: expected %d, found %d\\n", macro, field, size, wanted, found);
  failures = 1;
}
#define AT(owner, member, size, wanted)                                                              \\
  value.struct_size = size;                                                                          \\
  expect("GANTRY_HAS", #owner "." #member, size, wanted, GANTRY_HAS(&value, owner, member));         \\
  expect("GANTRY_REACHES", #owner "." #member, size, wanted, GANTRY_REACHES(size, owner, member))
#define FIELD(owner, member, at, ...)                           \\
  {                                                             \\
    const uint32_t end = (at) + (uint32_t)sizeof(__VA_ARGS__);  \\
    owner value;                                                \\
    memset(&value, 0, sizeof value);                            \\
    AT(owner, member, end, 1);                                  \\
    AT(owner, member, end - 1, 0);                              \\
  }
"""

ENTRIES = {
    "gantry_driver_entry": "const gantry_driver_info* gantry_driver_entry(uint32_t major, uint32_t minor)",
    "gantry_offers_entry": "const gantry_offers_info* gantry_offers_entry(uint32_t major, uint32_t minor)",
}


def check_has(include, abi, work):
    lines = re.findall(r"^FIELD\((\w+), (\w+)(, .*?\);)$", frozen_text(abi), re.M | re.S)
    growing = {owner for owner, field, _ in lines if field == "struct_size"}
    if "gantry_request" not in growing:
        return ["frozen.c: expected a line FIELD(gantry_request, struct_size, ...), found none"]
    checks = "\n".join(f"FIELD({owner}, {field}{more}" for owner, field, more in lines if owner in growing)
    source, program = work / "has.c", work / "has"
    source.write_text(f"{includes(include)}{HAS}int main(void) {{\n{checks}\nreturn failures;\n}}\n", encoding="utf-8")
    compiled(["gcc", "-std=c11", "-I", include, source, "-o", program],
             "expected a program that asks GANTRY_HAS and GANTRY_REACHES for each frozen field, found")
    done = run([program])
    if done.returncode not in (0, 1):
        return [f"the program that asks GANTRY_HAS: expected exit status 0 or 1, found {done.returncode}"]
    return done.stdout.splitlines()


def built(include, work, language, entry, definitions=()):
    """The path of a shared object with a manifest and an entry."""
    compiler, name, standard = language
    source, shared = work / "gate_source", work / f"{entry}.{name}.so"
    source.write_text(f"{includes(include)}GANTRY_MANIFEST(\"id = 'gate'\\n\");\n{ENTRIES[entry]} {{\n"
                      "  (void)major;\n  (void)minor;\n  return NULL;\n}\n", encoding="utf-8")
    compiled([compiler, f"-std={standard}", "-fPIC", "-shared", "-fvisibility=hidden", "-Wl,-z,defs", *definitions, "-I",
              include, "-x", name, source, "-o", shared], f"expected a driver in {name} to compile, found")
    return shared


def abi_version(abi):
    found = dict(re.findall(r"FROZEN\(GANTRY_ABI_(MAJOR|MINOR) == (\d+)u?\);", frozen_text(abi)))
    if len(found) != 2:
        sys.exit("frozen.c: expected lines FROZEN(GANTRY_ABI_MAJOR == ...) and FROZEN(GANTRY_ABI_MINOR == ...), found "
                 + (" and ".join(found) or "none"))
    return found["MAJOR"], found["MINOR"]


def section_of(shared, work):
    """The bytes of the manifest's section, None if the file has no such section."""
    if f" {SECTION} " not in run(["readelf", "-SW", shared]).stdout:
        return None
    dumped = work / "section"
    compiled(["objcopy", "-O", "binary", "-j", SECTION, shared, dumped], f"expected the bytes of {SECTION}, found")
    return dumped.read_bytes()


def check_manifest(include, abi, work):
    major, minor = abi_version(abi)
    for language in LANGUAGES:
        for needs, definitions in ((minor, []), ("0", ["-DGANTRY_NEEDS_MINOR=0"])):
            expected = f"manifest = 1\nabi = '{major}.{minor}'\nneeds_minor = {needs}\nid = 'gate'\n\0".encode()
            found = section_of(built(include, work, language, "gantry_driver_entry", definitions), work)
            if found is None:
                yield f"GANTRY_MANIFEST in {language[1]}: expected a section {SECTION}, found none"
            elif found != expected:
                yield f"GANTRY_MANIFEST in {language[1]}: expected {expected!r} in {SECTION}, found {found!r}"


def check_exports(include, abi, work):
    del abi
    for language in LANGUAGES:
        for entry in ENTRIES:
            symbols = run(["nm", "-D", "--defined-only", built(include, work, language, entry)]).stdout.splitlines()
            found = [" ".join(line.split()[1:]) for line in symbols]
            if found != [f"T {entry}"]:
                yield f"{entry} in {language[1]}: expected the one exported symbol 'T {entry}', found {found}"


ANSWERS = """#include <gantry/driver.hpp>
#include <cinttypes>
#include <cstdio>
static const std::uint64_t numbers[] = {%s};
static std::size_t next = 0;
static std::uint64_t draw(gantry_call*) { return numbers[next++ %% (sizeof numbers / sizeof *numbers)]; }
int main() {
  gantry_host host{};
  host.struct_size = sizeof host;
  host.random = draw;
  gantry::call call(host, nullptr);
  for (const std::uint64_t bound : {%s}) std::printf("%%" PRIu64 "\\n", call.random_below(bound));
  for (std::uint32_t major = 0; major < 3; ++major)
    for (std::uint32_t minor = 0; minor < 9; ++minor)
      std::printf("%%d", gantry::detail::fits_host(major, minor) ? 1 : 0);
  std::printf("\\n");
}
"""
WORD = 2**64
# Bounds above 2^63 make a second draw likely.
BOUNDS = [1, 2, 3, 10, 1000, 2**32 + 1, 2**63 + 1, 2**63 + 3, 3 * 2**61, 2**64 - 1] * 4


def seeded(seed, count):
    """Numbers of splitmix64."""
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) % WORD
        mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 % WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % WORD
        yield mixed ^ mixed >> 31


def below(bound, draws):
    """Lemire's method, by its definition."""
    product = next(draws) * bound
    while product % WORD < WORD % bound:
        product = next(draws) * bound
    return product // WORD


def check_answers(include, abi, work):
    major, minor = (int(part) for part in abi_version(abi))
    numbers = list(seeded(7, 200))
    source, program = work / "answers.cpp", work / "answers"
    source.write_text(ANSWERS % (", ".join(f"{number}u" for number in numbers),
                                 ", ".join(f"std::uint64_t{{{bound}u}}" for bound in BOUNDS)), encoding="utf-8")
    compiled(["g++", "-std=c++17", "-I", include, source, "-o", program], "expected driver.hpp to compile, found")
    *found, fits = run([program]).stdout.split()
    draws = iter(numbers)
    for bound, answer in zip(BOUNDS, found):
        expected = below(bound, draws)
        if int(answer) != expected:
            yield f"gantry::call::random_below({bound}): expected {expected}, found {answer} (convention 10)"
            break
    for place, answer in enumerate(fits):
        host = divmod(place, 9)
        expected = host == (major, minor) if major == 0 else host[0] == major
        if expected != (answer == "1"):
            yield (f"gantry::detail::fits_host{host}: expected {expected} of a driver for {major}.{minor}, found "
                   f"{answer == '1'} (convention 9)")


CHECKS = {"has": check_has, "manifest": check_manifest, "exports": check_exports, "answers": check_answers}


def main():
    if len(sys.argv) != 4 or sys.argv[3] not in CHECKS:
        print(__doc__, file=sys.stderr)
        return 2
    need("gcc", "g++", "objcopy", "readelf", "nm")
    with tempfile.TemporaryDirectory() as work:
        problems = list(CHECKS[sys.argv[3]](Path(sys.argv[1]), Path(sys.argv[2]), Path(work)))
    print("".join(problem + "\n" for problem in problems), end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
