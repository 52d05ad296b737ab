// SPDX-License-Identifier: Apache-2.0
//
// Checks host explanations and passes them to the sink. A large fleet may have one for each row, so they use no memory
// of the call.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/abi/known_part.hpp"
#include "core/drivers/call/call_state.hpp"
#include "core/drivers/call/host_services.hpp"
#include "core/encoding/utf8.hpp"

namespace gantry::drivers {
namespace {

constexpr std::uint32_t most_items = 1024;
constexpr std::size_t longest_name = 256;
constexpr std::size_t longest_reason = 4096;

gantry_code wrong(DriverCall::State& state, const std::string& expected, const std::string& found,
                  gantry_code code = GANTRY_INVALID_ARGUMENT) {
  return state.misused(code, "explain_host: expected " + expected + ", found " + found);
}

gantry_code check_name(DriverCall::State& state, gantry_string name) {
  const std::string_view text = from_abi(name);
  if (!text.empty() && text.size() <= longest_name && is_utf8(text)) return GANTRY_OK;
  return wrong(state, "a name of 1 to 256 bytes in UTF-8", std::to_string(text.size()) + " bytes");
}

gantry_code take(DriverCall::State& state, gantry_verdict& verdict) {
  if (verdict.passed > 1) return wrong(state, "0 or 1 for passed", std::to_string(verdict.passed));
  if (verdict.reserved0 != 0) return wrong(state, "0 for reserved0", std::to_string(verdict.reserved0));
  verdict.reason = to_abi(from_abi(verdict.reason).substr(0, longest_reason));
  return check_name(state, verdict.name);
}

gantry_code take(DriverCall::State& state, const gantry_term& term) {
  return check_name(state, term.name);
}

// The elements one after the other, in `known`, as this host knows them.
template <class T>
gantry_code take_list(DriverCall::State& state, const char* what, const T*& items, std::uint32_t count,
                      std::uint32_t& stride, std::vector<T>& known) {
  known.clear();
  const bool is_there = count == 0 || items != nullptr;
  if (!is_there || count > most_items) {
    return wrong(state, std::string("at most 1024 ") + what, std::to_string(count) + (is_there ? "" : " at NULL"));
  }
  if (count != 0 && (stride < first_size<T> || stride % alignof(T) != 0)) {
    return wrong(
        state,
        std::string("a stride of ") + what + " of at least " + std::to_string(first_size<T>) + " and a multiple of 8",
        std::to_string(stride));
  }
  const auto* at = reinterpret_cast<const std::byte*>(items);
  for (std::uint32_t index = 0; index < count; ++index, at += stride) {
    known.push_back(known_part(*reinterpret_cast<const T*>(at), stride));
    if (const auto code = take(state, known.back())) return code;
  }
  items = known.data();
  stride = sizeof(T);
  return GANTRY_OK;
}

gantry_code explain_host(gantry_call* call, const gantry_host_explanation* given) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  auto& state = *DriverCall::State::of(call);
  if (state.settings.sink == nullptr) {
    return wrong(state, "a call that takes results", "one that takes none", GANTRY_UNSUPPORTED);
  }
  if (given == nullptr) return wrong(state, "a gantry_host_explanation", "NULL");
  if (given->struct_size < first_size<gantry_host_explanation>) {
    return wrong(state, "struct_size of at least " + std::to_string(first_size<gantry_host_explanation>),
                 std::to_string(given->struct_size));
  }
  gantry_host_explanation known = known_part(*given);
  const std::uint32_t rows = state.settings.view == nullptr ? 0 : state.settings.view->rows;
  if (known.row >= rows) {
    return wrong(state, "a row below " + std::to_string(rows) + ", the view's number of rows",
                 "row " + std::to_string(known.row));
  }
  constexpr std::uint32_t known_bits = GANTRY_EXPLANATION_WEIGHT | GANTRY_EXPLANATION_RANK;
  if ((known.present & ~known_bits) != 0)
    return wrong(state, "no bits in present but 3", std::to_string(known.present));
  auto& [verdicts, terms] = state.explanation_items;
  if (const auto code =
          take_list(state, "verdicts", known.verdicts, known.verdict_count, known.verdict_stride, verdicts))
    return code;
  if (const auto code = take_list(state, "terms", known.terms, known.term_count, known.term_stride, terms)) return code;
  return state.settings.sink->explain_host(known);
}

constexpr gantry_explain services_of_explanations{sizeof(gantry_explain), 0, &explain_host};

}  // namespace

const gantry_explain* explain_table() {
  return &services_of_explanations;
}

}  // namespace gantry::drivers
