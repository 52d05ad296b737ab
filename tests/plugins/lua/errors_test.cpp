// SPDX-License-Identifier: Apache-2.0
//
// Policies with mistakes: each is told with file, line and rule, and harms nothing else.
#include <gmock/gmock.h>

#include "policy_fixture.hpp"

namespace gantry::tests {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class LuaErrors : public LuaPolicy {
 protected:
  // The sentence with which a policy fails, refused or at its first request, with `policy.lua` for the file's name.
  std::string error_of(const std::string& source) {
    std::string sentence = decide(source, {.memory_mb = 1});
    const std::string name = path_.substr(path_.rfind('/') + 1);
    for (std::size_t at = 0; (at = sentence.find(name + ":", at)) != std::string::npos;)
      sentence.replace(at, name.size(), "policy.lua");
    return sentence;
  }
};

TEST_F(LuaErrors, NameFileLineAndRule) {
  const std::vector<std::pair<std::string, std::string>> scripts = {
      {"filter 'x' { host = function(host, request)\n return host.stats.gone < request.memory_mb end }",
       "7: policy.lua:2: attempt to compare nil with number, in filter 'x', for host 'a'"},
      {"filter 'x' { host = function(host)\n return host.memroy end }",
       "7: policy.lua:2: a host has no value 'memroy', in filter 'x', for host 'a'"},
      {"filter 'x' { host = function(host, request)\n return request.memroy end }",
       "7: policy.lua:2: a request has no value 'memroy', in filter 'x', for host 'a'"},
      {"\nfilter 'x' { host = function() return 1 end }",
       "7: policy.lua:2: the function returned number, expected true or false, in filter 'x', for host 'a'"},
      {"filter 'x' { host = function() return false, {} end }",
       "7: policy.lua:1: the function returned table as its reason, expected a text, in filter 'x', for host 'a'"},
      {"filter 'x' { columns = function(view) return view.vcpus > 3 end }",
       "7: policy.lua:1: columns cannot be compared by an operator: write column:below(x), column:at_most(x), "
       "column:above(x) or column:at_least(x), in filter 'x'"},
      {"filter 'x' { columns = function(view) return view.vcpus == 3 end }",
       "7: policy.lua:1: the function returned true or false, expected marks, one for each host: columns are compared "
       "by "
       "column:at_least(x) and the like, in filter 'x'"},
      {"filter 'x' { columns = function(view) return view.vcpus & 3 end }",
       "7: policy.lua:1: expected marks, as comparisons give, found a column of numbers, in filter 'x'"},
      {"filter 'x' { columns = function(view) return view.instances end }",
       "7: policy.lua:1: column 'instances' has lists or documents: read host.instances in a function of one host, in "
       "filter 'x'"},
      {"weigh 'x' { host = function() return 0/0 end }",
       "7: policy.lua:1: the function returned -nan, expected a finite number, in weigher 'x', for host 'a'"},
      {"weigh 'x' { columns = function(view) return view.vcpus / 0 end }",
       "7: policy.lua:1: the score of host 'a' is inf, expected a finite number, in weigher 'x'"},
      {"weigh 'x' { columns = function(view) return 3 end }",
       "7: policy.lua:1: the function returned number, expected a column of numbers or marks, in weigher 'x'"},
      {"filter 'x' { host = function() seen = 1 return true end }",
       "7: policy.lua:1: global 'seen' is set while a request is decided: a policy keeps nothing from one request to "
       "the "
       "next, write 'local' before it, in filter 'x', for host 'a'"},
      {"filter 'x' { host = function(host) host.vcpus = 1 return true end }",
       "7: policy.lua:1: 'vcpus' is set, and hosts can only be read, in filter 'x', for host 'a'"},
      {"filter 'x' { host = function(host) error({}) end }",
       "7: policy.lua:1: error with a value that is no text but a table, in filter 'x', for host 'a'"},
      {"local kept\nfilter 'x' { columns = function(view) local old = kept kept = view.vcpus\n return (old or "
       "kept):above(0) end "
       "}\nfilter 'y' { columns = function() return kept:above(0) end }",
       "7: policy.lua:4: a column is used after the rule that computed it, in filter 'y'"},
      {"local function f(n) return 1 + f(n + 1) end\nfilter 'x' { host = function() return f(1) > 0 end }",
       "7: policy.lua:1: stack overflow"},
  };
  for (const auto& [source, expected] : scripts)
    EXPECT_THAT(error_of(source), ::testing::StartsWith(expected)) << source;
}

TEST_F(LuaErrors, RefuseAFileThatCannotBeAPolicy) {
  const std::vector<std::pair<std::string, std::string>> scripts = {
      {"filter 'x' {\n host = function( end }", "policy.lua:2: <name> or '...' expected near 'end'"},
      {"print('nothing')",
       "policy.lua: expected at least one filter \"name\" {...} or weigh \"name\" {...}, found none"},
      {"filter 'x' {}",
       "policy.lua:1: filter 'x': expected either host = function(host, request) or columns = "
       "function(view, request)"},
      {"filter 'x' { hosts = 1 }", "policy.lua:1: unknown key 'hosts', expected host, columns, needs or reason"},
      {"weigh 'x' { reason = '' }", "policy.lua:1: unknown key 'reason', expected host, columns, needs or multiplier"},
      {"weigh 'x' { multiplier = 1/0 }", "policy.lua:1: 'multiplier' is inf, expected a finite number"},
      {"filter 'x' { needs = {'rack'} }", "policy.lua:1: 'needs' has 'rack', and hosts have no such value"},
      {"for i = 1, 2 do weigh 'x' { host = function() return 1 end } end", "policy.lua:1: a second weigh 'x'"},
      {"\x1bLua", "attempt to load a binary chunk (mode is 't')"},
      {"local x = io.open('/etc/passwd')", "policy.lua:1: attempt to index a nil value (global 'io')"},
      {"local x <const> = ('x'):rep(1 << 30)",
       "policy.lua:1: bad argument #1 to 'rep' (the text would have more than 16 MiB)"},
  };
  for (const auto& [source, expected] : scripts) {
    const std::string sentence = error_of(source);
    EXPECT_THAT(sentence, ::testing::StartsWith("refused: policy '" + path_ + "': ")) << source;
    EXPECT_THAT(sentence, HasSubstr(expected)) << source;
  }
}

TEST_F(LuaErrors, GiveAScriptNothingToDoHarmWith) {
  for (const char* name :
       {"io",     "os",     "debug",  "package",     "require",         "load",         "loadfile",
        "dofile", "pcall",  "xpcall", "coroutine",   "collectgarbage",  "getmetatable", "setmetatable",
        "rawset", "rawget", "_G",     "string.dump", "math.randomseed", "table.move"})
    EXPECT_THAT(load("assert(" + std::string(name) + " == nil)\nweigh 'w' { host = function() return 1 end }"), "")
        << name;
}

TEST_F(LuaErrors, StopALoopAtTheDeadline) {
  load("filter 'x' { host = function()\n while true do end end }");
  host_.stop = true;
  const auto outcome = select();
  EXPECT_EQ(outcome.code, GANTRY_DEADLINE_EXCEEDED);
  EXPECT_THAT(outcome.sentence, HasSubstr(":2: the deadline has passed, in filter 'x'"));
}

TEST_F(LuaErrors, BoundTheMemoryOfTablesTextsAndColumns) {
  for (const char* body :
       {"local all = {} while true do all[#all + 1] = {} end", "local text = 'x' while true do text = text .. text end",
        "local sum = view.vcpus while true do sum = sum + 1 end"}) {
    ASSERT_EQ(load("\nfilter 'x' { columns = function(view) " + std::string(body) + " end }", true, 2), "");
    const auto outcome = select();
    EXPECT_EQ(outcome.code, GANTRY_INTERNAL);
    EXPECT_THAT(outcome.sentence, EndsWith(":2: more memory than memory_mb = 2 allows, in filter 'x'"));
  }
}

TEST_F(LuaErrors, LeaveTheNextRequestInOrder) {
  load(
      "filter 'x' { host = function(host, request) if request.memory_mb == 7 then error('seven') end return true end "
      "}");
  EXPECT_THAT(select({.memory_mb = 7}).sentence, HasSubstr(":1: seven, in filter 'x'"));
  EXPECT_EQ(select({.memory_mb = 8}).code, GANTRY_OK);
  EXPECT_EQ(select({.memory_mb = 7}).code, GANTRY_INTERNAL);
  EXPECT_EQ(select({.memory_mb = 8}).code, GANTRY_OK);
}

TEST_F(LuaErrors, RefuseAFileThatCannotBeRead) {
  host_.options.string("policy", "/nowhere/policy.lua").integer("memory_mb", 64).boolean("check_room", true);
  EXPECT_EQ(host_.create(*bundled_driver("lua")), nullptr);
  EXPECT_EQ(host_.refusal.sentence,
            "policy '/nowhere/policy.lua': expected a file that can be read, found: No such file or directory");
  host_.options.string("policy", "policy.lua");
  EXPECT_EQ(host_.create(*bundled_driver("lua")), nullptr);
  EXPECT_EQ(host_.refusal.sentence, "policy: expected the absolute path of a Lua file, found 'policy.lua'");
}

}  // namespace
}  // namespace gantry::tests
