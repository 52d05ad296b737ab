#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The check of headers finds functions that are implemented in another file, and sources without a header."""

import unittest

import implemented_headers


def faults(files: dict[str, str]) -> list[str]:
    return implemented_headers.faults_of({f"core/room/{name}": text for name, text in files.items()}, set())


class ImplementedHeaders(unittest.TestCase):
    def test_accepts_a_source_of_the_name_and_its_parts(self):
        header = "namespace a {\nint first();\nint second(int b = 1);\n}\n"
        self.assertEqual(faults({"x.hpp": header, "x.cpp": "int first() {}\n", "x_more.cpp": "int second(int) {}\n"}), [])

    def test_finds_a_function_that_another_file_implements(self):
        found = faults({"x.hpp": "int first();\n", "x.cpp": "", "y.hpp": "", "y.cpp": "int first() {}\n"})
        self.assertEqual(found, ["core/room/x.hpp: expected first in x.cpp or x_*.cpp"])

    def test_finds_a_source_without_a_header(self):
        self.assertEqual(len(faults({"x.cpp": "int first() {}\n"})), 1)
        self.assertEqual(faults({"main.cpp": "int main() {}\n"}), [])

    def test_passes_over_what_needs_no_source(self):
        header = """
#define A(b) c(b);
inline int one() { return 1; }
template <class T> T two(T t);
class three { int four(); void five() const; };
constexpr int six() { return 6; }
using seven = int(int);
// int eight();
extern const char* nine;
int ten = eleven();
"""
        self.assertEqual(faults({"x.hpp": header}), [])

    def test_a_known_fault_counts_until_it_is_mended(self):
        known = {"core/room/x.hpp: expected first in x.cpp or x_*.cpp"}
        self.assertEqual(implemented_headers.faults_of({"core/room/x.hpp": "int first();\n"}, known), [])
        self.assertEqual(len(implemented_headers.faults_of({"core/room/x.hpp": ""}, known)), 1)


if __name__ == "__main__":
    unittest.main()
