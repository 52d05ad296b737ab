// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/log_line.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/encoding/json.hpp"
#include "core/encoding/utf8.hpp"
#include "core/telemetry/utc_text.hpp"

namespace gantry::telemetry {

namespace {

std::string_view upper_name(Level level) {
  switch (level) {
    case Level::debug: return "DEBUG";
    case Level::info: return "INFO";
    case Level::warning: return "WARNING";
    case Level::error: return "ERROR";
  }
  return "ERROR";
}

// As syslog numbers them.
std::string_view priority(Level level) {
  switch (level) {
    case Level::debug: return "<7>";
    case Level::info: return "<6>";
    case Level::warning: return "<4>";
    case Level::error: return "<3>";
  }
  return "<3>";
}

void append_byte_escape(std::string& out, unsigned char byte) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "\\x%02x", byte);
  out += text.data();
}

// U+0080 to U+009F steer terminals just as the bytes below 0x20 do; in UTF-8 they start with 0xc2.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

// How much of the text in front stands in a line as it is, without a closer look.
std::size_t plain_length(std::string_view text, bool quoted) {
  const auto* const end = std::find_if(text.begin(), text.end(), [quoted](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte >= 0x7f || (quoted && (c == '"' || c == '\\'));
  });
  return static_cast<std::size_t>(end - text.begin());
}

void append_escaped(std::string& out, std::string_view text, bool quoted) {
  for (;;) {
    const std::size_t plain = plain_length(text, quoted);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const std::size_t length = std::max<std::size_t>(1, utf8_front_length(text));
    const std::string_view character = text.substr(0, length);
    text.remove_prefix(length);
    if (character == "\n") {
      out += "\\n";
    } else if (character == "\t") {
      out += "\\t";
    } else if (quoted && (character == "\"" || character == "\\")) {
      out.append(1, '\\').append(character);
    } else if (is_control(character) || utf8_front_length(character) == 0) {
      for (const char byte : character) append_byte_escape(out, static_cast<unsigned char>(byte));
    } else {
      out += character;
    }
  }
}

bool needs_quotes(std::string_view value) {
  return value.empty() || std::any_of(value.begin(), value.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte <= 0x20 || byte == 0x7f || c == '"' || c == '\\' || c == '=';
         });
}

void append_value(std::string& out, std::string_view value) {
  const bool quoted = needs_quotes(value);
  if (quoted) out += '"';
  append_escaped(out, value, quoted);
  if (quoted) out += '"';
}

void append_text(std::string& out, Level level, std::string_view message, std::span<const Field> fields) {
  out.append(upper_name(level)).append(1, ' ');
  append_escaped(out, message, false);
  for (const auto& field : fields) {
    out += ' ';
    append_escaped(out, field.key, false);
    out += '=';
    append_value(out, field.value);
  }
}

// Keys of the line itself stay unique. A key ends at a space or "=".
std::string logfmt_key(std::string_view key) {
  std::string name(key);
  for (auto& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7f || c == '=' || c == '"') c = '_';
  }
  const bool taken = name == "time" || name == "level" || name == "msg";
  return name.append(taken ? "_" : "");
}

void append_logfmt(std::string& out, std::string_view time, Level level, std::string_view message,
                   std::span<const Field> fields) {
  if (!time.empty()) out.append("time=").append(time).append(1, ' ');
  out.append("level=").append(name_of(level)).append(" msg=");
  append_value(out, message);
  for (const auto& field : fields) {
    out.append(1, ' ').append(logfmt_key(field.key)).append(1, '=');
    append_value(out, field.value);
  }
}

void append_member(std::string& out, std::string_view key, std::string_view value) {
  if (out.back() != '{') out += ',';
  json::append_string(out, key);
  out += ':';
  json::append_string(out, value);
}

// Keys of the line itself stay unique: a field of the same name gets a "_" behind its own.
std::string member_name(std::string_view key) {
  const bool taken = key == "time" || key == "level" || key == "message";
  return std::string(key).append(taken ? "_" : "");
}

void append_json(std::string& out, std::string_view time, Level level, std::string_view message,
                 std::span<const Field> fields) {
  out += '{';
  if (!time.empty()) append_member(out, "time", time);
  append_member(out, "level", name_of(level));
  append_member(out, "message", message);
  for (const auto& field : fields) append_member(out, member_name(field.key), field.value);
  out += '}';
}

}  // namespace

std::string log_line(const LineForm& form, std::chrono::system_clock::time_point time, Level level,
                     std::string_view message, std::span<const Field> fields) {
  std::string line;
  constexpr std::size_t usual_length = 512;
  line.reserve(usual_length + message.size());
  if (form.journal) line += priority(level);
  const UtcText now = utc_text(time);
  const std::string_view clock = form.journal ? std::string_view{} : std::string_view(now.data(), now.size());
  if (form.format == LogFormat::json) {
    append_json(line, clock, level, message, fields);
    return line;
  }
  if (form.format == LogFormat::logfmt) {
    append_logfmt(line, clock, level, message, fields);
    return line;
  }
  if (!clock.empty()) line.append(clock).append(1, ' ');
  append_text(line, level, message, fields);
  return line;
}

}  // namespace gantry::telemetry
