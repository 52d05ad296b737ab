// SPDX-License-Identifier: Apache-2.0
//
// The host capabilities that ComputeCapabilitiesFilter requires: extra specs "capabilities:a:b" and extra specs
// without a scope. Each names a path that starts at the host state, and a requirement on the value there
// (nova/scheduler/filters/compute_capabilities_filter.py).
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nova/attributes.hpp"
#include "nova/extra_specs_match.hpp"
#include "nova/release.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// A flavor's extra specs, parsed once and checked against many hosts. Keys in scopes other than "capabilities" are
// ignored.
class capability_requirements {
 public:
  capability_requirements(const boost::json::object& extra_specs, release release);

  bool empty() const { return requirements_.empty(); }

  // Returns whether the host meets every requirement. Checks the requirements in order. The first name of a path is an
  // attribute of the host state. If the attribute is missing or None, the name is looked up in the host's `stats`. The
  // host fails if the path leads to no value. But an extra spec without a scope is skipped if neither the host state
  // nor `stats` has the name (Icehouse: the host fails). A text in the middle of a path is parsed as JSON (Icehouse:
  // the host fails). Raises the errors of extra_specs_requirement::met_by(), and AttributeError for a requirement that
  // is not a text.
  outcome<bool> met_by(const attributes& host) const;

  // Returns the host's value that the first requirement is about, as the requirement sees it. nullopt: there is none.
  std::optional<std::string> first_value(const attributes& host) const;
  // Returns the path of the first requirement: "cpu_info:vendor".
  std::string first_path() const;

  // Returns the names of the attributes that the verdict depends on, without duplicates, including `stats`.
  std::vector<std::string> reads() const;

 private:
  struct requirement {
    std::vector<std::string> path;
    bool scoped;
    bool is_text;  // false: Python raises when it parses the requirement
    std::string type;
    extra_specs_requirement wanted;
  };

  outcome<bool> meets(const attributes& host, const requirement& asked) const;

  release release_;
  std::vector<requirement> requirements_;
};

}  // namespace filter_driver
