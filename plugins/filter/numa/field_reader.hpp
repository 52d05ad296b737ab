// SPDX-License-Identifier: Apache-2.0
//
// Reads the fields of a Nova object and remembers the first error. The error names the object and the field. A read
// that fails returns 0, false or an empty value. Check ok() after the last read.
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
  // `object`: the name of the object in errors.
  field_reader(std::string_view object, const boost::json::value& value)
      : object_(object), fields_(nova_fields(value)) {
    if (fields_ == nullptr) wrong({}, "an object");
  }

  bool ok() const { return !error_; }
  const raised& error() const { return *error_; }  // only if not ok()
  // Remember an error, unless there is one already. The first form says that the field is not `expected`. An empty
  // `field` stands for the object itself.
  void wrong(std::string_view field, std::string_view expected);
  void wrong(raised error) {
    if (!error_) error_ = std::move(error);
  }

  // Returns the field. nullptr if the field is unset or null.
  const boost::json::value* field(std::string_view name) const {
    return fields_ == nullptr ? nullptr : nova_field(*fields_, name);
  }
  // Reads a JSON integer from -10^12 to 10^12. The bounds keep arithmetic on these numbers from overflowing. An unset
  // field is an error for integer() and real(), empty for optional_integer(), false for truth() and no CPUs for cpus().
  std::int64_t integer(std::string_view name);
  std::optional<std::int64_t> optional_integer(std::string_view name);
  double real(std::string_view name);
  bool truth(std::string_view name);
  cpu_set cpus(std::string_view name);
  // Reads `value` as a list of CPU numbers. `name` is the field that errors name.
  std::vector<cpu_number> cpu_list(std::string_view name, const boost::json::value& value);
  // Returns the index of the field's text in `names`. names[0] stands for an unset field. Any other text is an error.
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
