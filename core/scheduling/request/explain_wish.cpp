// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/explain_wish.hpp"

#include <string_view>

#include "core/scheduling/request/args.hpp"

namespace gantry::scheduling {

Result<ExplainWish> read_explain(const json::object& args) {
  const auto* found = json::find(args, "explain");
  if (found != nullptr && found->is_string()) {
    const std::string_view text = found->get_string();
    if (text == "hosts") return ExplainWish{true, GANTRY_EXPLAIN_HOSTS};
    if (text == "all_filters") return ExplainWish{true, GANTRY_EXPLAIN_ALL_FILTERS};
  }
  auto decision = optional_bool(args, "explain", false);
  if (!decision) return std::move(decision).error();
  return ExplainWish{*decision, GANTRY_EXPLAIN_NONE};
}

}  // namespace gantry::scheduling
