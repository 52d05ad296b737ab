// SPDX-License-Identifier: Apache-2.0
//
// Reads the fields of one of Nova's objects and keeps the first thing that is wrong, named by object and field.
#pragma once

#include <array>
#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nova/object.hpp"
#include "numa/topology.hpp"

namespace filter_driver {

class field_reader {
 public:
  field_reader(std::string_view object, const boost::json::value& value)
      : object_(object), fields_(nova_fields(value)) {
    if (fields_ == nullptr) wrong({}, "an object");
  }

  bool ok() const { return !error_; }
  const raised& error() const { return *error_; }
  void wrong(std::string_view field, std::string_view expected);
  void wrong(raised error) {
    if (!error_) error_ = std::move(error);
  }

  // A field that is set and not null; null otherwise.
  const boost::json::value* field(std::string_view name) const {
    return fields_ == nullptr ? nullptr : nova_field(*fields_, name);
  }
  // Numbers up to a million million, so that what is computed from them stays a number.
  std::int64_t integer(std::string_view name);
  std::optional<std::int64_t> optional_integer(std::string_view name);
  double real(std::string_view name);
  bool truth(std::string_view name);
  cpu_set cpus(std::string_view name);
  std::vector<cpu_number> cpu_list(std::string_view name, const boost::json::value& value);
  // One of the names; 0: unset.
  template <std::size_t Count>
  std::size_t choice(std::string_view name, const std::array<std::string_view, Count>& names) {
    const boost::json::value* value = field(name);
    if (value == nullptr) return 0;
    for (std::size_t i = 1; i < Count; ++i) {
      if (value->is_string() && value->get_string() == names[i]) return i;
    }
    wrong(name, "a policy that Nova knows");
    return 0;
  }
  // The elements of a list; none if it is unset.
  const boost::json::array& list(std::string_view name);

 private:
  std::string object_;
  const boost::json::object* fields_;
  std::optional<raised> error_;
};

}  // namespace filter_driver
