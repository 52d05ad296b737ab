// SPDX-License-Identifier: Apache-2.0
//
// The table of everything that can be set outside of [driver.<id>]: it drives reading, the messages, the sample file
// and the man page, so that they cannot differ.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/config/settings.hpp"
#include "core/config/tree.hpp"
#include "core/result.hpp"

namespace gantry::config {

// Where a key's value lies in the settings; its type is the key's type. Durations are written in seconds.
template <class T>
using Place = T& (*)(Settings&);
using Field = std::variant<Place<bool>, Place<std::uint32_t>, Place<std::uint64_t>, Place<double>,
                           Place<std::chrono::milliseconds>, Place<std::string>, Place<std::vector<std::string>>>;

// What a value has to look like beyond its type.
enum class Form {
  plain,
  file_mode,              // a number, written as octal text: "0660"
  absolute_path,          // a text
  absolute_path_or_none,  // a text, or empty
  absolute_paths,         // a list of text
  driver_names,           // one text or a list of text, none twice
  listen_addresses,       // a list of text: "127.0.0.1:8774"
};

struct Key {
  std::string_view section;  // empty: in front of the first section
  std::string_view name;
  Field field;
  Form form = Form::plain;
  double minimum = 0;  // of numbers; of durations in seconds
  double maximum = std::numeric_limits<double>::max();
  std::span<const std::string_view> choices{};  // empty: any
  std::string_view help;                        // whole sentences
  std::string_view written_default{};           // what people read as the default; empty: the default's own text
};

std::span<const Key> keys();
// In the order of the table, the empty one first.
std::vector<std::string_view> sections();
// nullptr: there is none.
const Key* find_key(std::string_view section, std::string_view name);
// "server.socket"; "scheduler_driver".
std::string full_name(const Key& key);

// Settings before any source was read: settings.hpp's own values and the driver directories of this installation.
Settings default_settings();

// Puts the value into its place, or says "expected ..., found ...".
Result<void> store(const Key& key, const Node& node, Settings& settings);
// The value that the settings hold, as TOML.
std::string value_text(const Key& key, const Settings& settings);
// "a whole number from 0 to 1024": what store accepts.
std::string expectation(const Key& key);
// What value_text gives for the default, or what people read in its place.
std::string default_text(const Key& key);

// A driver's id as manifests and files have it: letters, digits, _ and -.
bool is_driver_id(std::string_view text);

// The keys that the core itself knows in each [driver.<id>].
struct DriverKey {
  std::string_view name;
  std::string_view expected;
  std::string_view written_default;
  std::string_view help;
};
std::span<const DriverKey> driver_keys();

}  // namespace gantry::config
