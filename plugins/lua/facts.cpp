// SPDX-License-Identifier: Apache-2.0
#include "facts.hpp"

#include <algorithm>
#include <string_view>

#include "columns.hpp"
#include "core_columns.hpp"
#include "request_table.hpp"
#include "sandbox.hpp"

namespace lua_driver {

namespace {

constexpr std::string_view group_members = "group_members";
constexpr std::string_view stats_prefix = "stats.";
constexpr std::size_t most_stats = 64;  // names that a policy reads, each kept for all hosts

void push_uuid(lua_State* lua, const gantry_uuid& uuid) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (std::size_t at = 0; at < sizeof(uuid.bytes); ++at) {
    if (at == 4 || at == 6 || at == 8 || at == 10) text += '-';
    text += digits[uuid.bytes[at] >> 4];
    text += digits[uuid.bytes[at] & 15];
  }
  lua_pushlstring(lua, text.data(), text.size());
}

int refuse_write(lua_State* lua) {
  return luaL_error(lua, "'%s' is set, and hosts can only be read", luaL_tolstring(lua, 2, nullptr));
}

}  // namespace

const gantry_column* facts::column_of(const gantry::call& call, const std::string& name) {
  const auto of_host = [&](std::string_view asked) {
    return call.host().raw().column(call.raw(), &shown_->raw(), gantry::raw(asked));
  };
  const gantry_column* const found = of_host(name);
  if (found != nullptr || name.compare(0, stats_prefix.size(), stats_prefix) != 0) return found;
  const gantry_column* const documents = of_host("stats");
  if (documents == nullptr) return nullptr;
  if (stats_.size() == most_stats && stats_.count(name) == 0)
    throw gantry::failure(gantry::code::resource_exhausted,
                          "'" + name + "': expected at most 64 different values of stats in a policy, found more");
  return &stats_[name].read(*documents, shown_->rows(), std::string_view(name).substr(stats_prefix.size()));
}

bool facts::is_known(std::string_view name) {
  if (name.substr(0, 6) == "stats." || name.substr(0, 7) == "claims.") return true;
  return std::find(std::begin(core_columns), std::end(core_columns), name) != std::end(core_columns);
}

void facts::open(lua_State* lua) {
  host_ = make(lua, sandbox::guarded<index_host>);
  view_ = make(lua, sandbox::guarded<index_view>);
}

// Pushes a userdata whose fields are the columns with a prefix. Upvalues of its __index: the numbers of names in
// bindings_, the prefix.
void facts::push_part(lua_State* lua, lua_CFunction index, int slots, const char* prefix) {
  lua_newuserdatauv(lua, 0, 0);
  lua_newtable(lua);
  lua_pushvalue(lua, slots);
  lua_pushstring(lua, prefix);
  lua_pushcclosure(lua, index, 2);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, refuse_write);
  lua_setfield(lua, -2, "__newindex");
  lua_setmetatable(lua, -2);
}

// Returns the reference of a userdata whose fields are all columns.
int facts::make(lua_State* lua, lua_CFunction index) {
  lua_newtable(lua);  // names to numbers, and to the parts `stats` and `claims`
  const int slots = lua_gettop(lua);
  for (const char* part : {"stats", "claims"}) {
    lua_newtable(lua);
    push_part(lua, index, slots + 1, (std::string(part) + ".").c_str());
    lua_setfield(lua, slots, part);
    lua_settop(lua, slots);
  }
  push_part(lua, index, slots, "");
  const int made = luaL_ref(lua, LUA_REGISTRYINDEX);
  lua_settop(lua, slots - 1);
  return made;
}

void facts::begin(lua_State* lua, const gantry::request& request, const gantry::view& view,
                  const gantry::group_rules& group) {
  asked_ = &request;
  group_ = &group;
  show(view);
  push_request_table(lua, request);
  luaL_unref(lua, LUA_REGISTRYINDEX, request_);
  request_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  lua_newtable(lua);
  luaL_unref(lua, LUA_REGISTRYINDEX, aggregates_);
  aggregates_ = luaL_ref(lua, LUA_REGISTRYINDEX);
}

void facts::show(const gantry::view& view) {
  shown_.emplace(view);
  ++epoch_;
}

void facts::end() {
  asked_ = nullptr;
  group_ = nullptr;
  shown_.reset();
}

facts& facts::checked(lua_State* lua) {
  facts& self = sandbox::of(lua).shown();
  if (self.asked_ == nullptr) luaL_error(lua, "a host is read while no request is decided");
  return self;
}

