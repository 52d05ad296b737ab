// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/abi/known_part.hpp"
#include "core/drivers/call/call_state.hpp"
#include "core/drivers/call/host_services.hpp"
#include "core/encoding/json.hpp"
#include "core/encoding/utf8.hpp"

namespace gantry::drivers {
namespace {

// One result on its way from a driver to the sink: what it is, for messages, and the checks that all share.
class Delivery {
 public:
  Delivery(gantry_call* call, const char* what) : state_(*DriverCall::State::of(call)), what_(what) {}

  Sink& sink() const { return *state_.settings.sink; }

  // Records that the result breaks the ABI's rules.
  gantry_code wrong(const std::string& expected, const std::string& found, gantry_code code = GANTRY_INVALID_ARGUMENT) {
    return state_.misused(code, std::string(what_) + ": expected " + expected + ", found " + found);
  }

  gantry_code check_sink() {
    if (state_.settings.sink != nullptr) return GANTRY_OK;
    return wrong("a call that takes results", "one that takes none", GANTRY_UNSUPPORTED);
  }

  // A field that a later version has and this host does not know must not be set. `size`: that of `given` in the header
  // of its maker.
  template <class T>
  gantry_code check_size(const T& given, std::size_t size, const char* name = "struct_size") {
    if (size < first_size<T> || size > most_struct_bytes)
      return wrong(
          std::string(name) + " of " + std::to_string(first_size<T>) + " to " + std::to_string(most_struct_bytes),
          std::to_string(size));
    if (asks_for_no_more(given, size)) return GANTRY_OK;
    return wrong("no field of a later ABI than " GANTRY_ABI_TEXT,
                 "one behind byte " + std::to_string(sizeof(T)) + " of " + std::to_string(size) +
                     "; a driver sets it only if gantry_host.abi_minor says that the host has it");
  }

  // For a struct that only tells: what this host does not know of it is left out.
  template <class T>
  gantry_code check_least_size(std::size_t size) {
    if (size >= first_size<T>) return GANTRY_OK;
    return wrong("struct_size of at least " + std::to_string(first_size<T>), std::to_string(size));
  }

  gantry_code check_row(std::uint32_t row) {
    const gantry_view* view = state_.settings.view;
    const std::uint32_t rows = view == nullptr ? 0 : view->rows;
    if (row < rows) return GANTRY_OK;
    return wrong("a row below " + std::to_string(rows) + ", the view's number of rows", "row " + std::to_string(row));
  }

  gantry_code check_number(const char* name, double number, bool may_be_negative = false) {
    if (std::isfinite(number) && (may_be_negative || number >= 0)) return GANTRY_OK;
    const std::string expected = may_be_negative ? "a finite number" : "a finite number that is not negative";
    return wrong(expected + " for " + name, std::isnan(number) ? "NaN" : std::to_string(number));
  }

  // A later version may give a meaning to what has none yet: a driver that counts on it would be misunderstood.
  gantry_code check_present(std::uint32_t present, std::uint32_t known) {
    if ((present & ~known) == 0) return GANTRY_OK;
    return wrong("no bits in present but " + std::to_string(known), std::to_string(present));
  }

  gantry_code check_reserved(const char* name, std::uint32_t value) {
    return value == 0 ? GANTRY_OK : wrong(std::string("0 for ") + name, std::to_string(value));
  }

  gantry_code check_bytes(const std::string& name, std::uint64_t bytes, std::uint64_t most) {
    if (bytes <= most) return GANTRY_OK;
    return wrong("at most " + std::to_string(most) + " bytes for " + name, std::to_string(bytes));
  }

  gantry_code check_json(const std::string& name, gantry_string text, bool is_object) {
    const auto parsed = json::parse(from_abi(text), json::max_part_depth);
    if (!parsed) return wrong("JSON for " + name, parsed.error().message);
    if (!is_object || parsed->is_object()) return GANTRY_OK;
    return wrong("a JSON object for " + name, std::string(json::type_name(*parsed)));
  }

  gantry_code check_name(const std::string& name, gantry_string text) {
    const std::string_view content = from_abi(text);
    if (content.empty() || !is_utf8(content))
      return wrong("text in UTF-8 for " + name, content.empty() ? "none" : "other bytes");
    return check_bytes(name, content.size(), GANTRY_MOST_NAME_BYTES);
  }

  gantry_code count_items(std::uint32_t count) {
    state_.claim_items += count;
    if (state_.claim_items <= GANTRY_MOST_CALL_ITEMS) return GANTRY_OK;
    return wrong("at most " + std::to_string(GANTRY_MOST_CALL_ITEMS) + " items in all claims of a call", "more");
  }

  gantry_code count_cast(std::uint64_t bytes) {
    state_.cast_bytes += bytes;
    if (++state_.casts > GANTRY_MOST_CASTS)
      return wrong("at most " + std::to_string(GANTRY_MOST_CASTS) + " casts in a call", "more");
    return check_bytes("the args of all casts of a call", state_.cast_bytes, GANTRY_MOST_JSON_BYTES);
  }

