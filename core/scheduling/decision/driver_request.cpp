// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/driver_request.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>
#include <unordered_set>

#include "core/drivers/abi/abi_text.hpp"
#include "core/encoding/uuid.hpp"

namespace gantry::scheduling {

namespace {

// Lays out C arrays in the call's memory; remembers if it ever ran out.
class Layout {
 public:
  explicit Layout(drivers::DriverCall& call) : call_(call) {}
  bool complete() const { return complete_; }

  template <class T>
  T* array(std::size_t count) {
    auto* memory = call_.allocate(count * sizeof(T), alignof(T));
    if (memory == nullptr) {
      complete_ = false;
      return nullptr;
    }
    std::memset(memory, 0, count * sizeof(T));
    return static_cast<T*>(memory);
  }

  gantry_string copy(std::string_view text) {
    auto* memory = static_cast<char*>(call_.allocate(text.size(), 1));
    if (memory == nullptr) {
      complete_ = false;
      return {};
    }
    std::copy(text.begin(), text.end(), memory);
    return {memory, text.size()};
  }

  const std::uint64_t* bitmap(const std::vector<std::uint64_t>& words) {
    auto* copied = static_cast<std::uint64_t*>(call_.allocate(words.size() * sizeof(std::uint64_t), 64));
    complete_ = complete_ && copied != nullptr;
    if (copied != nullptr) std::ranges::copy(words, copied);
    return copied;
  }

  // UUIDs as the ABI writes them. An id that is none stays as it is.
  gantry_strings ids(const std::vector<std::string>& values) {
    auto* items = values.empty() ? nullptr : array<gantry_string>(values.size());
    if (items == nullptr) return {};
    std::ranges::transform(values, items, [this](const std::string& value) {
      const auto uuid = parse_uuid(value);
      const auto written = uuid ? to_text(*uuid) : value;
      return written == value ? drivers::to_abi(value) : copy(written);
    });
    return {items, values.size()};
  }

  gantry_strings texts(const std::vector<std::string>& values) {
    if (values.empty()) return {};
    auto* items = array<gantry_string>(values.size());
    if (items == nullptr) return {};
    std::transform(values.begin(), values.end(), items,
                   [](const std::string& value) { return drivers::to_abi(value); });
    return {items, values.size()};
  }

  gantry_string* texts(const TextList& values) {
    auto* items = array<gantry_string>(values.size());
    for (std::size_t at = 0; items != nullptr && at < values.size(); ++at) items[at] = drivers::to_abi(values[at]);
    return items;
  }

  gantry_pairs pairs(const std::vector<std::pair<std::string, std::string>>& values) {
    if (values.empty()) return {};
    auto* items = array<gantry_pair>(values.size());
    if (items == nullptr) return {};
    std::transform(values.begin(), values.end(), items, [](const auto& pair) {
      return gantry_pair{drivers::to_abi(pair.first), drivers::to_abi(pair.second)};
    });
    return {items, values.size()};
  }