// Returns the column that the name at index 2 stands for. The name becomes a number in bindings_ once. nullptr: the name
// is a part, `stats` or `claims`, which is pushed.
const facts::binding* facts::bound(lua_State* lua) {
  lua_pushvalue(lua, 2);
  const int type = lua_rawget(lua, lua_upvalueindex(1));
  if (type == LUA_TUSERDATA) return nullptr;
  if (type != LUA_TNUMBER) {
    if (lua_type(lua, 2) != LUA_TSTRING)
      luaL_error(lua, "expected the name of a value, found %s", luaL_typename(lua, 2));
    constexpr std::size_t most = 4096;  // names that a script makes up
    if (bindings_.size() == most) luaL_error(lua, "more than %d different names of values", static_cast<int>(most));
    bindings_.push_back({std::string(lua_tostring(lua, lua_upvalueindex(2))) + lua_tostring(lua, 2), 0, nullptr});
    lua_pushvalue(lua, 2);
    lua_pushinteger(lua, static_cast<lua_Integer>(bindings_.size()) - 1);
    lua_rawset(lua, lua_upvalueindex(1));
    lua_pushinteger(lua, static_cast<lua_Integer>(bindings_.size()) - 1);
  }
  binding& found = bindings_[static_cast<std::size_t>(lua_tointeger(lua, -1))];
  if (found.epoch == epoch_) return &found;
  found.column = column_of(sandbox::of(lua).call(), found.name);
  found.epoch = epoch_;
  if (found.column == nullptr && !is_known(found.name) && found.name != group_members)
    luaL_error(lua, "a host has no value '%s'", found.name.c_str());
  return &found;
}

int facts::index_host(lua_State* lua) {
  facts& self = checked(lua);
  const binding* const from = self.bound(lua);
  if (from == nullptr) return 1;
  if (from->column != nullptr) {
    self.push_value(lua, *from->column);
  } else if (from->name == group_members) {
    lua_pushinteger(lua, self.group_->members_on(self.row_));
  } else {
    lua_pushnil(lua);
  }
  return 1;
}

int facts::index_view(lua_State* lua) {
  facts& self = checked(lua);
  const binding* const from = self.bound(lua);
  if (from == nullptr) return 1;
  if (from->column == nullptr && from->name == group_members)
    self.push_group_column(lua);
  else
    push_host_column(lua, from->name.c_str(), from->column, self.shown_->rows());
  return 1;
}

void facts::push_value(lua_State* lua, const gantry_column& column) {
  if (column.validity != nullptr && ((column.validity[row_ / 64] >> (row_ % 64)) & 1) == 0) return lua_pushnil(lua);
  switch (column.type) {
    case GANTRY_TYPE_BOOL:
      return lua_pushboolean(lua, (static_cast<const std::uint64_t*>(column.values)[row_ / 64] >> (row_ % 64)) & 1);
    case GANTRY_TYPE_I64: return lua_pushinteger(lua, static_cast<const std::int64_t*>(column.values)[row_]);
    case GANTRY_TYPE_F64: return lua_pushnumber(lua, static_cast<const double*>(column.values)[row_]);
    case GANTRY_TYPE_STRING: {
      const std::uint32_t code = static_cast<const std::uint32_t*>(column.values)[row_];
      return push_text(lua, static_cast<const gantry_string*>(column.dictionary)[code]);
    }
    case GANTRY_TYPE_SET: return push_aggregates(lua, column, static_cast<const std::uint32_t*>(column.values)[row_]);
    case GANTRY_TYPE_JSON: return push_json(lua, static_cast<const gantry_json*>(column.values)[row_].text);
    case GANTRY_TYPE_UUIDS: {
      const gantry_slice slice = static_cast<const gantry_slice*>(column.values)[row_];
      lua_createtable(lua, static_cast<int>(slice.count), 0);
      for (std::uint32_t at = 0; at < slice.count; ++at) {
        push_uuid(lua, static_cast<const gantry_uuid*>(column.elements)[slice.begin + at]);
        lua_rawseti(lua, -2, at + 1);
      }
      return;
    }
    default: return lua_pushnil(lua);
  }
}

void facts::push_aggregates(lua_State* lua, const gantry_column& column, std::uint32_t code) {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, aggregates_);
  if (lua_rawgeti(lua, -1, code) == LUA_TNIL) {
    lua_pop(lua, 1);
    const gantry_slice slice = static_cast<const gantry_slice*>(column.dictionary)[code];
    lua_createtable(lua, static_cast<int>(slice.count), 0);
    for (std::uint32_t at = 0; at < slice.count; ++at) {
      push_aggregate(lua, static_cast<const std::uint32_t*>(column.elements)[slice.begin + at]);
      lua_rawseti(lua, -2, at + 1);
    }
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, -3, code);
  }
  lua_remove(lua, -2);
}

void facts::push_aggregate(lua_State* lua, std::uint32_t index) const {
  const gantry_aggregate& found = shown_->aggregate(index);
  lua_createtable(lua, 0, 4);
  lua_pushinteger(lua, found.id);
  lua_setfield(lua, -2, "id");
  push_text(lua, found.uuid);
  lua_setfield(lua, -2, "uuid");
  push_text(lua, found.name);
  lua_setfield(lua, -2, "name");
  push_pairs(lua, found.metadata);
  lua_setfield(lua, -2, "metadata");
}

// view.group_members: how many members of the request's group are on each host.
void facts::push_group_column(lua_State* lua) const {
  const std::uint32_t rows = shown_->rows();
  auto* const numbers =
      static_cast<double*>(sandbox::of(lua).buffer(lua, (std::size_t{rows} + 128) / 64 * 64 * sizeof(double)));
  for (std::uint32_t row = 0; row < rows; ++row) numbers[row] = group_->members_on(row);
  push_column(lua, {0, column_kind::reals, rows, numbers, nullptr, nullptr});
}

}  // namespace lua_driver
