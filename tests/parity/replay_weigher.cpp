// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <gantry/driver/failure.hpp>
#include <numeric>

#include "policy/registry.hpp"
#include "rules/weighing.hpp"
#include "tests/parity/recorded_hosts.hpp"
#include "tests/parity/recorded_request.hpp"
#include "tests/parity/replay.hpp"

namespace filter_driver::parity {

namespace {

namespace json = boost::json;

double recorded_number(const json::value& value) {
  if (const auto* const object = value.if_object()) return std::stod(std::string(object->at("_float").as_string()));
  return value.to_number<double>();
}

bool same(double a, double b) {
  return a == b || (a != a && b != b);
}

verdict weigher_differs(const char* what, const json::value& expected, double found) {
  return {verdict::differed,
          std::string(what) + ": expected " + json::serialize(expected) + ", found " + std::to_string(found)};
}

std::vector<std::uint64_t> all_rows(std::size_t count) {
  std::vector<std::uint64_t> rows((count + 63) / 64, 0);
  for (std::size_t row = 0; row < count; ++row) rows[row / 64] |= std::uint64_t{1} << (row % 64);
  return rows;
}

}  // namespace

verdict check_weigher_raw(const json::object& record) {
  const auto* const rule = find_weigher(record.at("weigher").as_string());
  const recorded_hosts hosts({&record.at("host").as_object()}, {});
  const auto request = recorded_request(record);
  const auto options = recorded_settings(record);
  const question asked{hosts.table(), request, options};
  const auto& expected = record.at("expected").as_object();
  try {
    const auto made = rule->make(options);
    weighing_step step(*rule, *made, asked);
    std::uint64_t rows = 1;
    std::vector<double> rooms(block::room_count * block_rows);
    double raw = 0;
    step.observe({0, 1, &rows, rooms.data()});
    if (const auto run = made->begin(asked)) run->weigh({0, 1, &rows, rooms.data()}, &raw);
    if (raises(record)) return weigher_differs("raises", expected, raw);
    if (!same(raw, recorded_number(expected.at("raw")))) return weigher_differs("raw", expected.at("raw"), raw);
    if (!same(step.multiplier()[0], recorded_number(expected.at("multiplier"))))
      return weigher_differs("multiplier", expected.at("multiplier"), step.multiplier()[0]);
    return {};
  } catch (const gantry::failure& failed) {
    if (raises(record)) return {};
    return {verdict::differed, std::string("refused: ") + failed.what()};
  }
}

verdict check_normalize(const json::object& record) {
  std::vector<double> weights;
  for (const auto& each : record.at("weights").as_array()) weights.push_back(recorded_number(each));
  const auto& expected = record.at("expected").as_object().at("result").as_array();
  if (weights.size() != expected.size()) return {verdict::differed, "length"};
  if (weights.empty()) return {};
  const auto [least, greatest] = std::minmax_element(weights.begin(), weights.end());
  const auto declared = [&record](const char* name, double otherwise) {
    return record.at(name).is_null() ? otherwise : recorded_number(record.at(name));
  };
  const extremes range{declared("minval", *least), declared("maxval", *greatest)};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!same(normalised(weights[i], range), recorded_number(expected[i])))
      return weigher_differs("normalised", expected[i], normalised(weights[i], range));
  }
  return {};
}

verdict check_weigh_pipeline(const json::object& record) {
  std::vector<const json::object*> rows_of_hosts;
  for (const auto& host : record.at("hosts").as_array()) rows_of_hosts.push_back(&host.as_object());
  const recorded_hosts hosts(rows_of_hosts, {});
  const auto request = recorded_request(record);
  const auto options = recorded_settings(record);
  const question asked{hosts.table(), request, options};
  std::vector<std::unique_ptr<weigher>> made;
  std::vector<weighing::entry> enabled;
  for (const auto& each : record.at("weighers").as_array()) {
    const auto& description = each.as_object();
    const auto* const rule = find_weigher(description.at("name").as_string());
    enabled.push_back({rule, made.emplace_back(rule->make(options)).get()});
  }
  try {
    weighing weights(enabled, asked);
    auto rows = all_rows(rows_of_hosts.size());
    std::vector<double> rooms(block::room_count * block_rows);
    const block all{0, static_cast<std::uint32_t>(rows_of_hosts.size()), rows.data(), rooms.data()};
    std::vector<double> total(block_rows, 0.0);
    if (weights.weighs(rows_of_hosts.size())) {
      weights.observe(all);
      const auto& steps = record.at("steps").as_array();
      if (steps.size() > weights.steps().size()) throw std::invalid_argument("more steps than weighers");
      std::vector<double> raw(block_rows);
      for (std::size_t at = 0; at < steps.size(); ++at) {
        auto& step = weights.steps()[at];
        step.raw(all, raw.data());
        const auto& expected = steps[at].as_object();
        for (std::size_t i = 0; i < rows_of_hosts.size(); ++i) {
          if (!same(raw[i], recorded_number(expected.at("raw").as_array().at(i))))
            return weigher_differs(step.rule().name.data(), expected.at("raw"), raw[i]);
          if (!same(normalised(raw[i], step.range()), recorded_number(expected.at("normalized").as_array().at(i))))
            return weigher_differs(step.rule().name.data(), expected.at("normalized"),
                                   normalised(raw[i], step.range()));
        }
      }
      weights.score(all, total.data());
    }
    std::vector<std::size_t> order(rows_of_hosts.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return total[a] > total[b]; });
    if (raises(record)) return {verdict::differed, "expected to be refused"};
    const auto& expected = record.at("expected").as_object().at("order").as_array();
    if (expected.size() != order.size()) return {verdict::differed, "length of the order"};
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto& place = expected[i].as_object();
      if (place.at("index").to_number<std::size_t>() != order[i] ||
          !same(recorded_number(place.at("weight")), total[order[i]]))
        return weigher_differs("order", place, total[order[i]]);
    }
    return {};
  } catch (const gantry::failure& failed) {
    if (raises(record)) return {};
    return {verdict::differed, std::string("refused: ") + failed.what()};
  }
}

}  // namespace filter_driver::parity
