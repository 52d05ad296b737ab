// SPDX-License-Identifier: Apache-2.0
//
// The values that a script sees of a request: one host at a time (`host`), all hosts at once (`view`), and the request. A value is
// read when the script asks for it.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <gantry/driver/group_rules.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lua_headers.hpp"
#include "stats_column.hpp"

namespace lua_driver {

class facts {
 public:
  // Makes the values `host` and `view`. Once for each state, inside of sandbox::run.
  void open(lua_State* lua);
  void push_host(lua_State* lua) const { lua_rawgeti(lua, LUA_REGISTRYINDEX, host_); }
  void push_view(lua_State* lua) const { lua_rawgeti(lua, LUA_REGISTRYINDEX, view_); }
  void push_request(lua_State* lua) const { lua_rawgeti(lua, LUA_REGISTRYINDEX, request_); }

  // Shows a request, the view that it is decided on, and the members of its group. They outlive end(). Inside of
  // sandbox::run.
  void begin(lua_State* lua, const gantry::request& request, const gantry::view& view,
             const gantry::group_rules& group);
  // Shows another view, which has the same rows.
  void show(const gantry::view& view);
  void end();
  // The row that `host` stands for.
  void select(std::uint32_t row) { row_ = row; }
  std::uint32_t row() const { return row_; }
  const gantry::view& view() const { return *shown_; }
  // Returns the column of a name in the shown view, valid until another view is shown; nullptr: no host has such a value.
  // Throws gantry::failure for more names of stats than a policy may read.
  const gantry_column* column_of(const gantry::call& call, const std::string& name);
  // Returns whether hosts have a value of that name, reported or not.
  static bool is_known(std::string_view name);

  // Pushes the list of the aggregates behind a code of a column of sets.
  void push_aggregates(lua_State* lua, const gantry_column& column, std::uint32_t code);

 private:
  struct binding {
    std::string name;
    std::uint64_t epoch = 0;  // the view's for which `column` was found
    const gantry_column* column = nullptr;
  };

  static int index_host(lua_State* lua);
  static int index_view(lua_State* lua);
  static facts& checked(lua_State* lua);
  static int make(lua_State* lua, lua_CFunction index);
  static void push_part(lua_State* lua, lua_CFunction index, int slots, const char* prefix);
  const binding* bound(lua_State* lua);
  void push_value(lua_State* lua, const gantry_column& column);
  void push_aggregate(lua_State* lua, std::uint32_t index) const;
  void push_group_column(lua_State* lua) const;

  const gantry::request* asked_ = nullptr;  // nullptr: no request is decided
  const gantry::group_rules* group_ = nullptr;
  std::optional<gantry::view> shown_;
  std::uint64_t epoch_ = 0;
  std::uint32_t row_ = 0;
  std::vector<binding> bindings_;
  std::map<std::string, stats_column> stats_;  // by name, with "stats." in front
  int host_ = LUA_NOREF;
  int view_ = LUA_NOREF;
  int request_ = LUA_NOREF;
  int aggregates_ = LUA_NOREF;  // lists by code that have been pushed in this request
};

}  // namespace lua_driver
