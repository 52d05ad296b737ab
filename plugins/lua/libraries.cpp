// SPDX-License-Identifier: Apache-2.0
#include "libraries.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox.hpp"

namespace lua_driver {

namespace {

constexpr const char* base_functions[] = {"assert", "error", "ipairs", "select", "tonumber", "tostring", "type"};
constexpr const char* math_functions[] = {
    "abs", "ceil",       "cos",  "deg", "exp", "floor", "fmod", "huge", "log",       "maxinteger", "max",
    "min", "mininteger", "modf", "pi",  "rad", "sin",   "sqrt", "tan",  "tointeger", "type",       "ult"};
constexpr const char* string_functions[] = {"byte", "char",  "find",  "format",  "gmatch", "gsub",
                                            "len",  "lower", "match", "reverse", "sub",    "upper"};
constexpr const char* table_functions[] = {"concat", "insert", "pack", "remove", "sort", "unpack"};
constexpr const char* utf8_functions[] = {"char", "charpattern", "codepoint", "codes", "len", "offset"};

// math.random(), math.random(most), math.random(least, most), from the seed of the call.
int random_number(lua_State* lua) {
  sandbox& self = sandbox::of(lua);
  const int arguments = lua_gettop(lua);
  if (arguments == 0) {
    lua_pushnumber(lua, static_cast<double>(self.random() >> 11) * 0x1p-53);
    return 1;
  }
  const lua_Integer least = arguments == 1 ? 1 : luaL_checkinteger(lua, 1);
  const lua_Integer most = luaL_checkinteger(lua, arguments == 1 ? 1 : 2);
  luaL_argcheck(lua, least <= most, arguments == 1 ? 1 : 2, "the range is empty");
  const std::uint64_t values = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1;
  __extension__ using wide = unsigned __int128;
  const std::uint64_t drawn =
      // cppcheck-suppress shiftTooManyBits ; the shifted number has 128 bits
      values == 0 ? self.random() : static_cast<std::uint64_t>((wide{self.random()} * values) >> 64);
  const std::uint64_t chosen = static_cast<std::uint64_t>(least) + drawn;
  lua_pushinteger(lua, static_cast<lua_Integer>(chosen));
  return 1;
}

// string.rep without a separator: Lua's own turns as often as it is told, also over the empty text.
int repeat_text(lua_State* lua) {
  std::size_t size = 0;
  const char* const text = luaL_checklstring(lua, 1, &size);
  const lua_Integer times = luaL_checkinteger(lua, 2);
  constexpr lua_Integer most = 1 << 24;
  if (size == 0 || times <= 0) {
    lua_pushliteral(lua, "");
    return 1;
  }
  luaL_argcheck(lua, times <= most / static_cast<lua_Integer>(size), 2, "the text would have more than 16 MiB");
  luaL_Buffer buffer;
  luaL_buffinit(lua, &buffer);
  for (lua_Integer count = 0; count < times; ++count) luaL_addlstring(&buffer, text, size);
  luaL_pushresult(&buffer);
  return 1;
}

// A key of a table, in the order of pairs(): numbers first, then texts, then all others.
struct key {
  int rank = 2;
  lua_Number number = 0;
  std::string_view text;
  lua_Integer place = 0;  // in the list of keys
};

bool goes_before(const key& left, const key& right) {
  if (left.rank != right.rank) return left.rank < right.rank;
  if (left.rank == 0) return left.number < right.number;
  return left.text < right.text;
}

// The step of pairs(). Upvalues: the table, the list of its keys in order, the number of those that are done.
int next_pair(lua_State* lua) {
  for (;;) {
    const lua_Integer at = lua_tointeger(lua, lua_upvalueindex(3)) + 1;
    lua_pushinteger(lua, at);
    lua_replace(lua, lua_upvalueindex(3));
    if (lua_rawgeti(lua, lua_upvalueindex(2), at) == LUA_TNIL) return 1;
    lua_pushvalue(lua, -1);
    if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) return 2;
    lua_pop(lua, 2);  // taken out since pairs() began
  }
}

int ordered_pairs(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  std::vector<key> keys;
  lua_newtable(lua);  // 2: the keys as they come, which keeps the texts alive
  lua_pushnil(lua);
  while (lua_next(lua, 1) != 0) {
    lua_pop(lua, 1);
    key found;
    found.place = static_cast<lua_Integer>(keys.size()) + 1;
    if (lua_type(lua, -1) == LUA_TNUMBER) {
      found.rank = 0;
      found.number = lua_tonumber(lua, -1);
    } else if (lua_type(lua, -1) == LUA_TSTRING) {
      found.rank = 1;
      std::size_t size = 0;
      const char* const text = lua_tolstring(lua, -1, &size);
      found.text = {text, size};
    }
    keys.push_back(found);
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, 2, found.place);
  }
  std::stable_sort(keys.begin(), keys.end(), goes_before);
  lua_createtable(lua, static_cast<int>(keys.size()), 0);  // 3: the keys in order
  for (std::size_t at = 0; at < keys.size(); ++at) {
    lua_rawgeti(lua, 2, keys[at].place);
    lua_rawseti(lua, 3, static_cast<lua_Integer>(at) + 1);
  }
  lua_pushvalue(lua, 1);
  lua_pushvalue(lua, 3);
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, sandbox::guarded<next_pair>, 3);
  return 1;
}

