// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/served_call.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/call_state.hpp"
#include "core/fleet/cells/cell_memory.hpp"

namespace gantry::drivers::isolated {
namespace {

constexpr std::uint64_t most_counters = 1000;

gantry_string text_of(MessageReader& from) {
  return to_abi(from.text());
}

bool is_answered(Record record) {
  return (record >= Record::pick && record <= Record::flush) || record == Record::ask;
}

}  // namespace

ServedCall::Next ServedCall::fail(std::string fault) {
  fault_ = std::move(fault);
  return Next::broken;
}

ServedCall::Next ServedCall::serve() {
  // The thread keeps the memory: most messages are small, and most calls have some.
  static thread_local std::vector<std::byte> copy;
  const std::span<const std::byte> shared = lane_.message();
  const std::uint64_t size = lane_.bytes_of_message();
  if (size > shared.size()) return fail("a message of " + std::to_string(size) + " bytes");
  copy.assign(shared.begin(), shared.begin() + static_cast<std::ptrdiff_t>(size));
  MessageReader from(copy);
  InputWriter to(lane_.answer());
  // The runner looks for it at the begin of the answer.
  auto* const place = to.array<CallAnswer>(1);
  CallAnswer answer;
  Record last{};
  while (!from.is_at_end()) {
    last = from.number<Record>();
    const auto next = serve(last, from, to, answer);
    if (next == Next::broken) return next;
    if (!from.is_sound()) return fail("a message that ends in the middle");
    if ((is_over_ || is_answered(last)) && !from.is_at_end()) return fail("a message with more than it may have");
  }
  constexpr std::size_t largest_kept = std::size_t{1} << 20;
  if (copy.capacity() > largest_kept) std::vector<std::byte>().swap(copy);
  if (is_over_) return Next::over;
  if (!is_answered(last)) return fail("a message that asks for nothing");
  answer.explanations = explanations_;
  *place = answer;
  return Next::answered;
}

ServedCall::Next ServedCall::serve(Record record, MessageReader& from, InputWriter& to, CallAnswer& answer) {
  switch (record) {
    case Record::done: take_done(from); break;
    case Record::pick:
    case Record::alternate: take_pick(record, from, answer); break;
    case Record::claim: take_claim(from, answer); break;
    case Record::reply: answer.code = host_.reply(call_, text_of(from)); break;
    case Record::cast: take_cast(from, answer); break;
    case Record::view: answer.address = host_.view(call_, text_of(from)); break;
    case Record::column: find_column(from, answer); break;
    case Record::locate: locate(from, to, answer); break;
    case Record::changes: find_changes(from, to, answer); break;
    case Record::ask: ask(from, to, answer); break;
    case Record::flush: break;
    case Record::refuse: {
      const auto instance = from.number<std::uint32_t>();
      host_.refuse(call_, instance, text_of(from));
      break;
    }
    case Record::explain: take_step(from); break;
    case Record::explain_host: take_explanation(from, answer); break;
    case Record::log: take_log(from); break;
    default: return fail("a record of the unknown kind " + std::to_string(static_cast<std::uint32_t>(record)));
  }
  return fault_.empty() ? Next::answered : Next::broken;
}

void ServedCall::take_done(MessageReader& from) {
  code_ = from.number<gantry_code>();
  const auto failure = from.number<gantry_code>();
  const auto sentence = text_of(from);
  const auto misuse = text_of(from);
  const auto counters = from.number<std::uint64_t>();
  if (counters > most_counters) fault_ = "too many counters";
  for (std::uint64_t at = 0; at < counters && from.is_sound() && fault_.empty(); ++at) {
    const auto name = text_of(from);
    const auto amount = from.number<std::uint64_t>();
    if (from.is_sound()) host_.count(&host_, name, amount);
  }
  const auto bytes = from.text();
  if (code_ == GANTRY_OK && bytes.size() != bytes_out_.size()) fault_ = "a result of another size";
  if (!from.is_sound() || !fault_.empty()) return;
  if (!bytes.empty() && bytes.size() == bytes_out_.size()) std::memcpy(bytes_out_.data(), bytes.data(), bytes.size());
  auto& state = *DriverCall::State::of(call_);
  if (misuse.size != 0) state.misused(GANTRY_INTERNAL, sentence_of(misuse));
  if (failure != GANTRY_OK || sentence.size != 0) state.fail(failure, sentence_of(sentence));
  is_over_ = true;
}

std::vector<gantry_claim_item> ServedCall::items(MessageReader& from) {
  std::vector<gantry_claim_item> items;
  const auto count = from.number<std::uint32_t>();
  if (!from.may_hold<std::string_view, double, double, std::uint32_t>(count)) return items;
  items.resize(count);
  for (auto& item : items) {
    item.resource = text_of(from);
    item.amount = from.number<double>();
    item.limit = from.number<double>();
    item.present = from.number<std::uint32_t>();
  }
  return items;
}

std::vector<std::uint32_t> ServedCall::numbers(MessageReader& from) {
  std::vector<std::uint32_t> numbers;
  const auto count = from.number<std::uint32_t>();
  if (!from.may_hold<std::uint32_t>(count)) return numbers;
  numbers.resize(count);
  for (auto& number : numbers) number = from.number<std::uint32_t>();
  return numbers;
}

void ServedCall::take_pick(Record record, MessageReader& from, CallAnswer& answer) {
  gantry_pick pick{};
  pick.struct_size = sizeof(pick);
  pick.instance = from.number<std::uint32_t>();
  pick.row = from.number<std::uint32_t>();
  pick.present = from.number<std::uint32_t>();
  pick.weight = from.number<double>();
  pick.limits.vcpu = from.number<double>();
  pick.limits.memory_mb = from.number<double>();
  pick.limits.disk_gb = from.number<double>();
  pick.limits.other = text_of(from);
  pick.group_limit = from.number<std::uint32_t>();
  const auto providers = numbers(from);
  const auto held = items(from);
  if (!from.is_sound()) return;
  pick.items = held.empty() ? nullptr : held.data();
  pick.item_count = static_cast<std::uint32_t>(held.size());
  pick.item_stride = sizeof(gantry_claim_item);
  if (!providers.empty()) {
    answer.code = candidates_table()->choose(call_, pick.instance, pick.row, providers.data(),
                                             static_cast<std::uint32_t>(providers.size()));
    if (answer.code != GANTRY_OK) return;
  }
  answer.code = record == Record::pick ? host_.pick(call_, &pick) : host_.alternate(call_, &pick);
}

void ServedCall::take_claim(MessageReader& from, CallAnswer& answer) {
  gantry_claim claim{};
  claim.struct_size = sizeof(claim);
  claim.row = from.number<std::uint32_t>();
  claim.consumer = text_of(from);
  const auto held = items(from);
  if (!from.is_sound()) return;
  claim.items = held.data();
  claim.item_count = static_cast<std::uint32_t>(held.size());
  claim.item_stride = sizeof(gantry_claim_item);
  answer.code = host_.claim(call_, &claim);
}

void ServedCall::take_cast(MessageReader& from, CallAnswer& answer) {
  gantry_cast cast{};
  cast.struct_size = sizeof(cast);
  cast.row = from.number<std::uint32_t>();
  cast.consumer = text_of(from);
  cast.method = text_of(from);
  cast.args = text_of(from);
  if (from.is_sound()) answer.code = host_.cast(call_, &cast);
}

void ServedCall::take_step(MessageReader& from) {
  gantry_step step{};
  step.struct_size = sizeof(step);
  step.instance = from.number<std::uint32_t>();
  step.name = text_of(from);
  step.hosts_in = from.number<std::uint64_t>();
  step.hosts_out = from.number<std::uint64_t>();
  step.reason = text_of(from);
  if (from.is_sound()) host_.explain(call_, &step);
}

void ServedCall::take_explanation(MessageReader& from, CallAnswer& /*answer*/) {
  gantry_host_explanation explanation{};
  explanation.struct_size = sizeof(explanation);
  explanation.instance = from.number<std::uint32_t>();
  explanation.row = from.number<std::uint32_t>();
  explanation.present = from.number<std::uint32_t>();
  explanation.weight = from.number<double>();
  explanation.rank = from.number<std::uint64_t>();
  explanation.verdict_count = from.number<std::uint32_t>();
  explanation.term_count = from.number<std::uint32_t>();
  if (!from.may_hold<std::string_view, std::string_view, std::uint32_t>(explanation.verdict_count)) return;
  std::vector<gantry_verdict> verdicts(explanation.verdict_count);
  for (auto& verdict : verdicts) {
    verdict.name = text_of(from);
    verdict.reason = text_of(from);
    verdict.passed = from.number<std::uint32_t>();
  }
  if (!from.may_hold<std::string_view, double, double, double>(explanation.term_count)) return;
  std::vector<gantry_term> terms(explanation.term_count);
  for (auto& term : terms) {
    term.name = text_of(from);
    term.raw = from.number<double>();
    term.normalized = from.number<double>();
    term.multiplier = from.number<double>();
  }
  if (!from.is_sound()) return;
  explanation.verdicts = verdicts.data();
  explanation.verdict_stride = sizeof(gantry_verdict);
  explanation.terms = terms.data();
  explanation.term_stride = sizeof(gantry_term);
  explanations_ = explain_table()->explain_host(call_, &explanation);
}

void ServedCall::take_log(MessageReader& from) {
  const auto level = from.number<std::int32_t>();
  const auto line = text_of(from);
  if (from.is_sound()) host_.log(&host_, call_, level, line);
}

// The view of the host that the runner means. A view is known by its topic and its address.
const gantry_view* ServedCall::shown_view(MessageReader& from) {
  const auto topic = text_of(from);
  const auto address = from.number<std::uint64_t>();
  if (!from.is_sound()) return nullptr;
  const gantry_view* const view = host_.view(call_, topic);
  return reinterpret_cast<std::uintptr_t>(view) == address ? view : nullptr;
}

void ServedCall::find_column(MessageReader& from, CallAnswer& answer) {
  const gantry_view* const view = shown_view(from);
  const auto name = text_of(from);
  if (!from.is_sound() || view == nullptr) return;
  const gantry_column* const column = host_.column(call_, view, name);
  // Columns of zeros are made for the call, outside the shared cells: the runner makes its own.
  if (column != nullptr && fleet::shared_cells()->holds(column)) answer.address = column;
}

void ServedCall::locate(MessageReader& from, InputWriter& to, CallAnswer& answer) {
  const auto uuid = text_of(from);
  if (!from.is_sound()) return;
  gantry_location location{};
  location.struct_size = sizeof(location);
  answer.code = host_.locate(call_, uuid, &location);
  for (auto field : {&gantry_location::host, &gantry_location::node, &gantry_location::availability_zone,
                     &gantry_location::flavor, &gantry_location::project_id, &gantry_location::vm_state}) {
    location.*field = to.text(location.*field);
  }
  answer.location = location;
}

void ServedCall::ask(MessageReader& from, InputWriter& to, CallAnswer& answer) {
  const auto name = text_of(from);
  const auto json = text_of(from);
  if (!from.is_sound()) return;
  gantry_answer given{};
  given.struct_size = sizeof(given);
  answer.code = ask_table()->ask(call_, name, json, &given);
  answer.status = given.status;
  answer.body = to.text(given.body);
}

void ServedCall::find_changes(MessageReader& from, InputWriter& to, CallAnswer& answer) {
  const gantry_view* const view = shown_view(from);
  const auto since = from.number<std::uint64_t>();
  const auto flags = from.number<std::uint32_t>();
  const auto wanted = from.number<std::uint64_t>();
  if (!from.is_sound()) return;
  answer.code = GANTRY_INVALID_ARGUMENT;
  if (view == nullptr) return;
  std::vector<std::uint32_t> rows(std::min<std::uint64_t>(wanted, view->rows));
  answer.code = changes_table()->rows(call_, view, since, flags, rows.data(), rows.size(), &answer.count);
  answer.address = to.copy(rows.data(), answer.count);
  if (!to.fits()) answer.code = GANTRY_RESOURCE_EXHAUSTED;
}

}  // namespace gantry::drivers::isolated
