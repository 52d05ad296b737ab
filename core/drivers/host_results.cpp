// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "core/drivers/call_state.hpp"
#include "core/drivers/host_services.hpp"
#include "core/drivers/text.hpp"
#include "core/encoding/json.hpp"
#include "core/encoding/utf8.hpp"

namespace gantry::drivers {
namespace {

// One result on its way from a driver to the sink: what it is, for messages, and the checks that all share.
class Delivery {
 public:
  Delivery(gantry_call* call, const char* what) : state_(*Call::State::of(call)), what_(what) {}

  Sink& sink() const { return *state_.settings.sink; }

  gantry_code wrong(const std::string& expected, const std::string& found, gantry_code code = GANTRY_INVALID_ARGUMENT) {
    return state_.fail(code, std::string(what_) + ": expected " + expected + ", found " + found);
  }

  gantry_code check_sink() {
    if (state_.settings.sink != nullptr) return GANTRY_OK;
    return wrong("a call that takes results", "one that takes none", GANTRY_UNSUPPORTED);
  }

  gantry_code check_size(std::uint32_t size, std::size_t least) {
    if (size >= least) return GANTRY_OK;
    return wrong("struct_size of at least " + std::to_string(least), std::to_string(size));
  }

  gantry_code check_row(std::uint32_t row) {
    const gantry_view* view = state_.settings.view;
    const std::uint32_t rows = view == nullptr ? 0 : view->rows;
    if (row < rows) return GANTRY_OK;
    return wrong("a row below " + std::to_string(rows) + ", the view's number of rows", "row " + std::to_string(row));
  }

  // NAN: not set.
  gantry_code check_number(const char* name, double number, bool may_be_negative, bool may_be_unset) {
    if (std::isnan(number) && may_be_unset) return GANTRY_OK;
    if (std::isfinite(number) && (may_be_negative || number >= 0)) return GANTRY_OK;
    const std::string expected = may_be_negative ? "a finite number" : "a finite number that is not negative";
    return wrong(expected + " for " + name, std::isnan(number) ? "NAN" : std::to_string(number));
  }

  gantry_code check_object(const char* name, gantry_string text) {
    const auto object = json::parse_object(from_abi(text));
    return object ? GANTRY_OK : wrong(std::string("a JSON object for ") + name, object.error().message);
  }

  gantry_code check_text(const char* name, gantry_string text) {
    const std::string_view content = from_abi(text);
    if (!content.empty() && is_utf8(content)) return GANTRY_OK;
    return wrong(std::string("text in UTF-8 for ") + name, content.empty() ? "none" : "other bytes");
  }

 private:
  Call::State& state_;
  const char* what_;
};

// The driver's struct as far as both sides know it; the rest is zero.
template <class T>
T known_part(const T& given) {
  T known{};
  std::memcpy(&known, &given, std::min<std::size_t>(given.struct_size, sizeof(T)));
  known.struct_size = sizeof(T);
  return known;
}

gantry_code check_limits(Delivery& delivery, const gantry_limits& limits) {
  if (const auto code = delivery.check_number("limits.vcpu", limits.vcpu, false, true)) return code;
  if (const auto code = delivery.check_number("limits.memory_mb", limits.memory_mb, false, true)) return code;
  if (const auto code = delivery.check_number("limits.disk_gb", limits.disk_gb, false, true)) return code;
  return from_abi(limits.other).empty() ? GANTRY_OK : delivery.check_object("limits.other", limits.other);
}

gantry_code check_choice(Delivery& delivery, const gantry_pick* choice) {
  if (const auto code = delivery.check_sink()) return code;
  if (choice == nullptr) return delivery.wrong("a gantry_pick", "NULL");
  if (const auto code = delivery.check_size(choice->struct_size, sizeof(gantry_pick))) return code;
  if (const auto code = delivery.check_row(choice->row)) return code;
  if (const auto code = delivery.check_number("weight", choice->weight, true, true)) return code;
  return check_limits(delivery, choice->limits);
}

gantry_code pick(gantry_call* call, const gantry_pick* choice) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  Delivery delivery(call, "pick");
  if (const auto code = check_choice(delivery, choice)) return code;
  return delivery.sink().pick(known_part(*choice));
}

gantry_code alternate(gantry_call* call, const gantry_pick* choice) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  Delivery delivery(call, "alternate");
  if (const auto code = check_choice(delivery, choice)) return code;
  return delivery.sink().alternate(known_part(*choice));
}

