// SPDX-License-Identifier: Apache-2.0
#include "request_table.hpp"

#include "sandbox.hpp"

namespace lua_driver {

namespace {

void push_value(lua_State* lua, const gantry::json_value& value) {
  luaL_checkstack(lua, 8, "JSON");
  if (value.is_text()) {
    const std::string text = *value.text();
    lua_pushlstring(lua, text.data(), text.size());
  } else if (value.is_object()) {
    lua_newtable(lua);
    value.for_each([lua](const gantry::json_value& key, const gantry::json_value& member) {
      push_value(lua, key);
      push_value(lua, member);
      lua_rawset(lua, -3);
    });
  } else if (value.is_array()) {
    lua_newtable(lua);
    lua_Integer at = 0;
    value.for_each([&](const gantry::json_value&, const gantry::json_value& element) {
      push_value(lua, element);
      lua_rawseti(lua, -2, ++at);
    });
  } else if (const auto truth = value.boolean()) {
    lua_pushboolean(lua, *truth ? 1 : 0);
  } else if (const auto whole = value.integer()) {
    lua_pushinteger(lua, *whole);
  } else if (const auto real = value.real()) {
    lua_pushnumber(lua, *real);
  } else {
    lua_pushnil(lua);
  }
}

// Sets fields of the table on top of the stack.
class table {
 public:
  explicit table(lua_State* lua) : lua_(lua) { lua_newtable(lua); }

  // An empty text is left out.
  void text(const char* name, std::string_view value) const {
    if (value.empty()) return;
    lua_pushlstring(lua_, value.data(), value.size());
    lua_setfield(lua_, -2, name);
  }
  void integer(const char* name, std::int64_t value) const {
    lua_pushinteger(lua_, value);
    lua_setfield(lua_, -2, name);
  }
  void real(const char* name, double value) const {
    lua_pushnumber(lua_, value);
    lua_setfield(lua_, -2, name);
  }
  void list(const char* name, gantry_strings values) const {
    push_list(lua_, values);
    lua_setfield(lua_, -2, name);
  }
  void pairs(const char* name, gantry_pairs values) const {
    push_pairs(lua_, values);
    lua_setfield(lua_, -2, name);
  }
  static void push_list(lua_State* lua, gantry_strings values) {
    lua_createtable(lua, static_cast<int>(values.count), 0);
    lua_Integer at = 0;
    for (const gantry_string value : gantry::each(values)) {
      push_text(lua, value);
      lua_rawseti(lua, -2, ++at);
    }
  }

 private:
  lua_State* lua_;
};

// The request's hints: name -> list of values.
void push_hints(lua_State* lua, const gantry_request& request) {
  lua_newtable(lua);
  const char* at = reinterpret_cast<const char*>(request.hints);
  for (std::uint32_t index = 0; index < request.hint_count; ++index, at += request.hint_stride) {
    const gantry_hint& hint = *reinterpret_cast<const gantry_hint*>(at);
    push_text(lua, hint.key);
    table::push_list(lua, hint.values);
    lua_rawset(lua, -3);
  }
}

void push_group(lua_State* lua, const gantry_group& group) {
  const table made(lua);
  made.text("uuid", gantry::text(group.uuid));
  made.text("name", gantry::text(group.name));
  made.text("policy", gantry::text(group.policy));
  push_json(lua, group.rules);
  lua_setfield(lua, -2, "rules");
  made.list("members", group.members);
  made.list("hosts", group.hosts);
}

// A value that the table lacks: one that the request does not carry, a misspelt one, or request.spec, a document that few
// scripts want, read once. Upvalue: its text.
int read_spec(lua_State* lua) {
  std::size_t size = 0;
  const char* const name = luaL_checklstring(lua, 2, &size);
  for (const char* optional : {"flavor", "availability_zone", "project_id", "user_id", "group"}) {
    if (std::string_view(name, size) == optional) return 0;
  }
  if (std::string_view(name, size) != "spec") return luaL_error(lua, "a request has no value '%s'", name);
  const char* const json = lua_tolstring(lua, lua_upvalueindex(1), &size);
  push_json(lua, {json, size});
  lua_pushvalue(lua, -1);
  lua_setfield(lua, 1, "spec");
  return 1;
}

}  // namespace

void push_json(lua_State* lua, gantry_string json) {
  push_value(lua, gantry::json_value(gantry::text(json)));
}

void push_text(lua_State* lua, gantry_string text) {
  lua_pushlstring(lua, text.size == 0 ? "" : text.data, text.size);
}

void push_pairs(lua_State* lua, gantry_pairs pairs) {
  lua_createtable(lua, 0, static_cast<int>(pairs.count));
  for (const gantry_pair& pair : gantry::each(pairs)) {
    push_text(lua, pair.key);
    push_text(lua, pair.value);
    lua_rawset(lua, -3);
  }
}

void push_request_table(lua_State* lua, const gantry::request& request) {
  const gantry_request& raw = request.raw();
  const table made(lua);
  made.integer("vcpus", request.vcpus());
  made.integer("memory_mb", request.memory_mb());
  made.real("disk_gb", request.disk_gb());
  made.integer("root_gb", request.carries(GANTRY_REQUEST_ROOT_GB) ? raw.root_gb : 0);
  made.integer("ephemeral_gb", request.carries(GANTRY_REQUEST_EPHEMERAL_GB) ? raw.ephemeral_gb : 0);
  made.integer("swap_mb", request.carries(GANTRY_REQUEST_SWAP_MB) ? raw.swap_mb : 0);
  made.integer("instances", request.instances());
  made.integer("retry_attempts", static_cast<std::int64_t>(raw.retry_attempts));
  lua_pushboolean(lua, request.carries(GANTRY_REQUEST_IS_BFV) && raw.is_bfv == 1 ? 1 : 0);
  lua_setfield(lua, -2, "is_bfv");
  made.text("flavor", request.flavor());
  made.text("availability_zone", request.availability_zone());
  made.text("project_id", request.project_id());
  made.text("user_id", request.user_id());
  made.list("instance_uuids", request.instance_uuids());
  made.pairs("extra_specs", request.extra_specs());
  made.pairs("image_properties", request.image_properties());
  made.pairs("retry_hosts", {raw.retry_hosts, raw.retry_host_count});
  push_hints(lua, raw);
  lua_setfield(lua, -2, "hints");
  if (request.group() != nullptr) {
    push_group(lua, *request.group());
    lua_setfield(lua, -2, "group");
  }
  lua_newtable(lua);
  lua_pushlstring(lua, request.spec().data(), request.spec().size());
  lua_pushcclosure(lua, sandbox::guarded<read_spec>, 1);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
}

}  // namespace lua_driver
