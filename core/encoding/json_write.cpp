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

// Gathers pieces on the stack: to append each of them to a std::string takes longer than to write it.
class Gathered {
 public:
  explicit Gathered(std::string& out) : out_(out) {}
  ~Gathered() { flush(); }
  Gathered(const Gathered&) = delete;
  Gathered& operator=(const Gathered&) = delete;

  void put(char byte) {
    if (used_ == bytes_.size()) flush();
    bytes_[used_++] = byte;
  }
  void put(std::string_view text) {
    if (text.size() > room()) flush();
    if (text.size() > room()) {
      out_.append(text);
      return;
    }
    std::copy(text.begin(), text.end(), bytes_.data() + used_);
    used_ += text.size();
  }
  // As a JSON string.
  void put_string(std::string_view text) {
    if (text.size() + 2 > room()) flush();
    if (text.size() + 2 > room() || !put_plain(text)) {
      flush();
      append_string(out_, text);
    }
  }
  template <class Integer>
  void put_integer(Integer number) {
    std::array<char, 24> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    put(std::string_view(text.data(), end));
  }
  void put_double(double number) {
    if (!std::isfinite(number)) return put("null");
    std::array<char, 32> text;
    // Amounts are read by people, too: 100000.0, not 1e+05. Python writes the same.
    const bool is_usual = number == 0 || (std::abs(number) >= 1e-4 && std::abs(number) < 1e16);
    const auto form = is_usual ? std::chars_format::fixed : std::chars_format::scientific;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number, form).ptr;
    put(std::string_view(text.data(), end));
    if (std::none_of(text.data(), end, [](char c) { return c == '.' || c == 'e'; })) put(".0");
  }

 private:
  std::size_t room() const { return bytes_.size() - used_; }
  // Where there is room. False: the text is not plain, and nothing was put.
  bool put_plain(std::string_view text) {
    constexpr std::size_t step = 8;
    char* const begin = bytes_.data() + used_;
    char* to = begin;
    *to++ = '"';
    const char* from = text.data();
    const char* const end = from + text.size();
    for (; from + step <= end; from += step, to += step) {
      if (!are_plain(from)) return false;
      std::copy_n(from, step, to);
    }
    const auto rest = static_cast<std::size_t>(end - from);
    if (text.size() >= step) {  // the rest together with what is known to be plain before it
      if (!are_plain(end - step)) return false;
      std::copy_n(end - step, step, to + rest - step);
      from = end;
      to += rest;
    }
    for (; from < end; ++from, ++to) {
      if (!is_plain(static_cast<unsigned char>(*from))) return false;
      *to = *from;
    }
    *to++ = '"';
    used_ += static_cast<std::size_t>(to - begin);
    return true;
  }
  void flush() {
    out_.append(bytes_.data(), used_);
    used_ = 0;
  }

  std::string& out_;
  std::size_t used_ = 0;
  std::array<char, 4096> bytes_;
};

// A member with the front of its key, as a number of the same order: few keys need a closer look.
struct Sortable {
  std::uint64_t front;
  const key_value_pair* member;

  static Sortable of(const key_value_pair& member) {
    const std::string_view key = view_of(member.key());
    std::uint64_t front = 0;
    for (std::size_t i = 0; i < sizeof front; ++i)
      front = front << 8 | (i < key.size() ? static_cast<unsigned char>(key[i]) : 0U);
    return {front, &member};
  }
  friend bool operator<(const Sortable& a, const Sortable& b) {
    return a.front != b.front ? a.front < b.front : a.member->key() < b.member->key();
  }
};

using LeftOut = bool (*)(std::string_view key);

class Writer {
 public:
  Writer(std::string& out, Form form, LeftOut left_out = nullptr) : out_(out), form_(form), left_out_(left_out) {}

  void write(const value& tree) {
    switch (tree.kind()) {
      case boost::json::kind::null: out_.put("null"); return;
      case boost::json::kind::bool_: out_.put(tree.get_bool() ? std::string_view("true") : "false"); return;
      case boost::json::kind::int64: out_.put_integer(tree.get_int64()); return;
      case boost::json::kind::uint64: out_.put_integer(tree.get_uint64()); return;
      case boost::json::kind::double_: write_double(tree.get_double()); return;
      case boost::json::kind::string: out_.put_string(view_of(tree.get_string())); return;
      case boost::json::kind::array: write(tree.get_array()); return;
      case boost::json::kind::object: write(tree.get_object()); return;
    }
  }

  void write(const object& members) {
    out_.put('{');
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
    std::array<Sortable, usual_most> few;
    std::vector<Sortable> many(members.size() > usual_most ? members.size() : 0);
    const auto begin = many.empty() ? few.data() : many.data();
    auto end = begin;
    for (const auto& member : members) *end++ = Sortable::of(member);
    std::sort(begin, end);
    std::for_each(begin, end, [&](const Sortable& each) { write_member(*each.member, first); });
  }

  void write(const array& elements) {
    out_.put('[');
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
    out_.put_string(view_of(member.key()));
    out_.put(':');
    if (form_ == Form::pretty) out_.put(' ');
    write(member.value());
  }

  void write_double(double number) {
    // 0.0 and -0.0 are equal, so their canonical texts are too.
    out_.put_double(form_ == Form::canonical && number == 0 ? 0.0 : number);
  }

  void separate(bool& first) {
    if (!first) out_.put(',');
    first = false;
    new_line();
  }

  void close(char bracket, bool empty) {
    --depth_;
    if (!empty) new_line();
    out_.put(bracket);
  }

  void new_line() {
    if (form_ == Form::pretty) out_.put('\n' + std::string(2 * depth_, ' '));
  }

  Gathered out_;
  Form form_;
  LeftOut left_out_;
  std::size_t depth_ = 0;
};

template <class Tree>
std::string written(const Tree& tree, Form form) {
  std::string out;
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
