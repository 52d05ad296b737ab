// SPDX-License-Identifier: Apache-2.0
//
// Loads a policy's file: what `filter` and `weigh` mean while the script runs.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "columns.hpp"
#include "libraries.hpp"
#include "policy.hpp"

namespace lua_driver {

namespace {

constexpr std::size_t most_rules = 200;

policy& of(lua_State* lua, int upvalue) {
  return *static_cast<policy*>(lua_touserdata(lua, lua_upvalueindex(upvalue)));
}

// Reads a text field of the table at index 1. Empty: the table has none.
std::string text_field(lua_State* lua, const char* key) {
  const int type = lua_getfield(lua, 1, key);
  if (type != LUA_TNIL && type != LUA_TSTRING)
    luaL_error(lua, "'%s' is %s, expected a text", key, luaL_typename(lua, -1));
  std::string read = type == LUA_TNIL ? "" : lua_tostring(lua, -1);
  lua_pop(lua, 1);
  return read;
}

double multiplier_field(lua_State* lua) {
  const int type = lua_getfield(lua, 1, "multiplier");
  if (type != LUA_TNIL && (type != LUA_TNUMBER || !std::isfinite(lua_tonumber(lua, -1))))
    luaL_error(lua, "'multiplier' is %s, expected a finite number", luaL_tolstring(lua, -1, nullptr));
  const double read = type == LUA_TNIL ? 1 : lua_tonumber(lua, -1);
  lua_pop(lua, 1);
  return read;
}

std::vector<std::string> needs_field(lua_State* lua) {
  std::vector<std::string> read;
  const int type = lua_getfield(lua, 1, "needs");
  if (type != LUA_TNIL && type != LUA_TTABLE)
    luaL_error(lua, "'needs' is %s, expected a list of names such as {\"free_ram_mb\", \"stats.rack\"}",
               luaL_typename(lua, -1));
  for (lua_Integer at = 1; type == LUA_TTABLE && lua_rawgeti(lua, -1, at) != LUA_TNIL; ++at) {
    if (lua_type(lua, -1) != LUA_TSTRING)
      luaL_error(lua, "'needs' has %s, expected names of values", luaL_typename(lua, -1));
    read.emplace_back(lua_tostring(lua, -1));
    if (!facts::is_known(read.back()))
      luaL_error(lua, "'needs' has '%s', and hosts have no such value", read.back().c_str());
    lua_pop(lua, 1);
  }
  lua_settop(lua, 1);
  return read;
}

// A misspelt key is an error.
void check_keys(lua_State* lua, bool is_filter) {
  lua_pushnil(lua);
  while (lua_next(lua, 1) != 0) {
    lua_pop(lua, 1);
    const std::string_view key = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : luaL_typename(lua, -1);
    if (key != "host" && key != "columns" && key != "needs" && key != (is_filter ? "reason" : "multiplier")) {
      luaL_error(lua, "unknown key '%s', expected host, columns, needs or %s", std::string(key).c_str(),
                 is_filter ? "reason" : "multiplier");
    }
  }
}

}  // namespace

policy::policy(gantry::call& call, const std::string& name, const std::string& source, std::int64_t memory_mb)
    : sandbox_(name, memory_mb) {
  sandbox_.show(facts_);
  sandbox_.run(
      call, [&](lua_State* lua) { load(lua, source); },
      [] {
        return sandbox::place{"", 1};
      });
  sandbox_.forbid_globals();
  if (filters_.empty() && weighers_.empty())
    throw gantry::failure(gantry::code::invalid_argument,
                          name + ": expected at least one filter \"name\" {...} or weigh \"name\" {...}, found none");
}

void policy::load(lua_State* lua, const std::string& source) {
  open_columns(lua);
  facts_.open(lua);
  push_environment(lua);
  const int environment = lua_gettop(lua);
  for (const auto& [word, function] : {std::pair<const char*, lua_CFunction>{"filter", sandbox::guarded<add_filter>},
                                       {"weigh", sandbox::guarded<add_weigher>}}) {
    lua_pushlightuserdata(lua, this);
    lua_pushcclosure(lua, function, 1);
    lua_setfield(lua, environment, word);
  }
  const std::string chunk = "@" + sandbox_.name();
  if (luaL_loadbufferx(lua, source.data(), source.size(), chunk.c_str(), "t") != LUA_OK) lua_error(lua);
  lua_pushvalue(lua, environment);
  lua_setupvalue(lua, -2, 1);
  lua_call(lua, 0, 0);
}

// filter "name" gives a function that takes the rule's table. Upvalues: the policy, whether it is a filter, the name.
int policy::add_filter(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TSTRING);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_pushboolean(lua, 1);
  lua_pushvalue(lua, 1);
  lua_pushcclosure(lua, sandbox::guarded<take_rule>, 3);
  return 1;
}

int policy::add_weigher(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TSTRING);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_pushboolean(lua, 0);
  lua_pushvalue(lua, 1);
  lua_pushcclosure(lua, sandbox::guarded<take_rule>, 3);
  return 1;
}

int policy::take_rule(lua_State* lua) {
  of(lua, 1).take(lua, lua_toboolean(lua, lua_upvalueindex(2)) != 0);
  return 0;
}

void policy::take(lua_State* lua, bool is_filter) {
  rule made;
  made.name = lua_tostring(lua, lua_upvalueindex(3));
  const char* const kind = is_filter ? "filter" : "weigh";
  std::vector<rule>& rules = is_filter ? filters_ : weighers_;
  if (sandbox_.globals_are_fixed())
    luaL_error(lua, "%s '%s' is added while a request is decided", kind, made.name.c_str());
  if (made.name.empty() || made.name.size() > 100) luaL_error(lua, "expected a name of 1 to 100 bytes");
  if (rules.size() == most_rules) luaL_error(lua, "more than %d of %s", static_cast<int>(most_rules), kind);
  if (std::any_of(rules.begin(), rules.end(), [&](const rule& each) { return each.name == made.name; }))
    luaL_error(lua, "a second %s '%s'", kind, made.name.c_str());
  if (lua_type(lua, 1) != LUA_TTABLE)
    luaL_error(lua, "%s '%s': expected a table {...}, found %s", kind, made.name.c_str(), luaL_typename(lua, 1));
  lua_settop(lua, 1);
  check_keys(lua, is_filter);
  made.reason = text_field(lua, "reason");
  made.multiplier = multiplier_field(lua);
  made.needs = needs_field(lua);
  made.whole = lua_getfield(lua, 1, "columns") == LUA_TFUNCTION;
  const bool single = lua_getfield(lua, 1, "host") == LUA_TFUNCTION;
  if (made.whole == single)
    luaL_error(lua, "%s '%s': expected either host = function(host, request) or columns = function(view, request)",
               kind, made.name.c_str());
  lua_pushvalue(lua, made.whole ? -2 : -1);
  lua_Debug where = {};
  lua_pushvalue(lua, -1);
  lua_getinfo(lua, ">S", &where);
  made.line = where.linedefined;
  made.function = luaL_ref(lua, LUA_REGISTRYINDEX);
  rules.push_back(std::move(made));
}

}  // namespace lua_driver
