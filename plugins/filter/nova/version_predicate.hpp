// SPDX-License-Identifier: Apache-2.0
//
// Requirements on versions ("<8.0, >=7.2.1") as distutils' VersionPredicate and StrictVersion have them.
#pragma once

#include <array>
#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "python/outcome.hpp"
#include "python/python_value.hpp"

namespace filter_driver {

// Two or three numbers and perhaps a pre-release, a1 or b1, which comes before the release itself.
struct strict_version {
  std::array<std::uint64_t, 3> numbers = {};  // each at most 2^64 - 1
  char release = 'r';                         // 'a', 'b', or 'r' for the release itself
  std::uint64_t release_number = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): it takes the comparison with 0 for one with a pointer
  auto operator<=>(const strict_version&) const = default;

  // Raises ValueError: "invalid version number '5'".
  static outcome<strict_version> read(std::string_view text);
};

// A list of comparisons, all of which have to hold.
class version_predicate {
 public:
  // Raises ValueError.
  static outcome<version_predicate> read(std::string_view text);

  // Raises ValueError if the version is none.
  outcome<bool> satisfied_by(std::string_view version) const;

 private:
  struct comparison_with {
    comparison by;
    strict_version version;
  };

  std::vector<comparison_with> comparisons_;
};

// A hypervisor's version, thousands for each part, as dotted text: 7002000 is 7.2.0, 5 is 5. Raises TypeError for what
// is no number and ValueError for a negative one or a float.
outcome<std::string> dotted_version(const boost::json::value& version);

}  // namespace filter_driver
