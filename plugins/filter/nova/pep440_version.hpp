// SPDX-License-Identifier: Apache-2.0
//
// Requirements on versions (">=7.2, !=8.0.1") as VersionPredicate of oslo.utils has them: the versions are those of PEP
// 440, as Python's packaging reads and orders them.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "python/outcome.hpp"
#include "python/python_value.hpp"

namespace filter_driver {

// A version: "7.2", "1!7.2.0.1", "7.2rc1", "7.2.post1", "7.2.dev3", "7.2+site.1". Zeros at the end of the numbers do
// not count. Numbers beyond 2^64 - 1 are read as that.
// NOLINTBEGIN(modernize-use-nullptr): clang-tidy 14 takes the zero in a defaulted comparison for a pointer.
struct pep440_version {
  // A part that may be missing. `place` orders a missing part among the others.
  struct suffix {
    std::int8_t place = 0;  // -1: before all others, 1: after all others, 0: by letter and number
    char letter = 0;        // a pre-release has 'a', 'b', or 'c' for a release candidate
    std::uint64_t number = 0;

    auto operator<=>(const suffix&) const = default;
  };
  // A part of the local version. A word comes before a number.
  struct local_part {
    bool is_number = false;
    std::uint64_t number = 0;
    std::string word;

    auto operator<=>(const local_part&) const = default;
  };

  std::uint64_t epoch = 0;
  std::vector<std::uint64_t> numbers;
  suffix pre;
  suffix post;
  suffix dev;
  std::vector<local_part> local;

  auto operator<=>(const pep440_version&) const = default;

  // Raises InvalidVersion: "Invalid version: '7.x'".
  static outcome<pep440_version> read(std::string_view text);
};
// NOLINTEND(modernize-use-nullptr)

// A list of comparisons that must all be true.
class pep440_predicate {
 public:
  // Reads comparisons with versions, separated by commas. Raises ValueError for an item that is not a comparison, and
  // InvalidVersion for one whose version is none.
  static outcome<pep440_predicate> read(std::string_view text);

  // Returns whether all comparisons are true of the version. Raises InvalidVersion if the text is not a version.
  outcome<bool> satisfied_by(std::string_view version) const;

 private:
  struct comparison_with {
    comparison by;
    pep440_version version;
  };

  std::vector<comparison_with> comparisons_;
};

}  // namespace filter_driver
