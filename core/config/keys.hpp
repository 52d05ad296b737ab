// SPDX-License-Identifier: Apache-2.0
//
// The table of all keys outside [driver.<id>]. The reader, the messages, the sample file and the man page use the same
// table, so they agree.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/config/settings.hpp"
#include "core/config/sources/tree.hpp"
#include "core/result.hpp"

namespace gantry::config {

// A function that returns the member of the settings that holds a key's value. The member's type is the key's type.
// Durations are written in seconds.
template <class T>
using Place = T& (*)(Settings&);
using Field = std::variant<Place<bool>, Place<std::uint16_t>, Place<std::uint32_t>, Place<std::uint64_t>, Place<double>,
                           Place<std::chrono::milliseconds>, Place<std::string>, Place<std::vector<std::string>>>;

// The form of a value beyond its type.
enum class Form {
  plain,
  file_mode,              // a number, written as octal text: "0660"
  absolute_path,          // a text
  absolute_path_or_none,  // a text, or empty
  absolute_paths,         // a list of text
  driver_names,           // one text or a list of text, without repeats
  listen_addresses,       // a list of text: "127.0.0.1:8774"
  socket_roles,           // a list of text: "user:nagios=reader"
  secret,                 // a text, shown as ****
};

struct Key {
  std::string_view section;  // empty: the key stands before the first section
  std::string_view name;
  Field field;
  Form form = Form::plain;
  double minimum = 0;  // the least allowed number; for a duration in seconds
  double maximum = std::numeric_limits<double>::max();
  std::span<const std::string_view> choices{};  // the allowed texts; empty: any text
  std::string_view help;                        // whole sentences
  std::string_view written_default{};           // the default in words; empty: the value of the default is shown
};

// Returns the table.
std::span<const Key> keys();
// Returns the names of the sections in the order of the table. The first name is empty: the keys before any section.
std::vector<std::string_view> sections();
// Returns the key of that section and name. nullptr if there is none.
const Key* find_key(std::string_view section, std::string_view name);
// Returns "server.socket" or "scheduler_driver".
std::string full_name(const Key& key);

// Returns the settings before any source is read: the values in settings.hpp and this installation's driver
// directories.
Settings default_settings();

// Checks a value that was read and stores it in the settings. The error says "expected ..., found ...".
Result<void> store(const Key& key, const Node& node, Settings& settings);
// Returns the value that the key has in the settings, as TOML. A secret is shown as ****.
std::string value_text(const Key& key, const Settings& settings);
// Returns in words which values store accepts: "a whole number from 0 to 1024".
std::string expectation(const Key& key);
// Returns the key's default: in words if the table has it in words, otherwise as TOML.
std::string default_text(const Key& key);

// Returns what store says about a value, for a key by its full name: "expected ..., found ...". Empty: the key takes it.
std::string fault_of_key(std::string_view full_name, const Node& node);

// True if the text is a valid driver id: letters, digits, _ and -.
bool is_driver_id(std::string_view text);

// A key that every [driver.<id>] may have and that the core itself reads. The texts are for help and messages.
struct DriverKey {
  std::string_view name;
  std::string_view expected;
  std::string_view written_default;
  std::string_view help;
};
std::span<const DriverKey> driver_keys();

}  // namespace gantry::config