 private:
  drivers::DriverCall& call_;
  bool complete_ = true;
};

void set_amounts(gantry_request& request, const RequestSpec& spec) {
  const auto set = [&request](std::int64_t& into, const std::optional<std::int64_t>& value, int bit) {
    if (!value) return;
    into = *value;
    request.present |= static_cast<std::uint32_t>(bit);
  };
  set(request.vcpus, spec.vcpus, GANTRY_REQUEST_VCPUS);
  set(request.memory_mb, spec.memory_mb, GANTRY_REQUEST_MEMORY_MB);
  set(request.root_gb, spec.root_gb, GANTRY_REQUEST_ROOT_GB);
  set(request.ephemeral_gb, spec.ephemeral_gb, GANTRY_REQUEST_EPHEMERAL_GB);
  set(request.swap_mb, spec.swap_mb, GANTRY_REQUEST_SWAP_MB);
  if (spec.is_bfv) {
    request.is_bfv = *spec.is_bfv ? 1 : 0;
    request.present |= GANTRY_REQUEST_IS_BFV;
  }
  request.disk_gb = spec.disk_gb();
}

gantry_hint* build_hints(Layout& layout, const std::vector<Hint>& hints) {
  auto* built = layout.array<gantry_hint>(hints.size());
  if (built == nullptr) return nullptr;
  std::transform(hints.begin(), hints.end(), built, [&layout](const Hint& hint) {
    return gantry_hint{drivers::to_abi(hint.key), layout.texts(hint.values)};
  });
  return built;
}

const gantry_candidates* build_candidates(Layout& layout, const CandidateTable& table) {
  auto* built = layout.array<gantry_candidates>(1);
  if (built != nullptr) *built = table.raw(layout.texts(table.groups).items, layout.texts(table.providers));
  return built;
}

}  // namespace

const gantry_group* build_driver_group(drivers::DriverCall& call, const RequestedGroup& group,
                                       const std::vector<std::string>& without_members) {
  Layout layout(call);
  auto* built = layout.array<gantry_group>(1);
  auto* rows = layout.array<std::uint32_t>(group.members.size());
  if (built == nullptr || rows == nullptr) return nullptr;
  const std::unordered_set<std::string_view> without(without_members.begin(), without_members.end());
  for (const auto& member : group.members) {
    // An instance that is being placed does not stand in its own way.
    if (without.contains(member)) continue;
    const auto uuid = parse_uuid(member);
    const auto row = uuid ? call.settings().moment.locate(*uuid) : std::nullopt;
    if (row) rows[built->member_row_count++] = *row;
  }
  built->struct_size = sizeof *built;
  built->uuid = drivers::to_abi(group.uuid);
  built->name = drivers::to_abi(group.name);
  built->policy = drivers::to_abi(group.policy);
  built->rules = drivers::to_abi(group.rules);
  built->members = layout.ids(group.members);
  built->member_rows = rows;
  built->hosts = layout.texts(group.hosts);
  return layout.complete() ? built : nullptr;
}

const gantry_request* build_driver_request(drivers::DriverCall& call, const drivers::Driver& driver,
                                           const RequestSpec& spec, const RequestedGroup* group,
                                           std::uint32_t alternates, std::uint32_t explain_hosts,
                                           const RowBounds* bounds) {
  Layout layout(call);
  auto* request = layout.array<gantry_request>(1);
  if (request == nullptr) return nullptr;
  request->struct_size = sizeof *request;
  request->instances = spec.num_instances;
  request->alternates = alternates;
  request->view = call.settings().view;
  request->complete = driver.complete_rows(call, *request->view);
  request->instance_uuids = layout.texts(spec.instance_uuids);
  set_amounts(*request, spec);
  request->flavor = drivers::to_abi(spec.flavor);
  request->extra_specs = layout.pairs(spec.extra_specs);
  request->image_properties = layout.pairs(spec.image_properties);
  request->availability_zone = drivers::to_abi(spec.availability_zone);
  request->project_id = drivers::to_abi(spec.project_id);
  request->user_id = drivers::to_abi(spec.user_id);
  request->force_hosts = layout.texts(spec.force_hosts);
  request->force_nodes = layout.texts(spec.force_nodes);
  request->ignore_hosts = layout.texts(spec.ignore_hosts);
  request->requested_host = drivers::to_abi(spec.requested_host);
  request->requested_node = drivers::to_abi(spec.requested_node);
  const auto retried = layout.pairs(spec.retry_hosts);
  request->retry_hosts = retried.items;
  request->retry_host_count = retried.count;
  request->retry_attempts = spec.retry_attempts;
  request->hints = build_hints(layout, spec.hints);
  request->hint_count = static_cast<std::uint32_t>(spec.hints.size());
  request->hint_stride = sizeof(gantry_hint);
  if (group != nullptr) {
    request->group = build_driver_group(call, *group, spec.instance_uuids);
    if (request->group == nullptr) return nullptr;
  }
  request->spec = layout.copy(json::write_canonical(spec.plain));
  request->filter_properties = layout.copy(json::write_canonical(spec.filter_properties));
  request->original = drivers::to_abi(spec.original);
  request->explain_hosts = explain_hosts;
  if (bounds != nullptr) {
    request->eligible = layout.bitmap(bounds->eligible);
    request->claimable = layout.bitmap(bounds->claimable);
    if (bounds->candidates) call.offer(build_candidates(layout, *bounds->candidates));
  }
  return layout.complete() && request->complete != nullptr ? request : nullptr;
}

}  // namespace gantry::scheduling
