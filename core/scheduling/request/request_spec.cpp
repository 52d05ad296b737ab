// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/request_spec.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "core/encoding/text_rules.hpp"
#include "core/encoding/uuid.hpp"
#include "core/scheduling/request/nova_object.hpp"
#include "core/scheduling/request/request_context.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::int64_t most_instances = 10'000;
constexpr std::int64_t most_of_anything = 1'000'000'000'000;  // vcpus, MiB, GB: sums of them stay exact

Error bad_member(std::string_view member, std::string_view expected, const json::value& found) {
  auto text = json::write(found);
  if (text.size() > 80) text = text.substr(0, 77) + "...";
  return {ErrorCode::invalid_argument,
          "request_spec." + std::string(member) + ": expected " + std::string(expected) + ", found " + text,
          {}};
}

std::string text_form(const json::value& value) {
  return value.is_string() ? std::string(std::string_view(value.get_string())) : json::write(value);
}

// Old flavors have numbers as text, and "" for no swap.
Result<void> read_amount(const json::object& object, std::string_view where, std::string_view key,
                         std::optional<std::int64_t>& into) {
  const auto* found = json::find(object, key);
  if (found == nullptr) return {};
  auto number = json::find_integer(object, key);
  if (found->is_string()) {
    const std::string_view text = found->get_string();
    if (text.empty()) return {};
    std::int64_t parsed = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (end.ec == std::errc() && end.ptr == text.data() + text.size()) number = parsed;
  }
  if (!number || *number < 0 || *number > most_of_anything)
    return bad_member(std::string(where).append(key), "a whole number from 0 to a million million", *found);
  into = *number;
  return {};
}

// Accepts a single name in place of a list, as the API always did.
Result<void> read_texts(const json::object& object, std::string_view key, std::vector<std::string>& into) {
  const auto* found = json::find(object, key);
  if (found == nullptr) return {};
  if (found->is_string()) {
    into.emplace_back(std::string_view(found->get_string()));
    return {};
  }
  if (!found->is_array()) return bad_member(key, "a list of texts", *found);
  for (const auto& item : found->get_array()) {
    if (!item.is_string()) return bad_member(key, "a list of texts", *found);
    into.emplace_back(std::string_view(item.get_string()));
  }
  return {};
}

std::string read_text(const json::object& object, std::string_view key) {
  return std::string(json::find_string(object, key).value_or(""));
}

void read_pairs(const json::object* object, std::vector<std::pair<std::string, std::string>>& into) {
  if (object == nullptr) return;
  into.reserve(object->size());
  for (const auto& member : *object) {
    if (!member.value().is_null()) into.emplace_back(member.key(), text_form(member.value()));
  }
}

Result<void> read_flavor(RequestSpec& spec) {
  const auto* found = json::find(spec.plain, "flavor");
  if (found == nullptr) return {};
  if (!found->is_object()) return bad_member("flavor", "an object", *found);
  const auto& flavor = found->get_object();
  spec.flavor = read_text(flavor, "name");
  for (const auto& [key, into] :
       {std::pair{"vcpus", &spec.vcpus}, std::pair{"memory_mb", &spec.memory_mb}, std::pair{"root_gb", &spec.root_gb},
        std::pair{"ephemeral_gb", &spec.ephemeral_gb}, std::pair{"swap", &spec.swap_mb}}) {
    if (auto read = read_amount(flavor, "flavor.", key, *into); !read) return read;
  }
  read_pairs(json::find_object(flavor, "extra_specs"), spec.extra_specs);
  return {};
}

Result<void> read_hints(RequestSpec& spec) {
  const auto* found = json::find(spec.plain, "scheduler_hints");
  if (found == nullptr) return {};
  if (!found->is_object()) return bad_member("scheduler_hints", "an object", *found);
  for (const auto& member : found->get_object()) {
    Hint hint{std::string(member.key()), {}};
    if (member.value().is_array()) {
      for (const auto& item : member.value().get_array()) hint.values.push_back(text_form(item));
    } else if (!member.value().is_null()) {
      hint.values.push_back(text_form(member.value()));
    }
    spec.hints.push_back(std::move(hint));
  }
  return {};
}

