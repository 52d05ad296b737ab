// SPDX-License-Identifier: Apache-2.0
#include "filters/parts/hinted_instances.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "python/outcome.hpp"
#include "python/python_text.hpp"
#include "python/python_value.hpp"
#include "rules/refusal.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

namespace json = boost::json;

class hinted_run final : public filter_run {
 public:
  // `rows`: in ascending order. `named`: what the hint names.
  hinted_run(std::vector<std::uint32_t> rows, bool with, std::string named)
      : rows_(std::move(rows)), with_(with), named_(std::move(named)) {}

  std::string reason() override {
    if (!with_) return "holds an instance of " + named_;
    return rows_.empty() ? "no known host holds an instance of " + named_ : "holds no instance of " + named_;
  }

  void keep(const block& candidates) override {
    auto row = std::lower_bound(rows_.begin(), rows_.end(), candidates.first);
    for (std::uint32_t word = 0; word < candidates.words(); ++word) {
      const std::uint32_t first = candidates.first + word * 64;
      std::uint64_t hinted = 0;
      for (; row != rows_.end() && *row < first + 64; ++row) hinted |= std::uint64_t{1} << (*row - first);
      candidates.rows[word] &= with_ ? hinted : ~hinted;
    }
  }

 private:
  std::vector<std::uint32_t> rows_;
  bool with_;
  std::string named_;
};

outcome<std::vector<std::string>> uuids_in(const json::value& hint) {
  std::vector<std::string> uuids;
  if (hint.is_string()) {
    uuids.emplace_back(hint.get_string());
    return uuids;
  }
  if (!hint.is_array())
    return raised{"TypeError", std::string("'").append(type_name(hint)) + "' object is not iterable"};
  uuids.reserve(hint.get_array().size());
  for (const auto& each : hint.get_array()) {
    if (each.is_string()) uuids.emplace_back(each.get_string());
    if (each.is_array() || each.is_object())
      return raised{"TypeError", "unhashable type: '" + std::string(type_name(each)) + "'"};
  }
  return uuids;
}

}  // namespace

std::unique_ptr<filter_run> hinted_instances_run(std::string_view filter, const question& asked, std::string_view hint,
                                                 bool with) {
  const auto value = asked.request.hint(hint);
  if (!is_true(value)) return nullptr;
  const auto uuids = uuids_in(value);
  if (!uuids.ok())
    return refuses_any(filter, asked.hosts,
                       {uuids.error().kind, "hint " + std::string(hint) + ": " + uuids.error().sentence});
  std::vector<std::uint32_t> rows;
  if (asked.hosts.instances != nullptr) rows = asked.hosts.instances->rows_of(uuids.value());
  std::sort(rows.begin(), rows.end());
  std::vector<std::string> names;
  for (const auto& uuid : uuids.value()) names.push_back(quoted(uuid));
  return std::make_unique<hinted_run>(std::move(rows), with, "the hint " + std::string(hint) + ": " + listed(names));
}

}  // namespace filter_driver
