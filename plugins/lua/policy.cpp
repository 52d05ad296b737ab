// SPDX-License-Identifier: Apache-2.0
#include "policy.hpp"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "columns.hpp"

namespace lua_driver {

namespace {

constexpr std::size_t most_reasons = 3;

std::string quoted_host(const gantry::view& view, std::uint32_t row) {
  const auto hosts = view.find<gantry::text_column>("host");
  return hosts ? gantry::quoted((*hosts)[row]) : std::to_string(row);
}

// The different reasons that a filter gave, for the sentence of its step.
class reasons {
 public:
  void add(std::string_view reason) {
    if (reason == last_) return;
    last_ = reason;
    for (const std::string& known : texts_) {
      if (known == reason) return;
    }
    if (texts_.size() == most_reasons)
      has_more_ = true;
    else
      texts_.emplace_back(reason);
  }
  std::string text() const {
    std::string all;
    for (const std::string& each : texts_) all += (all.empty() ? "" : "; ") + each;
    return has_more_ ? all + "; and others" : all;
  }

 private:
  std::vector<std::string> texts_;
  std::string last_;
  bool has_more_ = false;
};

}  // namespace

void policy::run(const rule& asked, const char* kind, std::uint64_t seed, const std::function<void(lua_State*)>& body) {
  sandbox_.recycle();
  sandbox_.seed(seed);
  is_at_host_ = false;
  sandbox_.run(*call_, body, [&] {
    std::string words = std::string(", in ") + kind + " '" + asked.name + "'";
    if (is_at_host_) words += ", for host " + quoted_host(facts_.view(), facts_.row());
    return sandbox::place{std::move(words), asked.line};
  });
}

// Raises an error that names the line at which the rule's function begins: no line of the script runs.
void policy::refuse(lua_State* lua, const rule& by, const char* format, ...) const {
  char text[512] = {};
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  lua_pushfstring(lua, "%s:%d: %s", sandbox_.name().c_str(), by.line, text);
  lua_error(lua);
  std::abort();  // lua_error does not return
}

void policy::begin(gantry::call& call, const gantry::request& request, const gantry::group_rules& group) {
  call_ = &call;
  sandbox_.run(
      call, [&](lua_State* lua) { facts_.begin(lua, request, request.view(), group); },
      [] {
        return sandbox::place{", while the request was read", 0};
      });
}

void policy::judge(const rule& filter, const gantry::bits& asked, bool keeps_reasons, std::uint64_t seed,
                   judgement& said) {
  run(filter, "filter", seed, [&](lua_State* lua) {
    if (filter.whole)
      judge_all(lua, filter, said);
    else
      judge_each(lua, filter, asked, keeps_reasons, said);
  });
}

void policy::judge_each(lua_State* lua, const rule& filter, const gantry::bits& asked, bool keeps_reasons,
                        judgement& said) {
  reasons all;
  lua_rawgeti(lua, LUA_REGISTRYINDEX, filter.function);
  facts_.push_host(lua);
  facts_.push_request(lua);
  const int function = lua_gettop(lua) - 2;
  is_at_host_ = true;
  asked.for_each([&](std::uint32_t row) {
    facts_.select(row);
    for (int at = 0; at < 3; ++at) lua_pushvalue(lua, function + at);
    lua_call(lua, 2, 2);
    if (lua_type(lua, -2) != LUA_TBOOLEAN)
      refuse(lua, filter, "the function returned %s, expected true or false", luaL_typename(lua, -2));
    if (lua_toboolean(lua, -2) != 0) {
      said.passed.set(row);
    } else if (lua_type(lua, -1) == LUA_TSTRING) {
      std::size_t size = 0;
      const char* const text = lua_tolstring(lua, -1, &size);
      all.add({text, size});
      if (keeps_reasons) said.reasons[row] = std::string(text, size);
    } else if (lua_type(lua, -1) != LUA_TNIL) {
      refuse(lua, filter, "the function returned %s as its reason, expected a text", luaL_typename(lua, -1));
    }
    lua_pop(lua, 2);
  });
  if (std::string found = all.text(); !found.empty()) said.reason = std::move(found);
}

void policy::judge_all(lua_State* lua, const rule& filter, judgement& said) {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, filter.function);
  facts_.push_view(lua);
  facts_.push_request(lua);
  lua_call(lua, 2, 2);
  if (lua_type(lua, -2) == LUA_TBOOLEAN) {
    refuse(lua, filter,
           "the function returned true or false, expected marks, one for each host: columns are compared "
           "by column:at_least(x) and the like");
  }
  const column* const found = column_at(lua, -2);
  if (found == nullptr || found->kind != column_kind::marks) {
    refuse(lua, filter, "the function returned %s, expected marks, as comparisons of columns give",
           found != nullptr ? words_for(found->kind) : luaL_typename(lua, -2));
  }
  said.passed.assign(gantry::bits(static_cast<const std::uint64_t*>(found->values), found->rows));
  if (lua_type(lua, -1) == LUA_TSTRING) said.reason = lua_tostring(lua, -1);
}

void policy::weigh(const rule& weigher, gantry::bitmap& asked, std::uint64_t seed, double* scores) {
  run(weigher, "weigher", seed, [&](lua_State* lua) {
    if (weigher.whole)
      weigh_all(lua, weigher, asked, scores);
    else
      weigh_each(lua, weigher, asked, scores);
  });
}

void policy::weigh_each(lua_State* lua, const rule& weigher, const gantry::bits& asked, double* scores) {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, weigher.function);
  facts_.push_host(lua);
  facts_.push_request(lua);
  const int function = lua_gettop(lua) - 2;
  is_at_host_ = true;
  asked.for_each([&](std::uint32_t row) {
    facts_.select(row);
    for (int at = 0; at < 3; ++at) lua_pushvalue(lua, function + at);
    lua_call(lua, 2, 1);
    if (lua_type(lua, -1) != LUA_TNUMBER)
      refuse(lua, weigher, "the function returned %s, expected a number", luaL_typename(lua, -1));
    scores[row] = lua_tonumber(lua, -1);
    if (!std::isfinite(scores[row]))
      refuse(lua, weigher, "the function returned %g, expected a finite number", scores[row]);
    lua_pop(lua, 1);
  });
}

void policy::weigh_all(lua_State* lua, const rule& weigher, gantry::bitmap& asked, double* scores) {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, weigher.function);
  facts_.push_view(lua);
  facts_.push_request(lua);
  lua_call(lua, 2, 1);
  const column* const found = column_at(lua, -1);
  if (found == nullptr || found->kind == column_kind::texts || found->kind == column_kind::sets) {
    refuse(lua, weigher, "the function returned %s, expected a column of numbers or marks",
           found != nullptr ? words_for(found->kind) : luaL_typename(lua, -1));
  }
  read_numbers(*found, scores, asked);
  if (are_finite(scores, asked.rows())) return;  // the search for the first one that is not is rare
  asked.for_each([&](std::uint32_t row) {
    if (std::isfinite(scores[row])) return;
    refuse(lua, weigher, "the score of host %s is %g, expected a finite number",
           quoted_host(facts_.view(), row).c_str(), scores[row]);
  });
}

}  // namespace lua_driver
