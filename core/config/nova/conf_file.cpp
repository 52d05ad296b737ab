// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/conf_file.hpp"

#include <algorithm>
#include <utility>

#include "core/config/nova/blanks.hpp"
#include "core/config/sources/tree.hpp"
#include "core/encoding/utf8.hpp"

namespace gantry::config::nova {

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string_view unquoted(std::string_view value) {
  const bool is_quoted = !value.empty() && value.front() == value.back() && (value[0] == '"' || value[0] == '\'');
  if (!is_quoted) return value;
  return value.size() < 2 ? std::string_view() : value.substr(1, value.size() - 2);
}

// oslo.config takes section names as they stand, except for their capitals.
std::string section_name(std::string_view text) {
  std::string name(text);
  if (name == "DEFAULT") return name;
  std::ranges::transform(name, name.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return name;
}

Error wrong_file(const std::string& name, const std::string& found) {
  return {ErrorCode::invalid_argument, name + ":1: expected text in UTF-8, found " + found, ""};
}

class Reader {
 public:
  explicit Reader(std::string name) { file_.name = std::move(name); }

  Result<void> take(std::string_view raw) {
    ++line_;
    if (!is_utf8(raw)) return wrong("text in UTF-8", "other bytes");
    const std::string_view line = right_stripped(raw);
    if (line.empty()) {
      continues_ = false;
      return {};
    }
    if (line.front() == ' ' || line.front() == '\t') return take_continuation(line);
    continues_ = false;
    if (line.front() == '#' || line.front() == ';') return {};
    return line.front() == '[' ? take_section(line) : take_assignment(line);
  }

  ConfFile finish() && { return std::move(file_); }

 private:
  Error wrong(const std::string& expected, std::string_view found) const {
    return {ErrorCode::invalid_argument,
            file_.name + ":" + std::to_string(line_) + ": expected " + expected + ", found " + std::string(found), ""};
  }
  static std::string shown(std::string_view line) { return describe({std::string(line)}); }
  // A line that was meant as a value may be a password: the first word alone, if an option could be called so.
  static std::string shown_name(std::string_view line) {
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    const bool is_name =
        word.size() <= 64 && std::ranges::all_of(word, [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        });
    if (!is_name) return "other text";
    return shown(word) + (word.size() < line.size() ? " and more" : "");
  }

  Result<void> take_continuation(std::string_view line) {
    if (!continues_)
      return wrong("a line that begins with a key, [ or #",
                   "a line that begins with a blank, after no key to go on with");
    file_.assignments.back().value.append("\n").append(left_stripped(line));
    return {};
  }

  Result<void> take_section(std::string_view line) {
    if (line.back() != ']' || line.size() <= 2) return wrong("a section such as [scheduler]", shown(line));
    section_ = section_name(line.substr(1, line.size() - 2));
    return {};
  }

  Result<void> take_assignment(std::string_view line) {
    const std::size_t sign = line.find_first_of(":=");
    if (sign == std::string_view::npos) return wrong("key = value", shown_name(line));
    const std::string_view key = stripped(line.substr(0, sign));
    if (key.empty()) return wrong("a key in front of " + std::string(1, line[sign]), "none");
    if (section_.empty()) return wrong("a section such as [DEFAULT] in front of the first key", shown_name(key));
    const std::string_view value = unquoted(left_stripped(line.substr(sign + 1)));
    file_.assignments.push_back({section_, std::string(key), std::string(value), line_});
    continues_ = true;
    return {};
  }

  ConfFile file_;
  std::string section_;
  unsigned line_ = 0;
  bool continues_ = false;  // the next line may go on with the last value
};

}  // namespace

Result<ConfFile> parse_conf_file(std::string_view text, std::string name) {
  if (text.starts_with(byte_order_mark))
    return wrong_file(name, "a byte order mark (BOM), which Nova refuses; save the file as UTF-8 without BOM");
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return wrong_file(name, "the byte order mark (BOM) of UTF-16; save the file as UTF-8 without BOM");
  Reader reader(std::move(name));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    if (auto taken = reader.take(text.substr(0, end)); !taken) return std::move(taken).error();
    const std::size_t size_of_end = text.substr(end).starts_with("\r\n") ? 2 : 1;
    text.remove_prefix(std::min(end + size_of_end, text.size()));
  }
  return std::move(reader).finish();
}

}  // namespace gantry::config::nova
