// SPDX-License-Identifier: Apache-2.0
//
// What every fuzz target is: a function that takes bytes of anybody's. libFuzzer drives it (libfuzzer.cpp), and the
// suite runs the committed corpus through it (run_corpus.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gantry::fuzz {

// Runs one input and says in a word what became of it: "200-400", "placed", "refused". Defined by each target.
std::string run(std::span<const std::uint8_t> input);

// Something does not hold that must, whatever the input: says so and aborts.
[[noreturn]] void broken(std::string_view what);

inline std::string_view text_of(std::span<const std::uint8_t> input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

}  // namespace gantry::fuzz
