// SPDX-License-Identifier: Apache-2.0
#include "sandbox.hpp"

#include <cstdlib>

namespace lua_driver {

namespace {

constexpr int steps_between_looks = 10'000;  // instructions of Lua between two looks at the deadline: some 50 us

}  // namespace

sandbox::sandbox(std::string name, std::int64_t memory_mb)
    : name_(std::move(name)), most_(static_cast<std::size_t>(memory_mb) << 20) {
  lua_.reset(lua_newstate(allocate, this));
  if (lua_ == nullptr) throw gantry::failure(gantry::code::resource_exhausted, "no memory for a Lua state");
  *static_cast<sandbox**>(lua_getextraspace(lua_.get())) = this;
  lua_sethook(lua_.get(), count_hook, LUA_MASKCOUNT, steps_between_looks);
}

void sandbox::run(gantry::call& call, const std::function<void(lua_State*)>& body,
                  const std::function<place()>& at_work) {
  lua_State* const lua = lua_.get();
  call_ = &call;
  body_ = &body;
  lua_pushcfunction(lua, describe_error);
  lua_pushcfunction(lua, enter);
  const int status = lua_pcall(lua, 0, 0, 1);
  call_ = nullptr;
  std::string text;
  if (status != LUA_OK && lua_type(lua, -1) == LUA_TSTRING) text = lua_tostring(lua, -1);
  lua_settop(lua, 0);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (status != LUA_OK) fail(status, text, at_work());
}

int sandbox::enter(lua_State* lua) {
  sandbox& self = of(lua);
  try {
    (*self.body_)(lua);
    return 0;
  } catch (const std::exception&) {
    self.thrown_ = std::current_exception();
  }
  return luaL_error(lua, "an error of the driver");
}

void sandbox::fail(int status, const std::string& text, const place& at) const {
  if (status == LUA_ERRMEM) {
    throw gantry::failure(gantry::code::internal, name_ + ":" + std::to_string(at.line) +
                                                      ": more memory than memory_mb = " + std::to_string(most_ >> 20) +
                                                      " allows" + at.words);
  }
  throw gantry::failure(is_late_ ? gantry::code::deadline_exceeded : gantry::code::internal,
                        (text.empty() ? name_ + ": an error without a message" : text) + at.words);
}

// Makes a text of an error of any other kind: error({}) or error(nil).
int sandbox::describe_error(lua_State* lua) {
  if (lua_type(lua, 1) == LUA_TSTRING) return 1;
  for (int level = 1;; ++level) {  // the line that runs: error() itself has none
    lua_Debug where = {};
    luaL_where(lua, level);
    if (lua_rawlen(lua, -1) != 0 || lua_getstack(lua, level, &where) == 0) break;
    lua_pop(lua, 1);
  }
  lua_pushfstring(lua, "error with a value that is no text but a %s", luaL_typename(lua, 1));
  lua_concat(lua, 2);
  return 1;
}

void sandbox::count_hook(lua_State* lua, lua_Debug* where) {
  sandbox& self = of(lua);
  if (self.call_ == nullptr || !self.call_->should_stop()) return;
  self.is_late_ = true;
  lua_getinfo(lua, "Sl", where);
  lua_pushfstring(lua, "%s:%d: the deadline has passed", where->short_src, where->currentline);
  lua_error(lua);
}

void* sandbox::allocate(void* opaque, void* old, std::size_t old_size, std::size_t size) {
  sandbox& self = *static_cast<sandbox*>(opaque);
  if (old == nullptr) old_size = 0;  // Lua then passes a type here
  if (size == 0) {
    std::free(old);
    self.used_ -= old_size;
    return nullptr;
  }
  if (size > old_size && size - old_size > self.most_ - self.used_) return nullptr;
  void* const made = std::realloc(old, size);
  if (made != nullptr) self.used_ += size - old_size;
  return made;
}

void* sandbox::buffer(lua_State* lua, std::size_t bytes) {
  if (buffers_used_ < buffers_.size() && buffers_[buffers_used_].size >= bytes)
    return buffers_[buffers_used_++].memory.get();
  if (bytes > most_ - used_)
    luaL_error(lua, "more memory than memory_mb = %I allows", static_cast<lua_Integer>(most_ >> 20));
  if (buffers_used_ == buffers_.size()) buffers_.emplace_back();
  block& taken = buffers_[buffers_used_];
  used_ -= taken.size;
  taken = {};
  taken = {std::unique_ptr<std::byte[]>(new std::byte[bytes]), bytes};
  used_ += bytes;
  ++buffers_used_;
  return taken.memory.get();
}

// splitmix64
std::uint64_t sandbox::random() {
  std::uint64_t mixed = seed_ += 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

}  // namespace lua_driver
