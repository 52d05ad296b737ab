#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what the macros of driver.h come to in compiled code.

    objects.py INCLUDE ABI has         GANTRY_HAS and GANTRY_REACHES are true from the exact end of each frozen field on
    objects.py INCLUDE ABI manifest    GANTRY_MANIFEST leaves the lines of the host, the text and a NUL in its section
    objects.py INCLUDE ABI exports     a driver and a library of offers export their entry under its C name, and nothing
                                       else, by themselves and with the SDK's version scripts in ../cmake
    objects.py INCLUDE ABI answers     random_below of the C++ wrapper, and convention 10's method in C, draw the known
                                       numbers, and fits_host of the wrapper answers as convention 9 says
    objects.py INCLUDE ABI rust        the starter project in Rust has the same bytes and the same symbol

Each compiler of COMPILERS that is installed makes the objects. A word tells of each that is left out.
"""
import re
import shutil
import sys
import tempfile
from pathlib import Path

from headers import compiled, frozen_text, includes, need, run

COMPILERS = (("c", "gcc", "-std=c11"), ("c", "clang", "-std=c11"), ("c++", "g++", "-std=c++17"),
             ("c++", "clang++", "-std=c++17", "-O3", "-flto"))
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
SCRIPTS = {"gantry_driver_entry": "gantry_driver.map", "gantry_offers_entry": "gantry_offers.map"}
MANIFEST = '"id = \'gate\'\\n"'
TEMPLATES = """#include <string>
#include <vector>
std::string joined(const std::vector<std::string>& words) {
  std::vector<std::string> all(words);
  all.push_back("more");
  return all.front() + all.back();
}
"""


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


def compilers():
    for language, compiler, *options in COMPILERS:
        if shutil.which(compiler) is None:
            print(f"Left out: {compiler} is not installed.")
        else:
            yield language, compiler, options


def built(include, work, by, entry, more=(), body=""):
    """The path of a shared object with a manifest and an entry."""
    language, compiler, options = by
    source, shared = work / "gate_source", work / f"{entry}.{compiler}.so"
    source.write_text(f"{includes(include)}{body}GANTRY_MANIFEST({MANIFEST});\n{ENTRIES[entry]} {{\n"
                      "  (void)major;\n  (void)minor;\n  return NULL;\n}\n", encoding="utf-8")
    compiled([compiler, *options, "-fPIC", "-shared", "-fvisibility=hidden", "-Wl,-z,defs", *more, "-I", include, "-x",
              language, source, "-o", shared], f"expected a driver to compile by {compiler}, found")
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


def bytes_of_manifest(abi, text, needs=None):
    major, minor = abi_version(abi)
    return f"manifest = 1\nabi = '{major}.{minor}'\nneeds_minor = {needs or minor}\n{text}\0".encode()


def differs(by, found, expected):
    if found is None:
        yield f"GANTRY_MANIFEST by {by}: expected a section {SECTION}, found none"
    elif found != expected:
        yield f"GANTRY_MANIFEST by {by}: expected {expected!r} in {SECTION}, found {found!r}"


def check_manifest(include, abi, work):
    for by in compilers():
        for needs, more in ((None, []), ("0", ["-DGANTRY_NEEDS_MINOR=0"])):
            found = section_of(built(include, work, by, "gantry_driver_entry", more), work)
            yield from differs(by[1], found, bytes_of_manifest(abi, "id = 'gate'\n", needs))


def shows(by, shared, entry):
    symbols = run(["nm", "-D", "--defined-only", shared]).stdout.splitlines()
    found = [" ".join(line.split()[1:]) for line in symbols]
    if found != [f"T {entry}"]:
        yield f"{entry} by {by}: expected the one exported symbol 'T {entry}', found {found}"


def check_exports(include, abi, work):
    del abi
    for by in compilers():
        for entry in ENTRIES:
            yield from shows(by[1], built(include, work, by, entry), entry)
    # The standard library's templates are visible whatever the option says: the version script hides them.
    for entry, script in SCRIPTS.items():
        more = ("-fno-gnu-unique", f"-Wl,--version-script={include.parent / 'cmake' / script}")
        shared = built(include, work, ("c++", "g++", ["-std=c++17"]), entry, more, TEMPLATES)
        yield from shows(f"g++ with {script}", shared, entry)


def check_rust(include, abi, work):
    need("rustc")
    sdk = include.parent
    starter = sdk / "templates/rust/src/lib.rs"
    rustc = ["rustc", "--edition", "2021", "--out-dir", work]
    compiled([*rustc, "--crate-type", "rlib", "--crate-name", "gantry_driver", sdk / "rust/src/lib.rs"],
             "expected the crate of the SDK to compile, found")
    compiled([*rustc, "--crate-type", "cdylib", "--crate-name", "gate", "--extern",
              f"gantry_driver={work}/libgantry_driver.rlib", starter], "expected the starter project to compile, found")
    text = re.search(r'gantry_driver! \{ \w+, "(.*?)" \}', starter.read_text(encoding="utf-8"), re.S)[1]
    yield from differs("rustc", section_of(work / "libgate.so", work), bytes_of_manifest(abi, text))
    yield from shows("rustc", work / "libgate.so", "gantry_driver_entry")


ANSWERS = """#include <gantry/driver.hpp>
#include <cinttypes>
#include <cstdio>
#include <initializer_list>
static const std::uint64_t numbers[] = {%s};
static std::size_t next = 0;
static std::uint64_t draw(gantry_call*) { return numbers[next++ %% (sizeof numbers / sizeof *numbers)]; }
int main() {
  gantry_host host{};
  host.struct_size = sizeof host;
  host.random = draw;
  gantry::call call(host, nullptr);
  for (const std::uint64_t bound : std::initializer_list<std::uint64_t>{%s}) std::printf("%%" PRIu64 "\\n", call.random_below(bound));
  for (std::uint32_t major = 0; major < 3; ++major)
    for (std::uint32_t minor = 0; minor < 9; ++minor)
      std::printf("%%d", gantry::detail::fits_host(major, minor) ? 1 : 0);
  std::printf("\\n");
}
"""
# Convention 10 as a driver in C writes it.
ANSWERS_IN_C = """#include <gantry/driver.h>
#include <inttypes.h>
#include <stdio.h>
static const uint64_t numbers[] = {%s};
static const uint64_t bounds[] = {%s};
static size_t next = 0;
static uint64_t draw(gantry_call* call) {
  (void)call;
  return numbers[next++ %% (sizeof numbers / sizeof *numbers)];
}
static uint64_t random_below(const gantry_host* host, gantry_call* call, uint64_t bound) {
  const uint64_t uneven = (0 - bound) %% bound; /* 2^64 mod bound */
  for (;;) {
    const unsigned __int128 product = (unsigned __int128)host->random(call) * bound;
    if ((uint64_t)product >= uneven) return (uint64_t)(product >> 64);
  }
}
int main(void) {
  const gantry_host host = {.struct_size = sizeof host, .random = draw};
  for (size_t at = 0; at < sizeof bounds / sizeof *bounds; ++at)
    printf("%%" PRIu64 "\\n", random_below(&host, NULL, bounds[at]));
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


def answers(include, work, compiler, language, text):
    source, program = work / f"answers.{language}", work / "answers"
    source.write_text(text, encoding="utf-8")
    compiled([*compiler, "-I", include, source, "-o", program], f"expected the answers to compile by {compiler[0]}, found")
    return run([program]).stdout.split()


def check_answers(include, abi, work):
    major, minor = (int(part) for part in abi_version(abi))
    numbers = list(seeded(7, 200))
    filled = (", ".join(f"{number}u" for number in numbers), ", ".join(f"{bound}u" for bound in BOUNDS))
    in_c = answers(include, work, ["gcc", "-std=c11"], "c", ANSWERS_IN_C % filled)
    *in_cpp, fits = answers(include, work, ["g++", "-std=c++17"], "cpp", ANSWERS % filled)
    for name, found in (("random_below in C", in_c), ("gantry::call::random_below", in_cpp)):
        draws = iter(numbers)
        for bound, answer in zip(BOUNDS, found, strict=True):
            expected = below(bound, draws)
            if int(answer) != expected:
                yield f"{name}({bound}): expected {expected}, found {answer} (convention 10)"
                break
    for place, answer in enumerate(fits):
        host = divmod(place, 9)
        expected = host == (major, minor) if major == 0 else host[0] == major
        if expected != (answer == "1"):
            yield (f"gantry::detail::fits_host{host}: expected {expected} of a driver for {major}.{minor}, found "
                   f"{answer == '1'} (convention 9)")


CHECKS = {"has": check_has, "manifest": check_manifest, "exports": check_exports, "answers": check_answers,
          "rust": check_rust}


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
