// SPDX-License-Identifier: Apache-2.0
//
// JsonFilter (from Icehouse on): the hint "query" must be true for the host. The query is nested lists of operators,
// host attributes and values in a JSON text (the rule: nova/json_query.hpp). Without the hint, or with an empty one,
// every host passes.
#include "filters/filters.hpp"
#include "filters/parts/asked_by_name.hpp"
#include "nova/json_query.hpp"

namespace filter_driver {

namespace {

constexpr std::string_view json_filter_name = "JsonFilter";

struct query_question {
  json_query query;

  outcome<bool> operator()(const attributes& host) const { return query.holds_for(host); }
};

class query_filter final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    json_query query(asked.request.hint("query"), asked.options.compatibility);
    if (query.empty()) return nullptr;
    auto names = query.reads();
    return std::make_unique<run_by_name<query_question>>(json_filter_name, asked, query_question{std::move(query)},
                                                         std::move(names));
  }
};

}  // namespace

const filter_rule json_filter{json_filter_name, false, false, make_filter<query_filter>,
                              "does not meet the query of the hint query"};

}  // namespace filter_driver
