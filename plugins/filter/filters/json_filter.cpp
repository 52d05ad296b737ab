// SPDX-License-Identifier: Apache-2.0
//
// JsonFilter (from Icehouse on): the hint "query" must be true for the host. The query is nested lists of operators,
// host attributes and values in a JSON text (the rule: nova/json_query.hpp). Without the hint, or with an empty one,
// every host passes.
#include "filters/filters.hpp"
#include "filters/parts/asked_by_name.hpp"
#include "nova/json_query.hpp"
#include "python/python_text.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

constexpr std::string_view json_filter_name = "JsonFilter";

struct query_question {
  json_query query;
  std::string text;  // the query's text

  outcome<bool> operator()(const attributes& host) const { return query.holds_for(host); }
  // Names the attributes that the query reads, with the host's values.
  filter_run::mismatch lack_of(const attributes& host) const {
    std::vector<std::string> values;
    for (const auto& name : query.reads()) {
      const auto* const value = host.find(name);
      values.push_back(value == nullptr ? "no " + shortened(name) : shortened(name + " " + str_of(*value)));
    }
    return {"the hint query " + quoted(text), values.empty() ? "nothing of the host asked for" : listed(values)};
  }
};

class query_filter final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    const auto hint = asked.request.hint("query");
    json_query query(hint, asked.options.compatibility);
    if (query.empty()) return nullptr;
    auto names = query.reads();
    return std::make_unique<run_by_name<query_question>>(
        json_filter_name, asked, query_question{std::move(query), str_of(hint)}, std::move(names));
  }
};

}  // namespace

const filter_rule json_filter{json_filter_name, false, false, make_filter<query_filter>,
                              "does not meet the query of the hint query"};

}  // namespace filter_driver
