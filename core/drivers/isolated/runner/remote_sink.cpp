// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner/remote_sink.hpp"

#include <algorithm>

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::drivers::isolated {
namespace {

void write_items(MessageWriter& to, const gantry_claim_item* items, std::uint32_t count) {
  to.number(count);
  for (std::uint32_t at = 0; at < count; ++at) {
    to.text(from_abi(items[at].resource));
    to.number(items[at].amount);
    to.number(items[at].limit);
    to.number(items[at].present);
  }
}

void write_explanation(MessageWriter& to, const gantry_host_explanation& given) {
  to.number(given.instance);
  to.number(given.row);
  to.number(given.present);
  to.number(given.weight);
  to.number(given.rank);
  to.number(given.verdict_count);
  to.number(given.term_count);
  for (std::uint32_t at = 0; at < given.verdict_count; ++at) {
    to.text(from_abi(given.verdicts[at].name));
    to.text(from_abi(given.verdicts[at].reason));
    to.number(given.verdicts[at].passed);
  }
  for (std::uint32_t at = 0; at < given.term_count; ++at) {
    to.text(from_abi(given.terms[at].name));
    to.number(given.terms[at].raw);
    to.number(given.terms[at].normalized);
    to.number(given.terms[at].multiplier);
  }
}

}  // namespace

gantry_code RemoteSink::send(Record record, const Pick& pick) {
  return lane_
      .ask(record,
           [&pick](MessageWriter& to) {
             to.number(pick.instance);
             to.number(pick.row);
             to.number(pick.present);
             to.number(pick.weight);
             to.number(pick.limits.vcpu);
             to.number(pick.limits.memory_mb);
             to.number(pick.limits.disk_gb);
             to.text(from_abi(pick.limits.other));
             to.number(pick.group_limit);
             to.number(static_cast<std::uint32_t>(pick.providers.size()));
             for (const auto provider : pick.providers) to.number(provider);
             write_items(to, pick.items, pick.item_count);
           })
      .code;
}

// The service would leave further ones out, each for a round trip.
gantry_code RemoteSink::alternate(const Pick& alternate) {
  auto& sent = alternates_[alternate.instance];
  return ++sent > most_alternates ? GANTRY_OK : send(Record::alternate, alternate);
}

// The service sees in the end whether the driver may refuse the instance.
gantry_code RemoteSink::refuse(std::uint32_t instance, std::string_view reason) {
  lane_.add(Record::refuse, [&](MessageWriter& to) {
    to.number(instance);
    to.text(reason);
  });
  return GANTRY_OK;
}

gantry_code RemoteSink::explain_host(const gantry_host_explanation& explanation) {
  lane_.add(Record::explain_host, [&](MessageWriter& to) { write_explanation(to, explanation); });
  return lane_.explanations();
}

gantry_code RemoteSink::claim(const gantry_claim& claim) {
  return lane_
      .ask(Record::claim,
           [&claim](MessageWriter& to) {
             to.number(claim.row);
             to.text(from_abi(claim.consumer));
             write_items(to, claim.items, claim.item_count);
           })
      .code;
}

gantry_code RemoteSink::reply(std::string_view json) {
  return lane_.ask(Record::reply, [json](MessageWriter& to) { to.text(json); }).code;
}

gantry_code RemoteSink::cast(const gantry_cast& cast) {
  return lane_
      .ask(Record::cast,
           [&cast](MessageWriter& to) {
             to.number(cast.row);
             to.text(from_abi(cast.consumer));
             to.text(from_abi(cast.method));
             to.text(from_abi(cast.args));
           })
      .code;
}

void RemoteSink::explain(const gantry_step& step) {
  lane_.add(Record::explain, [&step](MessageWriter& to) {
    to.number(step.instance);
    to.text(from_abi(step.name));
    to.number(step.hosts_in);
    to.number(step.hosts_out);
    to.text(from_abi(step.reason));
  });
}

void write_end(MessageWriter& to, gantry_code code, const DriverCall& call,
               const std::vector<telemetry::Counters::Entry>& added, std::span<const std::byte> result) {
  constexpr std::string_view prefix = "driver.";
  to.number(code);
  to.number(call.failure_code());
  to.text(call.failure_sentence());
  to.text(call.misuse());
  to.number(static_cast<std::uint64_t>(added.size()));
  for (const auto& counter : added) {
    to.text(std::string_view(counter.name).substr(prefix.size()));
    to.number(counter.value);
  }
  to.text({reinterpret_cast<const char*>(result.data()), result.size()});
}

const gantry_view* RemoteFleet::view(std::string_view topic) {
  if (const auto found = views_.find(topic); found != views_.end()) return found->second;
  const auto& answer = lane_.ask(Record::view, [topic](MessageWriter& to) { to.text(topic); });
  const auto* const view = static_cast<const gantry_view*>(answer.address);
  views_.emplace(topic, view);
  return view;
}

const gantry_column* RemoteFleet::column(const gantry_view& view, std::string_view name) {
  const auto key = std::make_pair(&view, std::string(name));
  if (const auto found = columns_.find(key); found != columns_.end()) return found->second;
  const auto& answer = lane_.ask(Record::column, [&](MessageWriter& to) {
    to.text(from_abi(view.topic));
    to.number(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&view)));
    to.text(name);
  });
  const auto* const column = static_cast<const gantry_column*>(answer.address);
  columns_.emplace(key, column);
  return column;
}

gantry_code RemoteFleet::locate(std::string_view uuid, gantry_location& location) {
  const auto& answer = lane_.ask(Record::locate, [uuid](MessageWriter& to) { to.text(uuid); });
  if (answer.code == GANTRY_OK) location = answer.location;
  return answer.code;
}

gantry_code RemoteFleet::changes(const gantry_view& view, std::uint64_t since, std::uint32_t flags, std::uint32_t* rows,
                                 std::uint64_t capacity, std::uint64_t& count) {
  count = 0;
  if (since == view.generation) return GANTRY_OK;
  const auto& answer = lane_.ask(Record::changes, [&](MessageWriter& to) {
    to.text(from_abi(view.topic));
    to.number(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&view)));
    to.number(since);
    to.number(flags);
    to.number(capacity);
  });
  if (answer.code != GANTRY_OK) return answer.code;
  count = std::min(answer.count, capacity);
  std::copy_n(static_cast<const std::uint32_t*>(answer.address), count, rows);
  return GANTRY_OK;
}

ServiceAnswer RemoteAsker::ask(std::string_view name, std::string_view json) {
  const auto& answer = lane_.ask(Record::ask, [&](MessageWriter& to) {
    to.text(name);
    to.text(json);
  });
  return {answer.code, answer.status, std::string(from_abi(answer.body))};
}

}  // namespace gantry::drivers::isolated
