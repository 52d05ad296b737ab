// SPDX-License-Identifier: Apache-2.0
//
// Requirements on versions ("<8.0, >=7.2.1") as distutils' VersionPredicate and StrictVersion have them.
#pragma once

#include <array>
#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "python/outcome.hpp"
#include "python/python_value.hpp"

namespace filter_driver {

// Two or three numbers and an optional pre-release: "7.2", "7.2.1", "7.2a1". A pre-release, marked a or b, comes before
// its release.
struct strict_version {
  std::array<std::uint64_t, 3> numbers = {};  // greater numbers are read as 2^64 - 1
  char release = 'r';                         // 'a', 'b', or 'r' for the release itself
  std::uint64_t release_number = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): it takes the comparison with 0 for one with a pointer
  auto operator<=>(const strict_version&) const = default;

  // Raises ValueError: "invalid version number '5'".
  static outcome<strict_version> read(std::string_view text);
};

// A list of comparisons that must all be true.
class version_predicate {
 public:
  // Reads comparisons with versions, separated by commas. Raises ValueError for any other text.
  static outcome<version_predicate> read(std::string_view text);

  // Returns whether all comparisons are true of the version. Raises ValueError if the text is not a version.
  outcome<bool> satisfied_by(std::string_view version) const;

 private:
  struct comparison_with {
    comparison by;
    strict_version version;
  };

  std::vector<comparison_with> comparisons_;
};

// Removes the comparison at the front of the text, such as ">=", and returns it. Empty if there is none.
std::optional<comparison> take_comparison(std::string_view& text);

// Returns a hypervisor's version as dotted text. The number has three decimal digits for each part: 7002000 is 7.2.0,
// and 5 is 5. Raises TypeError if the value is not a number and ValueError for a negative number or a float.
outcome<std::string> dotted_version(const boost::json::value& version);

}  // namespace filter_driver
