// SPDX-License-Identifier: Apache-2.0
#include "numa/field_reader.hpp"

namespace filter_driver {
namespace {

constexpr std::int64_t largest = 1'000'000'000'000;

}  // namespace

void field_reader::wrong(std::string_view field, std::string_view expected) {
  if (error_) return;
  std::string what = object_;
  if (!field.empty()) what += "." + std::string(field);
  const boost::json::value* value = field.empty() ? nullptr : this->field(field);
  if (value != nullptr) what += " = " + boost::json::serialize(*value).substr(0, 80);
  error_ = unreadable(what, expected);
}

std::int64_t field_reader::integer(std::string_view name) {
  const std::optional<std::int64_t> number = optional_integer(name);
  if (!number) wrong(name, "a whole number");
  return number.value_or(0);
}

std::optional<std::int64_t> field_reader::optional_integer(std::string_view name) {
  const boost::json::value* value = field(name);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::int64_t> number = nova_integer(*value);
  if (!number || *number > largest || *number < -largest) {
    wrong(name, "a whole number of at most a million million");
    return std::nullopt;
  }
  return number;
}

double field_reader::real(std::string_view name) {
  const boost::json::value* value = field(name);
  if (value == nullptr || !value->is_number()) {
    wrong(name, "a number");
    return 0;
  }
  return value->to_number<double>();
}

bool field_reader::truth(std::string_view name) {
  const boost::json::value* value = field(name);
  if (value == nullptr) return false;
  if (!value->is_bool()) wrong(name, "true or false");
  return value->is_bool() && value->get_bool();
}

std::vector<cpu_number> field_reader::cpu_list(std::string_view name, const boost::json::value& value) {
  std::vector<cpu_number> cpus;
  const boost::json::array* elements = nova_elements(value);
  if (elements == nullptr) {
    wrong(name, "a list of CPU numbers");
    return cpus;
  }
  cpus.reserve(elements->size());
  for (const boost::json::value& element : *elements) {
    const std::optional<std::int64_t> cpu = nova_integer(element);
    if (!cpu || *cpu < 0 || *cpu > last_cpu) {
      wrong(name, "a list of CPU numbers from 0 to 65535");
      return {};
    }
    cpus.push_back(static_cast<cpu_number>(*cpu));
  }
  return cpus;
}

cpu_set field_reader::cpus(std::string_view name) {
  const boost::json::value* value = field(name);
  return value == nullptr ? cpu_set() : cpu_set(cpu_list(name, *value));
}

const boost::json::array& field_reader::list(std::string_view name) {
  static const boost::json::array no_elements;
  const boost::json::value* value = field(name);
  if (value == nullptr) return no_elements;
  if (const boost::json::array* elements = nova_elements(*value)) return *elements;
  wrong(name, "a list");
  return no_elements;
}

}  // namespace filter_driver
