// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/manifest/manifest_rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/drivers/file/refusal.hpp"
#include "core/drivers/manifest/offer_kinds.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {
namespace {

constexpr std::size_t longest_name = 64;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name(std::string_view text, std::string_view also) {
  return !text.empty() && text.size() <= longest_name && std::all_of(text.begin(), text.end(), [also](char c) {
    return is_letter(c) || is_digit(c) || also.find(c) != std::string_view::npos;
  });
}

struct ColumnType {
  std::string_view name;
  std::int32_t type;
};
constexpr std::array<ColumnType, 4> column_types = {
    {{"bool", GANTRY_TYPE_BOOL}, {"i64", GANTRY_TYPE_I64}, {"f64", GANTRY_TYPE_F64}, {"string", GANTRY_TYPE_STRING}}};

std::string abi_text(std::uint32_t major, std::uint32_t minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace

bool is_id(std::string_view text) {
  return is_name(text, "_-");
}
bool is_topic(std::string_view text) {
  return is_name(text, "_-.") && text.front() != '.';
}
bool is_method(std::string_view text) {
  return is_name(text, "_") && !is_digit(text.front());
}

bool is_control_character(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_operation(std::string_view method) {
  constexpr std::array<std::string_view, 5> operations = {"select_destinations", "schedule_run_instance", "hosts_up",
                                                          "group_hosts", "update_service_capabilities"};
  return std::find(operations.begin(), operations.end(), method) != operations.end();
}

bool is_core_key(std::string_view option) {
  constexpr std::array<std::string_view, 11> keys = {"path",      "file",         "required", "sha256",
                                                     "isolation", "libraries",    "options",  "deadline_ms",
                                                     "fallback",  "memory_limit", "cpu_limit"};
  return std::find(keys.begin(), keys.end(), option) != keys.end();
}

bool is_hosts_name(std::string_view option_or_method) {
  return option_or_method.starts_with("gantry_");
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_abi(std::string_view text) {
  std::pair<std::uint32_t, std::uint32_t> abi;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, abi.first);
  if (major.ec != std::errc{} || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, abi.second);
  if (minor.ec != std::errc{} || minor.ptr != end) return std::nullopt;
  return abi;
}

std::optional<ColumnRefusal> parse_column(std::string_view text, ColumnUse& out) {
  constexpr std::string_view stats = "stats.";
  constexpr std::string_view claims = "claims.";
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  out = ColumnUse{std::string(name), 0};
  if (name.starts_with(stats)) {
    const std::string_view type = colon == std::string_view::npos ? "" : text.substr(colon + 1);
    const auto* found = std::find_if(column_types.begin(), column_types.end(),
                                     [type](const ColumnType& known) { return known.name == type; });
    if (found == column_types.end() || !is_name(name.substr(stats.size()), "_-.")) {
      return ColumnRefusal{"stats.NAME:TYPE with one of bool, i64, f64, string for TYPE"};
    }
    out.type = found->type;
    return std::nullopt;
  }
  if (colon != std::string_view::npos) return ColumnRefusal{"no type behind a column of the core's own"};
  const bool is_claims = name.starts_with(claims);
  const std::string_view rest = is_claims ? name.substr(claims.size()) : name;
  if (!is_name(rest, is_claims ? "_-." : "_")) return ColumnRefusal{"a core column, claims.NAME or stats.NAME:TYPE"};
  return std::nullopt;
}

std::string_view name_of_column_type(std::int32_t type) {
  const auto* found = std::find_if(column_types.begin(), column_types.end(),
                                   [type](const ColumnType& known) { return known.type == type; });
  return found == column_types.end() ? "another type" : found->name;
}

Result<void> check_abi(const Manifest& manifest, std::uint32_t host_major, std::uint32_t host_minor) {
  const std::string host = abi_text(host_major, host_minor);
  const std::string built = abi_text(manifest.abi_major, manifest.abi_minor);
  const std::string what = manifest.is_library ? "library" : "driver";
  const std::string subject = manifest.id.empty() ? what : what + " '" + manifest.id + "'";
  if (manifest.abi_major != host_major) {
    return refuse(subject, {"ABI major", host + ", this host's", built,
                            manifest.abi_major > host_major ? "update gantry, or build it with this host's SDK"
                                                            : "build it again with this host's SDK"});
  }
  // Before 1.0 every minor may differ in everything.
  if (host_major == 0 && manifest.abi_minor != host_minor) {
    return refuse(subject, {"ABI minor", host + " exactly, for major 0 promises nothing between minors", built,
                            "build it with this host's SDK"});
  }
  if (host_major != 0 && manifest.needs_minor > host_minor) {
    return refuse(subject, {"ABI needs_minor", "at most " + std::to_string(host_minor) + ", this host's minor",
                            std::to_string(manifest.needs_minor), "update gantry"});
  }
  return {};
}

std::string_view name_of(DecidesFrom from) {
  return from == DecidesFrom::input ? "input" : "history";
}

std::vector<std::string> left_out_warnings(const Manifest& manifest) {
  std::vector<std::string> warnings;
  const auto warn = [&warnings](const std::string& subject, std::string_view key, const std::string& kind) {
    const std::string expected = "one of " + offer_kinds_text() + ", which this host knows";
    warnings.push_back(refuse(subject, {std::string(key), expected, "'" + kind + "'", "update gantry"}).message);
  };
  for (const LeftOutOffer& offer : manifest.left_out_offers)
    warn("library '" + manifest.id + "': offer '" + offer.name + "' is left out", "kind", offer.kind);
  for (const OptionDeclaration& option : manifest.options) {
    if (!option.offers.empty() && !is_offer_kind(option.offers))
      warn("driver '" + manifest.id + "': option '" + option.name + "' takes no offers", "offers", option.offers);
  }
  return warnings;
}

std::optional<std::string> why_unrepeatable(const Manifest& manifest) {
  if (manifest.decides_from == DecidesFrom::input) return std::nullopt;
  return "the decisions of driver '" + manifest.id +
         "' cannot be repeated, for they depend on what it has seen before (decides_from = 'history')";
}

}  // namespace gantry::drivers
