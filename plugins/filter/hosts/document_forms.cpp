// SPDX-License-Identifier: Apache-2.0
#include "hosts/document_forms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "python/python_json.hpp"

namespace filter_driver {

namespace json = boost::json;

json::value as_it_is(json::value value) {
  return value;
}

json::value as_text(json::value value) {
  if (value.is_null() || value.is_string()) return value;
  value = json::serialize(value);
  return value;
}

namespace {

// Hosts report percentages as fractions, which are multiplied by 100. All numbers are truncated to whole numbers.
json::value reading_of(std::string_view name, const json::value& reported) {
  constexpr std::array fractions{"cpu.user.percent", "cpu.kernel.percent", "cpu.idle.percent", "cpu.iowait.percent",
                                 "cpu.percent"};
  if (!reported.is_number()) return reported;
  double value = reported.to_number<double>();
  if (std::find(fractions.begin(), fractions.end(), name) != fractions.end()) value *= 100;
  constexpr double beyond = 9e18;
  if (!(std::fabs(value) < beyond)) return value;
  return static_cast<std::int64_t>(value);
}

}  // namespace

json::value as_metrics(json::value value) {
  if (value.is_string()) {
    auto read = read_json(value.get_string());
    value = read.ok() ? std::move(read.value()) : json::value(nullptr);
  }
  const auto* const list = value.if_array();
  if (list == nullptr) return value;
  json::object by_name;
  for (const auto& each : *list) {
    const auto* const metric = each.if_object();
    const auto* const name = metric == nullptr ? nullptr : metric->if_contains("name");
    if (name == nullptr || !name->is_string()) continue;
    const auto* const reading = metric->if_contains("value");
    by_name[name->as_string()] = reading == nullptr ? json::value(nullptr) : reading_of(name->as_string(), *reading);
  }
  return by_name;
}

json::value as_pools(json::value value) {
  const auto data = [](json::value& object) -> json::value& {
    auto* const whole = object.if_object();
    auto* const inner = whole == nullptr ? nullptr : whole->if_contains("nova_object.data");
    return inner == nullptr ? object : *inner;
  };
  json::value& list = data(value);
  auto* const object = list.if_object();
  auto* const objects = object == nullptr ? &list : object->if_contains("objects");
  if (objects == nullptr || !objects->is_array()) return nullptr;
  json::array pools;
  for (auto& each : objects->as_array()) {
    auto* const pool = data(each).if_object();
    if (pool == nullptr) continue;
    json::object flat;
    for (const auto& [key, member] : *pool) {
      if (key != "tags") flat[key] = member;
    }
    if (const auto* const tags = pool->if_contains("tags"); tags != nullptr && tags->is_object())
      for (const auto& [key, member] : tags->as_object()) flat[key] = member;
    pools.push_back(std::move(flat));
  }
  return pools;
}

}  // namespace filter_driver