// print(...): a line of the daemon's log.
int log_line(lua_State* lua) {
  sandbox& self = sandbox::of(lua);
  std::string line = self.name() + ":";
  for (int at = 1; at <= lua_gettop(lua); ++at) {
    std::size_t size = 0;
    const char* const text = luaL_tolstring(lua, at, &size);
    line.append(" ").append(text, size);
    lua_pop(lua, 1);
  }
  self.call().log(gantry::level::info, line);
  return 0;
}

// gantry.now(): nanoseconds since 1970, as the columns have their times.
int now(lua_State* lua) {
  lua_pushinteger(lua, sandbox::of(lua).call().now());
  return 1;
}

// gantry.locate(uuid): where an instance is; nil if it is on no host.
int locate(lua_State* lua) {
  std::size_t size = 0;
  const char* const uuid = luaL_checklstring(lua, 1, &size);
  luaL_argcheck(lua, sandbox::of(lua).globals_are_fixed(), 1, "no instance is known while the file is loaded");
  const auto found = sandbox::of(lua).call().locate({uuid, size});
  if (!found) return 0;
  lua_newtable(lua);
  const auto set = [lua](const char* name, gantry_string value) {
    if (value.size == 0) return;
    lua_pushlstring(lua, value.data, value.size);
    lua_setfield(lua, -2, name);
  };
  set("host", found->host);
  set("node", found->node);
  set("availability_zone", found->availability_zone);
  set("flavor", found->flavor);
  set("project_id", found->project_id);
  set("vm_state", found->vm_state);
  return 1;
}

template <std::size_t Count>
void copy(lua_State* lua, const char* const (&names)[Count], int from, int to) {
  for (const char* name : names) {
    lua_getfield(lua, from, name);
    lua_setfield(lua, to, name);
  }
}

// Opens a library, and sets the functions that are named in a table of the same name.
template <std::size_t Count>
void open(lua_State* lua, int globals, const char* name, lua_CFunction opens, const char* const (&names)[Count]) {
  luaL_requiref(lua, name, opens, 0);
  const int library = lua_gettop(lua);
  lua_newtable(lua);
  copy(lua, names, library, library + 1);
  lua_pushvalue(lua, -1);
  lua_setfield(lua, globals, name);
  lua_remove(lua, library);
}

void set_function(lua_State* lua, const char* name, lua_CFunction function) {
  lua_pushcfunction(lua, function);
  lua_setfield(lua, -2, name);
}

// A write to a global variable. Upvalue: the table of the variables.
int write_global(lua_State* lua) {
  if (sandbox::of(lua).globals_are_fixed()) {
    return luaL_error(lua,
                      "global '%s' is set while a request is decided: a policy keeps nothing from one request to "
                      "the next, write 'local' before it",
                      luaL_tolstring(lua, 2, nullptr));
  }
  lua_rawset(lua, lua_upvalueindex(1));
  return 0;
}

}  // namespace

void push_environment(lua_State* lua) {
  lua_newtable(lua);  // the variables
  const int globals = lua_gettop(lua);
  luaL_requiref(lua, "_G", luaopen_base, 0);
  copy(lua, base_functions, globals + 1, globals);
  lua_pop(lua, 1);
  set_function(lua, "pairs", sandbox::guarded<ordered_pairs>);
  set_function(lua, "print", sandbox::guarded<log_line>);
  open(lua, globals, "math", luaopen_math, math_functions);
  set_function(lua, "random", sandbox::guarded<random_number>);
  lua_pop(lua, 1);
  open(lua, globals, "string", luaopen_string, string_functions);
  set_function(lua, "rep", sandbox::guarded<repeat_text>);
  // The methods of texts, ("x"):rep(3), are those of the script's table.
  lua_pushliteral(lua, "");
  lua_getmetatable(lua, -1);
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pop(lua, 3);
  open(lua, globals, "table", luaopen_table, table_functions);
  lua_pop(lua, 1);
  open(lua, globals, "utf8", luaopen_utf8, utf8_functions);
  lua_pop(lua, 1);
  lua_newtable(lua);
  set_function(lua, "now", sandbox::guarded<now>);
  set_function(lua, "locate", sandbox::guarded<locate>);
  set_function(lua, "log", sandbox::guarded<log_line>);
  lua_setfield(lua, globals, "gantry");
  // The script sees an empty table in front of the variables, so that each write is noticed.
  lua_newtable(lua);
  lua_newtable(lua);
  lua_pushvalue(lua, globals);
  lua_setfield(lua, -2, "__index");
  lua_pushvalue(lua, globals);
  lua_pushcclosure(lua, sandbox::guarded<write_global>, 1);
  lua_setfield(lua, -2, "__newindex");
  lua_setmetatable(lua, -2);
  lua_remove(lua, globals);
}

}  // namespace lua_driver
