// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/encoding/json_without.hpp"
#include "core/encoding/utf8.hpp"

namespace gantry::json {

namespace {

using boost::json::key_value_pair;

enum class Form { compact, canonical, pretty };

std::string_view view_of(boost::json::string_view text) {
  return {text.data(), text.size()};
}

// A byte that a JSON string holds as it is; the others are escaped, checked or replaced one by one.
constexpr bool is_plain(unsigned char byte) {
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

// Eight bytes at a time: a borrow out of a byte's top bit marks those below a bound, and exclusive-or turns "equals"
// into "is zero". A mark may spill into the byte above a marked one, which costs a closer look and nothing else.
bool are_plain(const char* eight_bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::uint64_t word = 0;
  std::memcpy(&word, eight_bytes, sizeof word);
  const std::uint64_t quotes = word ^ (ones * '"');
  const std::uint64_t backslashes = word ^ (ones * '\\');
  const std::uint64_t marks = word | (word - ones * 0x20) | (quotes - ones) | (backslashes - ones);
  return (marks & (ones * 0x80)) == 0;
}

std::size_t skip_plain(std::string_view text, std::size_t at) {
  while (at + 8 <= text.size() && are_plain(text.data() + at)) at += 8;
  // The rest together with what is known to be plain before it.
  const bool near_end = at < text.size() && at + 8 > text.size() && text.size() >= 8;
  if (near_end && are_plain(text.data() + text.size() - 8)) return text.size();
  while (at < text.size() && is_plain(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

void append_escape(std::string& out, unsigned char byte) {
  constexpr char hex[] = "0123456789abcdef";
  switch (byte) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: out.append("\\u00").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
  }
}

template <class Integer>
void append_integer(std::string& out, Integer number) {
  std::array<char, 24> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  out.append(text.data(), end);
}

void append_double(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  out.append(text.data(), end);
  if (std::none_of(text.data(), end, [](char c) { return c == '.' || c == 'e'; })) out += ".0";
}

using LeftOut = bool (*)(std::string_view key);

class Writer {
 public:
  Writer(std::string& out, Form form, LeftOut left_out = nullptr) : out_(out), form_(form), left_out_(left_out) {}

  void write(const value& tree) {
    switch (tree.kind()) {
      case boost::json::kind::null: out_ += "null"; return;
      case boost::json::kind::bool_: out_ += tree.get_bool() ? "true" : "false"; return;
      case boost::json::kind::int64: append_integer(out_, tree.get_int64()); return;
      case boost::json::kind::uint64: append_integer(out_, tree.get_uint64()); return;
      case boost::json::kind::double_: write_double(tree.get_double()); return;
      case boost::json::kind::string: append_string(out_, view_of(tree.get_string())); return;
      case boost::json::kind::array: write(tree.get_array()); return;
      case boost::json::kind::object: write(tree.get_object()); return;
    }
  }

  void write(const object& members) {
    out_ += '{';
    ++depth_;
    bool first = true;
    if (form_ == Form::canonical) {
      write_sorted(members, first);
    } else {
      for (const auto& member : members) write_member(member, first);
    }
    close('}', first);
  }

 private:
  void write_sorted(const object& members, bool& first) {
    constexpr std::size_t usual_most = 48;
    std::array<const key_value_pair*, usual_most> few;
    std::vector<const key_value_pair*> many(members.size() > usual_most ? members.size() : 0);
    const auto begin = many.empty() ? few.data() : many.data();
    auto end = begin;
    for (const auto& member : members) *end++ = &member;
    std::sort(begin, end, [](const auto* a, const auto* b) { return a->key() < b->key(); });
    std::for_each(begin, end, [&](const auto* member) { write_member(*member, first); });
  }

  void write(const array& elements) {
    out_ += '[';
    ++depth_;
    bool first = true;
    for (const auto& element : elements) {
      separate(first);
      write(element);
    }
    close(']', elements.empty());
  }

  void write_member(const key_value_pair& member, bool& first) {
    if (left_out_ != nullptr && left_out_(view_of(member.key()))) return;
    separate(first);
    append_string(out_, view_of(member.key()));
    out_ += form_ == Form::pretty ? ": " : ":";
    write(member.value());
  }

  void write_double(double number) {
    // 0.0 and -0.0 are equal, so their canonical texts are too.
    append_double(out_, form_ == Form::canonical && number == 0 ? 0.0 : number);
  }

  void separate(bool& first) {
    if (!first) out_ += ',';
    first = false;
    new_line();
  }

  void close(char bracket, bool empty) {
    --depth_;
    if (!empty) new_line();
    out_ += bracket;
  }

  void new_line() {
    if (form_ == Form::pretty) out_.append(1, '\n').append(2 * depth_, ' ');
  }

  std::string& out_;
  Form form_;
  LeftOut left_out_;
  std::size_t depth_ = 0;
};

constexpr std::size_t usual_size = 1024;

template <class Tree>
std::string written(const Tree& tree, Form form) {
  std::string out;
  out.reserve(usual_size);
  Writer(out, form).write(tree);
  return out;
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t copied = 0;
  for (std::size_t at = skip_plain(text, 0); at < text.size(); at = skip_plain(text, at)) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = byte < 0x80 ? 0 : utf8_front_length(text.substr(at));
    if (length > 0) {
      at += length;
      continue;
    }
    out.append(text.substr(copied, at - copied));
    if (byte < 0x80) {
      append_escape(out, byte);
    } else {
      out += "\xef\xbf\xbd";  // U+FFFD: what cannot be read must not make the whole text unreadable
    }
    copied = ++at;
  }
  out.append(text.substr(copied));
  out += '"';
}

void append(std::string& out, const value& tree) {
  Writer(out, Form::compact).write(tree);
}

std::string write(const value& tree) {
  return written(tree, Form::compact);
}
std::string write(const object& members) {
  return written(members, Form::compact);
}
std::string write_without(const object& members, bool (*left_out)(std::string_view key)) {
  std::string out;
  out.reserve(4 * usual_size);
  Writer(out, Form::compact, left_out).write(members);
  return out;
}
std::string write_canonical(const value& tree) {
  return written(tree, Form::canonical);
}
std::string write_canonical(const object& members) {
  return written(members, Form::canonical);
}
std::string write_pretty(const value& tree) {
  return written(tree, Form::pretty);
}

}  // namespace gantry::json
