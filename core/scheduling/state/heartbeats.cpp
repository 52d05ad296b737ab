// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/heartbeats.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/encoding/in_quotes.hpp"
#include "core/encoding/name_path.hpp"

namespace gantry::scheduling {

namespace {

json::object times_of(const fleet::Service& service) {
  return {{"last_seen_up", service.last_seen_up}, {"report_count", service.report_count}};
}
json::object times_of(const fleet::ComputeNode& node) {
  return {{"sampled_at", node.sampled_at}, {"updated_at", node.updated_at}};
}
json::object times_of(const fleet::Capabilities& capabilities) {
  return {{"updated_at", capabilities.updated_at}};
}

std::int64_t integer(const json::object& document, std::string_view key) {
  return json::find_integer(document, key).value_or(0);
}

}  // namespace

std::string Heartbeats::key_of_times(const fleet::Service& service) {
  return join_names(std::array<std::string_view, 3>{"service", service.topic, service.host});
}

std::string Heartbeats::key_of_times(const fleet::ComputeNode& node) {
  return join_names(std::array<std::string_view, 4>{"compute_node", node.topic, node.host, node.node});
}

std::string Heartbeats::key_of_times(const fleet::Capabilities& capabilities) {
  return join_names(std::array<std::string_view, 3>{"capabilities", capabilities.topic, capabilities.host});
}

void Heartbeats::note(const fleet::Service& service) {
  waiting_.insert_or_assign(key_of_times(service), json::write(times_of(service)));
}

void Heartbeats::note(const fleet::ComputeNode& node) {
  waiting_.insert_or_assign(key_of_times(node), json::write(times_of(node)));
}

void Heartbeats::note(const fleet::Capabilities& capabilities) {
  waiting_.insert_or_assign(key_of_times(capabilities), json::write(times_of(capabilities)));
}

store::Change Heartbeats::forget(const fleet::Service& service) {
  return forget_key(key_of_times(service));
}

store::Change Heartbeats::forget(const fleet::ComputeNode& node) {
  return forget_key(key_of_times(node));
}

store::Change Heartbeats::forget(const fleet::Capabilities& capabilities) {
  return forget_key(key_of_times(capabilities));
}

store::Change Heartbeats::forget_key(std::string key) {
  waiting_.erase(key);
  return {store::Kind::heartbeat, std::move(key), std::nullopt};
}

Heartbeats::Documents Heartbeats::take(std::size_t most) {
  if (waiting_.size() <= most) return std::exchange(waiting_, {});
  Documents taken;
  while (taken.size() < most) taken.insert(waiting_.extract(waiting_.begin()));
  return taken;
}

void Heartbeats::put_back(const Documents& documents) {
  waiting_.insert(documents.begin(), documents.end());
}

Result<void> Heartbeats::load(std::string_view key, std::string_view document) {
  auto times = json::parse_object(document);
  if (!times) return std::move(times).error().within("stored heartbeat " + in_quotes(key));
  loaded_.insert_or_assign(std::string(key), *std::move(times));
  return {};
}

void Heartbeats::unload(std::string_view key) {
  if (const auto found = loaded_.find(key); found != loaded_.end()) loaded_.erase(found);
}

// By its count and not by its time: the clock may have been set back since.
void Heartbeats::bring_up_to_date(fleet::Service& service) const {
  const auto found = loaded_.find(key_of_times(service));
  if (found == loaded_.end()) return;
  const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(0, integer(found->second, "report_count")));
  if (count <= service.report_count) return;
  service.report_count = count;
  service.last_seen_up = integer(found->second, "last_seen_up");
}

void Heartbeats::bring_up_to_date(fleet::ComputeNode& node) const {
  const auto found = loaded_.find(key_of_times(node));
  if (found == loaded_.end() || integer(found->second, "updated_at") <= node.updated_at) return;
  node.updated_at = integer(found->second, "updated_at");
  node.sampled_at = integer(found->second, "sampled_at");
}

void Heartbeats::bring_up_to_date(fleet::Capabilities& capabilities) const {
  const auto found = loaded_.find(key_of_times(capabilities));
  if (found == loaded_.end()) return;
  capabilities.updated_at = std::max(capabilities.updated_at, integer(found->second, "updated_at"));
}

fleet::Nanoseconds Heartbeats::bring_up_to_date(fleet::Fleet& fleet, std::string_view key) const {
  const auto names = split_names(key);
  const auto is_of = [&names](std::string_view kind, std::size_t count) {
    return names.size() == count && names.front() == kind;
  };
  if (is_of("service", 3)) {
    auto service = fleet.service(names[1], names[2]);
    if (!service) return 0;
    bring_up_to_date(*service);
    fleet.put_service(*service);
    return service->last_seen_up;
  }
  if (is_of("compute_node", 4)) {
    fleet::ComputeNode node{names[1], names[2], names[3], {}, 0, 0};
    bring_up_to_date(node);
    fleet.restore_report_times(node.topic, node.host, node.node, node.sampled_at, node.updated_at);
    return node.updated_at;
  }
  auto capabilities = is_of("capabilities", 3) ? fleet.capabilities(names[1], names[2]) : std::nullopt;
  if (!capabilities) return 0;
  bring_up_to_date(*capabilities);
  fleet.put_capabilities(*capabilities);
  return 0;
}

void remove_times(store::Kind kind, json::object& document) {
  if (kind == store::Kind::service) {
    document.erase("last_seen_up");
    document.erase("report_count");
  } else if (kind == store::Kind::compute_node || kind == store::Kind::capabilities) {
    document.erase("sampled_at");
    document.erase("updated_at");
  }
}

}  // namespace gantry::scheduling