  gantry_code out_of_memory() {
    return state_.fail(GANTRY_RESOURCE_EXHAUSTED, std::string(what_) + ": expected memory for its items, found none");
  }

  // The items one after the other as the host knows them, in the call's memory. They have been counted.
  gantry_claim_item* copy_items(const gantry_claim_item* items, std::uint32_t count, std::uint32_t stride) {
    auto* known = static_cast<gantry_claim_item*>(
        state_.arena.allocate(count * sizeof(gantry_claim_item), alignof(gantry_claim_item)));
    const auto* first = reinterpret_cast<const std::byte*>(items);
    for (std::size_t index = 0; known != nullptr && index < count; ++index) {
      known[index] = known_part(*reinterpret_cast<const gantry_claim_item*>(first + index * stride), stride);
    }
    return known;
  }

 private:
  DriverCall::State& state_;
  const char* what_;
};

constexpr std::uint32_t known_of_a_pick = GANTRY_LIMIT_VCPU | GANTRY_LIMIT_MEMORY_MB | GANTRY_LIMIT_DISK_GB |
                                          GANTRY_PICK_WEIGHT | GANTRY_PICK_APART | GANTRY_PICK_TOGETHER;

gantry_code check_limits(Delivery& delivery, const gantry_pick& choice) {
  struct Number {
    const char* name;
    double value;
    std::uint32_t bit;
    bool may_be_negative;
  };
  const std::array<Number, 4> numbers{{{"weight", choice.weight, GANTRY_PICK_WEIGHT, true},
                                       {"limits.vcpu", choice.limits.vcpu, GANTRY_LIMIT_VCPU, false},
                                       {"limits.memory_mb", choice.limits.memory_mb, GANTRY_LIMIT_MEMORY_MB, false},
                                       {"limits.disk_gb", choice.limits.disk_gb, GANTRY_LIMIT_DISK_GB, false}}};
  if (const auto code = delivery.check_present(choice.present, known_of_a_pick)) return code;
  for (const Number& number : numbers) {
    if ((choice.present & number.bit) == 0) continue;
    if (const auto code = delivery.check_number(number.name, number.value, number.may_be_negative)) return code;
  }
  if ((choice.present & GANTRY_PICK_APART) != 0 && choice.group_limit == 0)
    return delivery.wrong("a group_limit of at least 1 with GANTRY_PICK_APART", "0");
  if (const auto code = delivery.check_reserved("reserved0", choice.reserved0)) return code;
  const gantry_string& other = choice.limits.other;
  if (from_abi(other).empty()) return GANTRY_OK;
  if (const auto code = delivery.check_bytes("limits.other", from_abi(other).size(), GANTRY_MOST_LIMITS_BYTES))
    return code;
  return delivery.check_json("limits.other", other, true);
}

gantry_code check_item(Delivery& delivery, const gantry_claim_item& item) {
  if (const auto code = delivery.check_name("resource", item.resource)) return code;
  if (const auto code = delivery.check_number("amount", item.amount)) return code;
  if (const auto code = delivery.check_present(item.present, GANTRY_CLAIM_LIMIT)) return code;
  if (const auto code = delivery.check_reserved("reserved0 of an item", item.reserved0)) return code;
  return (item.present & GANTRY_CLAIM_LIMIT) == 0 ? GANTRY_OK : delivery.check_number("limit", item.limit);
}

// Checks the items of a gantry_pick or a gantry_claim and replaces them by copies of the host.
template <class T>
gantry_code take_items(Delivery& delivery, T& holder, std::uint32_t least) {
  constexpr std::uint32_t most = GANTRY_MOST_ITEMS;
  const std::uint32_t count = holder.items == nullptr ? 0 : holder.item_count;
  if (count < least || holder.item_count > most || count != holder.item_count) {
    return delivery.wrong(std::to_string(least) + " to " + std::to_string(most) + " items",
                          std::to_string(holder.item_count) + (holder.items == nullptr ? " at NULL" : ""));
  }
  if (count == 0) {
    holder.items = nullptr;
    return GANTRY_OK;
  }
  if (holder.item_stride % alignof(gantry_claim_item) != 0) {
    return delivery.wrong("item_stride as a multiple of 8", std::to_string(holder.item_stride));
  }
  const auto* const first = reinterpret_cast<const std::byte*>(holder.items);
  for (std::size_t index = 0; index < count; ++index) {
    const auto& item = *reinterpret_cast<const gantry_claim_item*>(first + index * holder.item_stride);
    if (const auto code = delivery.check_size(item, holder.item_stride, "item_stride")) return code;
  }
  holder.items = delivery.copy_items(holder.items, count, holder.item_stride);
  holder.item_stride = sizeof(gantry_claim_item);
  if (holder.items == nullptr) return delivery.out_of_memory();
  for (std::uint32_t index = 0; index < count; ++index) {
    if (const auto code = check_item(delivery, holder.items[index])) return code;
  }
  return GANTRY_OK;
}

// The pick itself claims the instance's own resources.
gantry_code check_items_of_a_pick(Delivery& delivery, const gantry_pick& pick) {
  constexpr std::array<std::string_view, 4> own{"vcpu", "memory_mb", "disk_gb", "instances"};
  for (std::uint32_t index = 0; index < pick.item_count; ++index) {
    const std::string_view resource = from_abi(pick.items[index].resource);
    if (std::find(own.begin(), own.end(), resource) == own.end()) continue;
    return delivery.wrong("items beside vcpu, memory_mb, disk_gb and instances, which the pick itself claims",
                          std::string(resource));
  }
  return GANTRY_OK;
}

// Returns the choice that the driver has made through gantry.candidates/1, if the choice is for this pick or alternate.
std::vector<std::uint32_t> take_providers(gantry_call* call, const gantry_pick& pick) {
  auto chosen = std::exchange(DriverCall::State::of(call)->choice, {});
  if (chosen.instance != pick.instance || chosen.row != pick.row) return {};
  return std::move(chosen.providers);
}

gantry_code take_choice(Delivery& delivery, const gantry_pick* given, Pick& choice) {
  if (const auto code = delivery.check_sink()) return code;
  if (given == nullptr) return delivery.wrong("a gantry_pick", "NULL");
  if (const auto code = delivery.check_size(*given, given->struct_size)) return code;
  static_cast<gantry_pick&>(choice) = known_part(*given);
  if (const auto code = delivery.check_row(choice.row)) return code;
  if (const auto code = check_limits(delivery, choice)) return code;
  if (const auto code = take_items(delivery, choice, 0)) return code;
  choice.limits.other = to_abi(from_abi(choice.limits.other));
  return check_items_of_a_pick(delivery, choice);
}

gantry_code pick(gantry_call* call, const gantry_pick* given) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  Delivery delivery(call, "pick");
  Pick choice;
  if (const auto code = take_choice(delivery, given, choice)) return code;
  const auto providers = take_providers(call, choice);
  choice.providers = providers;
  return delivery.sink().pick(choice);
}

gantry_code alternate(gantry_call* call, const gantry_pick* given) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  Delivery delivery(call, "alternate");
  Pick choice;
  if (const auto code = take_choice(delivery, given, choice)) return code;
  const auto providers = take_providers(call, choice);
  choice.providers = providers;
  return delivery.sink().alternate(choice);
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
  if (delivery.check_sink() != GANTRY_OK || delivery.check_least_size<gantry_step>(step->struct_size) != GANTRY_OK)
    return;
  gantry_step known = known_part(*step);
  std::string name;
  std::string reason;
  known.name = to_abi(readable(step->name, name));
  known.reason = to_abi(readable(step->reason, reason));
  delivery.sink().explain(known);
}