gantry_code refuse_instance(gantry_call* call, std::uint32_t instance, gantry_string reason) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  Delivery delivery(call, "refuse");
  if (const auto code = delivery.check_sink()) return code;
  return delivery.sink().refuse(instance, sentence_of(reason));
}

void explain(gantry_call* call, const gantry_step* step) {
  if (call == nullptr || step == nullptr) return;
  Delivery delivery(call, "explain");
  if (delivery.check_sink() != GANTRY_OK || delivery.check_size(step->struct_size, sizeof(gantry_step)) != GANTRY_OK) {
    return;
  }
  gantry_step known = known_part(*step);
  const std::string name = sentence_of(step->name);
  const std::string reason = sentence_of(step->reason);
  known.name = to_abi(name);
  known.reason = to_abi(reason);
  delivery.sink().explain(known);
}

gantry_code check_items(Delivery& delivery, const gantry_claim& claim) {
  constexpr std::uint64_t most_items = 256;
  if (claim.item_count == 0 || claim.item_count > most_items || claim.items == nullptr) {
    return delivery.wrong("1 to 256 items", std::to_string(claim.items == nullptr ? 0 : claim.item_count));
  }
  for (std::uint64_t index = 0; index < claim.item_count; ++index) {
    const gantry_claim_item& item = claim.items[index];
    if (const auto code = delivery.check_text("resource", item.resource)) return code;
    if (const auto code = delivery.check_number("amount", item.amount, false, false)) return code;
    if (const auto code = delivery.check_number("limit", item.limit, false, true)) return code;
  }
  return GANTRY_OK;
}

gantry_code claim(gantry_call* call, const gantry_claim* given) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  Delivery delivery(call, "claim");
  if (const auto code = delivery.check_sink()) return code;
  if (given == nullptr) return delivery.wrong("a gantry_claim", "NULL");
  if (const auto code = delivery.check_size(given->struct_size, sizeof(gantry_claim))) return code;
  if (const auto code = delivery.check_row(given->row)) return code;
  if (const auto code = delivery.check_text("consumer", given->consumer)) return code;
  if (const auto code = check_items(delivery, *given)) return code;
  return delivery.sink().claim(known_part(*given));
}

gantry_code reply(gantry_call* call, gantry_string text) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  Delivery delivery(call, "reply");
  if (const auto code = delivery.check_sink()) return code;
  if (const auto parsed = json::parse(from_abi(text)); !parsed) return delivery.wrong("JSON", parsed.error().message);
  return delivery.sink().reply(from_abi(text));
}

gantry_code cast(gantry_call* call, std::uint32_t row, gantry_string method, gantry_string args) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  Delivery delivery(call, "cast");
  if (const auto code = delivery.check_sink()) return code;
  if (const auto code = delivery.check_row(row)) return code;
  if (const auto code = delivery.check_text("method", method)) return code;
  if (const auto code = delivery.check_object("args", args)) return code;
  return delivery.sink().cast(row, from_abi(method), from_abi(args));
}

}  // namespace

void add_result_services(gantry_host& table) {
  table.pick = &pick;
  table.alternate = &alternate;
  table.refuse = &refuse_instance;
  table.explain = &explain;
  table.claim = &claim;
  table.reply = &reply;
  table.cast = &cast;
}

}  // namespace gantry::drivers
