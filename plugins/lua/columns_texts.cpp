// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of texts and aggregates. Each distinct text, and each distinct set of aggregates, is judged once.
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "facts.hpp"
#include "sandbox.hpp"

namespace lua_driver {

namespace {

// Pushes the marks of the rows with a value whose code judge(code) accepts. `judge` is called once for each code in use.
template <class Judge>
int mark_codes(lua_State* lua, const column& self, Judge judge) {
  enum : char { unknown, rejected, accepted };
  std::uint64_t* const out = push_marks(lua, self.rows);
  if (self.kind == column_kind::missing) return 1;
  std::vector<char> verdicts(self.raw->dictionary_count, unknown);
  const auto* const codes = static_cast<const std::uint32_t*>(self.values);
  for (std::uint32_t row = 0; row < self.rows; ++row) {
    if (self.validity != nullptr && ((self.validity[row / 64] >> (row % 64)) & 1) == 0) continue;
    char& verdict = verdicts[codes[row]];
    if (verdict == unknown) verdict = judge(codes[row]) ? accepted : rejected;
    if (verdict == accepted) out[row / 64] |= std::uint64_t{1} << (row % 64);
  }
  return 1;
}

// The same for a test of the dictionary's texts alone, which needs no branch a row where each row has a value.
template <class Judge>
int mark_texts(lua_State* lua, const column& self, Judge judge) {
  if (self.kind == column_kind::missing || self.validity != nullptr || self.raw->dictionary_count > self.rows / 4)
    return mark_codes(lua, self, judge);
  std::uint64_t* const out = push_marks(lua, self.rows);
  std::vector<std::uint64_t> verdicts(self.raw->dictionary_count);
  for (std::uint32_t code = 0; code < verdicts.size(); ++code) verdicts[code] = judge(code) ? 1 : 0;
  const auto* const codes = static_cast<const std::uint32_t*>(self.values);
  for (std::uint32_t row = 0; row < self.rows; ++row) out[row / 64] |= verdicts[codes[row]] << (row % 64);
  return 1;
}

std::string_view text_of(const column& self, std::uint32_t code) {
  return gantry::text(static_cast<const gantry_string*>(self.raw->dictionary)[code]);
}

const column& check_texts(lua_State* lua) {
  const column& self = check_column(lua, 1);
  if (self.kind != column_kind::texts && self.kind != column_kind::missing)
    luaL_error(lua, "expected a column of texts, found %s", words_for(self.kind));
  return self;
}

std::string_view check_text(lua_State* lua, int index) {
  std::size_t size = 0;
  if (lua_type(lua, index) != LUA_TSTRING) luaL_error(lua, "expected a text, found %s", luaL_typename(lua, index));
  const char* const text = lua_tolstring(lua, index, &size);
  return {text, size};
}

}  // namespace

// column:equals(x): a text for texts, a number or a column for numbers.
int equals(lua_State* lua) {
  const column& found = check_column(lua, 1);
  if (found.kind != column_kind::texts && lua_type(lua, 2) != LUA_TSTRING) return compare_equal(lua);
  const column& self = check_texts(lua);
  const std::string_view wanted = check_text(lua, 2);
  return mark_texts(lua, self, [&](std::uint32_t code) { return text_of(self, code) == wanted; });
}

// texts:one_of{"a", "b"}
int one_of(lua_State* lua) {
  const column& self = check_texts(lua);
  luaL_checktype(lua, 2, LUA_TTABLE);
  std::vector<std::string_view> wanted;
  for (lua_Integer at = 1; lua_rawgeti(lua, 2, at) != LUA_TNIL; ++at) {
    wanted.push_back(check_text(lua, -1));  // the list keeps the text alive
    lua_pop(lua, 1);
  }
  return mark_texts(lua, self, [&](std::uint32_t code) {
    for (const std::string_view each : wanted) {
      if (text_of(self, code) == each) return true;
    }
    return false;
  });
}

// texts:where(function(text) ... end), aggregates:where(function(list) ... end)
int where(lua_State* lua) {
  const column& self = check_column(lua, 1);
  luaL_checktype(lua, 2, LUA_TFUNCTION);
  if (self.kind != column_kind::texts && self.kind != column_kind::sets && self.kind != column_kind::missing)
    return luaL_error(lua, "expected a column of texts or aggregates, found %s", words_for(self.kind));
  return mark_codes(lua, self, [&](std::uint32_t code) {
    lua_pushvalue(lua, 2);
    if (self.kind == column_kind::texts) {
      const std::string_view text = text_of(self, code);
      lua_pushlstring(lua, text.data(), text.size());
    } else {
      sandbox::of(lua).shown().push_aggregates(lua, *self.raw, code);
    }
    lua_call(lua, 1, 1);
    if (lua_type(lua, -1) != LUA_TBOOLEAN)
      luaL_error(lua, "the function of where returned %s, expected true or false", luaL_typename(lua, -1));
    const bool accepted = lua_toboolean(lua, -1) != 0;
    lua_pop(lua, 1);
    return accepted;
  });
}

}  // namespace lua_driver