gantry_code claim(gantry_call* call, const gantry_claim* given) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  Delivery delivery(call, "claim");
  if (const auto code = delivery.check_sink()) return code;
  if (given == nullptr) return delivery.wrong("a gantry_claim", "NULL");
  if (const auto code = delivery.check_size(*given, given->struct_size)) return code;
  gantry_claim wanted = known_part(*given);
  if (const auto code = delivery.check_row(wanted.row)) return code;
  if (const auto code = delivery.check_name("consumer", wanted.consumer)) return code;
  if (const auto code = take_items(delivery, wanted, 1)) return code;
  if (const auto code = delivery.count_items(wanted.item_count)) return code;
  return delivery.sink().claim(wanted);
}

gantry_code reply(gantry_call* call, gantry_string text) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  Delivery delivery(call, "reply");
  if (const auto code = delivery.check_sink()) return code;
  if (const auto code = delivery.check_bytes("the answer", from_abi(text).size(), GANTRY_MOST_JSON_BYTES)) return code;
  if (const auto code = delivery.check_json("the answer", text, false)) return code;
  return delivery.sink().reply(from_abi(text));
}

gantry_code cast(gantry_call* call, const gantry_cast* given) {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  Delivery delivery(call, "cast");
  if (const auto code = delivery.check_sink()) return code;
  if (given == nullptr) return delivery.wrong("a gantry_cast", "NULL");
  if (const auto code = delivery.check_size(*given, given->struct_size)) return code;
  gantry_cast message = known_part(*given);
  if (const auto code = delivery.check_row(message.row)) return code;
  message.consumer = to_abi(from_abi(message.consumer));
  if (message.consumer.size != 0) {
    if (const auto code = delivery.check_name("consumer", message.consumer)) return code;
  }
  if (const auto code = delivery.check_name("method", message.method)) return code;
  if (const auto code = delivery.count_cast(from_abi(message.args).size())) return code;
  if (const auto code = delivery.check_json("args", message.args, true)) return code;
  return delivery.sink().cast(message);
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