void read_retry(RequestSpec& spec) {
  const auto* retry = json::find_object(spec.plain, "retry");
  if (retry == nullptr) return;
  spec.retry_attempts =
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, json::find_integer(*retry, "num_attempts").value_or(0)));
  const auto* hosts = json::find_array(*retry, "hosts");
  if (hosts == nullptr) return;
  for (const auto& tried : *hosts) {
    if (tried.is_array() && !tried.get_array().empty()) {
      const auto& pair = tried.get_array();
      spec.retry_hosts.emplace_back(text_form(pair[0]),
                                    pair.size() > 1 && !pair[1].is_null() ? text_form(pair[1]) : "");
    } else if (tried.is_object()) {
      spec.retry_hosts.emplace_back(read_text(tried.get_object(), "host"),
                                    read_text(tried.get_object(), "hypervisor_hostname"));
    }
  }
}

void read_destination(RequestSpec& spec) {
  const auto* destination = json::find_object(spec.plain, "requested_destination");
  if (destination == nullptr) return;
  spec.requested_host = read_text(*destination, "host");
  spec.requested_node = read_text(*destination, "node");
  if (const auto* cell = json::find_object(*destination, "cell")) spec.cell_uuid = read_text(*cell, "uuid");
}

Result<void> read_group(RequestSpec& spec) {
  const auto* group = json::find_object(spec.plain, "instance_group");
  if (group == nullptr) return {};
  RequestedGroup requested;
  requested.uuid = read_text(*group, "uuid");
  requested.name = read_text(*group, "name");
  requested.policy = read_text(*group, "policy");
  if (const auto* policies = json::find_array(*group, "policies");
      requested.policy.empty() && policies != nullptr && !policies->empty()) {
    requested.policy = text_form(policies->front());
  }
  for (const auto* key : {"_rules", "rules"}) {
    if (const auto* rules = json::find_object(*group, key)) requested.rules = json::write(*rules);
  }
  if (auto read = read_texts(*group, "members", requested.members); !read) return read;
  if (auto read = read_texts(*group, "hosts", requested.hosts); !read) return read;
  spec.group = std::move(requested);
  return {};
}

Result<void> read_instances(RequestSpec& spec, std::vector<std::string> instance_uuids) {
  if (instance_uuids.empty()) {
    if (auto read = read_texts(spec.plain, "instance_uuids", instance_uuids); !read) return read;
  }
  std::set<std::string_view> seen;
  for (auto& uuid : instance_uuids) {
    const auto parsed = parse_uuid(uuid);
    if (!parsed) return bad_member("instance_uuids", "UUIDs", json::value(std::string_view(uuid)));
    uuid = to_text(*parsed);
    if (!seen.insert(uuid).second)
      return bad_member("instance_uuids", "each UUID once", json::value(std::string_view(uuid)));
  }
  std::optional<std::int64_t> count;
  if (auto read = read_amount(spec.plain, "", "num_instances", count); !read) return read;
  if (!instance_uuids.empty()) count = static_cast<std::int64_t>(instance_uuids.size());
  if (count.value_or(1) < 1 || count.value_or(1) > most_instances) {
    return bad_member("num_instances", "1 to " + std::to_string(most_instances), *count);
  }
  spec.num_instances = static_cast<std::uint32_t>(count.value_or(1));
  spec.instance_uuids = std::move(instance_uuids);
  return {};
}

