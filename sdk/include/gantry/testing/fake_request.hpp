// SPDX-License-Identifier: Apache-2.0
//
// A request, a context and options for tests, and their conversion to the ABI's structs.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/text.hpp>
#include <gantry/testing/arena.hpp>
#include <gantry/testing/fake_candidates.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gantry::testing {

inline gantry_strings copy_strings(arena& arena, const std::vector<std::string>& texts) {
  gantry_string* items = arena.list<gantry_string>(texts.size());
  for (std::size_t index = 0; index < texts.size(); ++index) items[index] = arena.copy(texts[index]);
  return {items, texts.size()};
}

inline gantry_pairs copy_pairs(arena& arena, const std::map<std::string, std::string>& pairs) {
  gantry_pair* items = arena.list<gantry_pair>(pairs.size());
  std::size_t count = 0;
  for (const auto& [key, value] : pairs) items[count++] = {arena.copy(key), arena.copy(value)};
  return {items, count};
}

// A server group. The members are the ones of gantry_group.
struct fake_group {
  std::string uuid = "6f70656e-7374-4163-8b00-000000000001";
  std::string name = "group";
  std::string policy = "anti-affinity";
  std::string rules = "{}";
  std::vector<std::string> members = {};
  std::vector<std::uint32_t> member_rows = {};
  std::vector<std::string> hosts = {};
};

// A request for instances. The members are the ones of gantry_request, std::nullopt makes a number absent.
struct fake_request {
  std::uint32_t instances = 1;
  std::uint32_t alternates = 0;
  std::optional<std::int64_t> vcpus = std::nullopt;
  std::optional<std::int64_t> memory_mb = std::nullopt;
  std::optional<std::int64_t> root_gb = std::nullopt;
  double disk_gb = 0;  // the disk that a claim takes; not computed from root_gb and the other sizes
  std::string flavor = "";
  std::string availability_zone = "";
  std::string project_id = "";
  std::vector<std::string> instance_uuids = {};
  std::vector<std::string> force_hosts = {};
  std::vector<std::string> force_nodes = {};
  std::vector<std::string> ignore_hosts = {};
  std::string requested_host = "";
  std::string requested_node = "";
  std::map<std::string, std::string> extra_specs = {};
  std::map<std::string, std::string> image_properties = {};
  std::map<std::string, std::vector<std::string>> hints = {};
  std::optional<fake_group> group = std::nullopt;
  std::string spec = "{}";
  std::optional<std::int64_t> ephemeral_gb = std::nullopt;
  std::optional<std::int64_t> swap_mb = std::nullopt;
  std::optional<bool> is_bfv = std::nullopt;
  std::vector<std::pair<std::string, std::string>> retry_hosts = {};  // (host, node) pairs that were tried before
  std::uint64_t retry_attempts = 0;
  std::uint32_t explain_hosts = GANTRY_EXPLAIN_NONE;
  std::optional<std::set<std::uint32_t>> eligible = std::nullopt;  // rows that may be used at all; nullopt: all rows
  std::set<std::uint32_t> unclaimable = {};                        // rows that no instance can claim
  std::set<std::pair<std::uint32_t, std::uint32_t>> lost = {};     // (instance, row): the instance cannot claim the row
  std::optional<fake_candidates> candidates = std::nullopt;        // nullopt: there is nothing to choose

  // Returns whether a pick or an alternate of the row is not lost from the outset.
  bool admits(std::uint32_t instance, std::uint32_t row) const {
    return (!eligible || eligible->count(row) != 0) && unclaimable.count(row) == 0 && lost.count({instance, row}) == 0;
  }

  // Returns the ABI's struct. Its texts and lists lie in the arena. `complete` is the bitmap of
  // gantry_request.complete.
  gantry_request raw(arena& arena, const gantry_view& view, const std::uint64_t* complete) const {
    gantry_request request = {};
    request.struct_size = sizeof(gantry_request);
    request.instances = instances;
    request.alternates = alternates;
    request.view = &view;
    request.complete = complete;
    add_amounts(request);
    request.flavor = arena.copy(flavor);
    request.availability_zone = arena.copy(availability_zone);
    request.project_id = arena.copy(project_id);
    request.instance_uuids = copy_strings(arena, instance_uuids);
    request.force_hosts = copy_strings(arena, force_hosts);
    request.force_nodes = copy_strings(arena, force_nodes);
    request.ignore_hosts = copy_strings(arena, ignore_hosts);
    request.requested_host = arena.copy(requested_host);
    request.requested_node = arena.copy(requested_node);
    request.extra_specs = copy_pairs(arena, extra_specs);
    request.image_properties = copy_pairs(arena, image_properties);
    add_retry(arena, request);
    request.spec = arena.copy(spec);
    request.original = request.spec;
    request.filter_properties = arena.copy("{}");
    add_hints(arena, request);
    if (group) request.group = raw_group(arena, *group);
    request.explain_hosts = explain_hosts;
    if (eligible) {
      std::set<std::uint32_t> claimable;
      for (const std::uint32_t row : *eligible) {
        if (unclaimable.count(row) == 0) claimable.insert(row);
      }
      request.eligible = raw_rows(arena, *eligible, view.rows);
      request.claimable = raw_rows(arena, claimable, view.rows);
    }
    return request;
  }

