// SPDX-License-Identifier: Apache-2.0
//
// Reads the fields of a Nova object and remembers the first error. The error names the object and the field.
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

  // Returns the field. Null if the field is unset or null.
  const boost::json::value* field(std::string_view name) const {
    return fields_ == nullptr ? nullptr : nova_field(*fields_, name);
  }
  // Reads a whole number of at most 10^12, so that arithmetic on these numbers cannot overflow.
  std::int64_t integer(std::string_view name);
  std::optional<std::int64_t> optional_integer(std::string_view name);
  double real(std::string_view name);
  bool truth(std::string_view name);
  cpu_set cpus(std::string_view name);
  std::vector<cpu_number> cpu_list(std::string_view name, const boost::json::value& value);
  // Returns the index of the field's text in `names`. Returns 0 if the field is unset.
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
  // Returns the elements of a list. Empty if the field is unset.
  const boost::json::array& list(std::string_view name);

 private:
  std::string object_;
  const boost::json::object* fields_;
  std::optional<raised> error_;
};

}  // namespace filter_driver