// The names that an instance's record keeps.
Result<void> check_names(const RequestSpec& spec) {
  const auto* properties = json::find_object(spec.plain, "instance_properties");
  const auto* image = json::find_object(spec.plain, "image");
  const auto of = [](const json::object* object, std::string_view key) {
    return object == nullptr ? std::string_view() : json::find_string(*object, key).value_or("");
  };
  for (const auto& [member, name] :
       {std::pair<std::string_view, std::string_view>{"availability_zone", spec.availability_zone},
        {"project_id", spec.project_id},
        {"user_id", spec.user_id},
        {"flavor.name", spec.flavor},
        {"instance_properties.display_name", of(properties, "display_name")},
        {"image.name", of(image, "name")},
        {"image.id", of(image, "id")}}) {
    if (const auto fault = fault_of(TextKind::name, name); !fault.empty())
      return Error{ErrorCode::invalid_argument, "request_spec." + std::string(member) + ": " + fault, {}};
  }
  return {};
}

json::object filter_properties_of(const json::object& plain) {
  json::object properties;
  for (const auto* key : {"scheduler_hints", "force_hosts", "force_nodes", "ignore_hosts", "retry", "limits"}) {
    if (const auto* value = json::find(plain, key)) properties.emplace(key, *value);
  }
  return properties;
}

}  // namespace

double RequestSpec::disk_gb() const {
  const auto root = is_bfv.value_or(false) ? 0 : root_gb.value_or(0);
  return static_cast<double>(root) + static_cast<double>(ephemeral_gb.value_or(0)) +
         static_cast<double>(swap_mb.value_or(0)) / 1024.0;
}

const Hint* RequestSpec::hint(std::string_view key) const {
  const auto found = std::find_if(hints.begin(), hints.end(), [key](const Hint& hint) { return hint.key == key; });
  return found == hints.end() ? nullptr : &*found;
}

Result<RequestSpec> parse_request_spec(json::value request_spec, const json::object& filter_properties,
                                       std::vector<std::string> instance_uuids) {
  if (!request_spec.is_object()) return bad_member("", "an object", request_spec);
  // A request spec holds the database and broker URLs of its cell with their passwords. No driver or log may see them.
  erase_secrets(request_spec);
  auto original = json::write(request_spec);
  const bool is_object_form = is_nova_object(request_spec, "RequestSpec");
  open_envelopes(request_spec);
  RequestSpec spec(std::move(request_spec.get_object()));
  spec.original = std::move(original);
  if (is_object_form && filter_properties.empty()) {
    spec.filter_properties = filter_properties_of(spec.plain);
  } else {
    spec.filter_properties = without_secrets(filter_properties);
  }
  if (!is_object_form) {
    json::value properties = spec.filter_properties;
    open_envelopes(properties);
    adopt_dictionaries(spec.plain, properties.get_object());
  }
  if (auto read = read_instances(spec, std::move(instance_uuids)); !read) return std::move(read).error();
  if (auto read = read_flavor(spec); !read) return std::move(read).error();
  if (auto read = read_hints(spec); !read) return std::move(read).error();
  if (auto read = read_group(spec); !read) return std::move(read).error();
  for (const auto& [key, into] :
       {std::pair{"force_hosts", &spec.force_hosts}, std::pair{"force_nodes", &spec.force_nodes},
        std::pair{"ignore_hosts", &spec.ignore_hosts}}) {
    if (auto read = read_texts(spec.plain, key, *into); !read) return std::move(read).error();
  }
  read_retry(spec);
  read_destination(spec);
  spec.is_bfv = json::find_bool(spec.plain, "is_bfv");
  spec.availability_zone = read_text(spec.plain, "availability_zone");
  spec.project_id = read_text(spec.plain, "project_id");
  spec.user_id = read_text(spec.plain, "user_id");
  if (const auto* image = json::find_object(spec.plain, "image")) {
    read_pairs(json::find_object(*image, "properties"), spec.image_properties);
  }
  if (auto checked = check_names(spec); !checked) return std::move(checked).error();
  return spec;
}

}  // namespace gantry::scheduling