 private:
  static const std::uint64_t* raw_rows(arena& arena, const std::set<std::uint32_t>& rows, std::uint32_t count) {
    std::uint64_t* words = arena.array<std::uint64_t>(std::size_t{count} / 64 + 1);
    for (const std::uint32_t row : rows) {
      if (row < count) words[row / 64] |= std::uint64_t{1} << (row % 64);
    }
    return words;
  }

  void add_amounts(gantry_request& request) const {
    const auto set = [&request](std::int64_t& into, const std::optional<std::int64_t>& value, std::uint32_t bit) {
      if (!value) return;
      into = *value;
      request.present |= bit;
    };
    set(request.vcpus, vcpus, GANTRY_REQUEST_VCPUS);
    set(request.memory_mb, memory_mb, GANTRY_REQUEST_MEMORY_MB);
    set(request.root_gb, root_gb, GANTRY_REQUEST_ROOT_GB);
    set(request.ephemeral_gb, ephemeral_gb, GANTRY_REQUEST_EPHEMERAL_GB);
    set(request.swap_mb, swap_mb, GANTRY_REQUEST_SWAP_MB);
    if (is_bfv) set(request.is_bfv, *is_bfv ? 1 : 0, GANTRY_REQUEST_IS_BFV);
    request.disk_gb = disk_gb;
  }

  void add_retry(arena& arena, gantry_request& request) const {
    gantry_pair* items = arena.array<gantry_pair>(retry_hosts.size());
    for (const auto& [host, node] : retry_hosts) {
      items[request.retry_host_count++] = {arena.copy(host), arena.copy(node)};
    }
    request.retry_hosts = items;
    request.retry_attempts = retry_attempts;
  }

  void add_hints(arena& arena, gantry_request& request) const {
    request.hint_stride = sizeof(gantry_hint);
    gantry_hint* items = arena.array<gantry_hint>(hints.size());
    for (const auto& [key, values] : hints) {
      items[request.hint_count++] = {arena.copy(key), copy_strings(arena, values)};
    }
    request.hints = items;
  }

  static const gantry_group* raw_group(arena& arena, const fake_group& group) {
    std::uint32_t* rows = arena.array<std::uint32_t>(group.member_rows.size());
    for (std::size_t index = 0; index < group.member_rows.size(); ++index) rows[index] = group.member_rows[index];
    gantry_group* raw = arena.array<gantry_group>(1);
    *raw = {sizeof(gantry_group),
            0,
            arena.copy(group.uuid),
            arena.copy(group.name),
            arena.copy(group.policy),
            arena.copy(group.rules),
            copy_strings(arena, group.members),
            rows,
            group.member_rows.size(),
            copy_strings(arena, group.hosts)};
    return raw;
  }
};

// The context of a call. The members are the ones of gantry_context.
struct fake_context {
  std::string request_id = "req-00000000-0000-4000-8000-000000000000";
  std::string user_id = "user";
  std::string project_id = "project";
  std::string remote_address = "";
  bool is_admin = false;
  std::vector<std::string> roles = {};

  gantry_context raw(arena& arena) const {
    return {sizeof(gantry_context), is_admin ? 1 : 0,           arena.copy(request_id),     arena.copy(user_id),
            arena.copy(project_id), arena.copy(remote_address), copy_strings(arena, roles), arena.copy("{}")};
  }
};

// The options that a driver or offer is created with. Give each the name and type that its manifest declares. Example:
// fake_options().string("default_prefix", "dev").
class fake_options {
 public:
  fake_options& boolean(const std::string& name, bool value) {
    add(name, GANTRY_OPTION_BOOLEAN).integer = value ? 1 : 0;
    return *this;
  }
  fake_options& integer(const std::string& name, std::int64_t value) {
    add(name, GANTRY_OPTION_INTEGER).integer = value;
    return *this;
  }
  fake_options& real(const std::string& name, double value) {
    add(name, GANTRY_OPTION_REAL).real = value;
    return *this;
  }
  fake_options& string(const std::string& name, const std::string& value) {
    add(name, GANTRY_OPTION_STRING).string = arena_.copy(value);
    return *this;
  }
  fake_options& strings(const std::string& name, const std::vector<std::string>& values) {
    add(name, GANTRY_OPTION_STRINGS).strings = copy_strings(arena_, values);
    return *this;
  }
  fake_options& table(const std::string& name, const std::map<std::string, std::string>& values) {
    add(name, GANTRY_OPTION_TABLE).table = copy_pairs(arena_, values);
    return *this;
  }

  gantry_options raw() const {
    return {sizeof(gantry_options), sizeof(gantry_option), options_.data(), options_.size()};
  }

 private:
  // Adds an option. An earlier one of the name is replaced.
  gantry_option& add(const std::string& name, std::int32_t type) {
    for (std::size_t i = 0; i < options_.size(); ++i) {
      if (gantry::text(options_[i].name) == name) options_.erase(options_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    gantry_option option = {};
    option.name = arena_.copy(name);
    option.type = type;
    options_.push_back(option);
    return options_.back();
  }

  arena arena_;
  std::vector<gantry_option> options_;
};

}  // namespace gantry::testing
