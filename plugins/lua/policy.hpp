// SPDX-License-Identifier: Apache-2.0
//
// A site's policy: the filters and weighers that its file has registered, in a sandbox of its own. One request at a time.
//
// A rule is a function of one host, or of all hosts as columns. A result that is none, such as a filter's number or a
// score that is not finite, is an error of the script like any other: gantry::failure names file, line and rule.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "facts.hpp"
#include "sandbox.hpp"

namespace lua_driver {

struct rule {
  std::string name;
  std::string reason;              // a filter's: why hosts are removed, where the function gives no reason
  std::vector<std::string> needs;  // columns: a host without a value in one of them is removed, or scored lowest
  double multiplier = 1;           // a weigher's
  bool whole = false;              // a function of all hosts
  int function = LUA_NOREF;
  int line = 0;  // where the function begins
};

// The answer of a filter.
struct judgement {
  gantry::bitmap passed;
  std::string reason;  // why hosts are removed: the reasons that the function gave, at most three
  // By row, if hosts are to be explained; only reasons that the function gave for this row.
  std::unordered_map<std::uint32_t, std::string> reasons;
};

class policy {
 public:
  // `name` is the file's name, `source` its content. Runs the script. Throws gantry::failure.
  policy(gantry::call& call, const std::string& name, const std::string& source, std::int64_t memory_mb);

  const std::vector<rule>& filters() const { return filters_; }
  const std::vector<rule>& weighers() const { return weighers_; }

  // Begins a request, and ends it.
  void begin(gantry::call& call, const gantry::request& request, const gantry::group_rules& group);
  void end() { facts_.end(); }
  // Shows what earlier instances of the request have taken. The view has the rows of the request's.
  void show(const gantry::view& view) { facts_.show(view); }
  // Returns the column of a name in the shown view; nullptr: no host has such a value.
  const gantry_column* column_of(const std::string& name) { return facts_.column_of(*call_, name); }

  // Returns numbers for the request, kept from request to request: array `index` of `count` numbers, of any value. A later
  // call with the same index may move it.
  gantry::span<double> numbers(std::size_t index, std::size_t count) {
    if (numbers_.size() <= index) numbers_.resize(index + 1);
    if (numbers_[index].size() < count) numbers_[index].resize(count);
    return {numbers_[index].data(), count};
  }

  // Asks a filter about the rows in `asked`, and sets the bits of those that pass in `said.passed`. A filter of all hosts
  // answers for each row. `seed` is that of math.random.
  void judge(const rule& filter, const gantry::bits& asked, bool keeps_reasons, std::uint64_t seed, judgement& said);
  // Writes the scores of the rows in `asked`, and removes the rows without one from it.
  void weigh(const rule& weigher, gantry::bitmap& asked, std::uint64_t seed, double* scores);

 private:
  static int add_filter(lua_State* lua);
  static int add_weigher(lua_State* lua);
  static int take_rule(lua_State* lua);
  void take(lua_State* lua, bool is_filter);
  void load(lua_State* lua, const std::string& source);
  void run(const rule& asked, const char* kind, std::uint64_t seed, const std::function<void(lua_State*)>& body);
  void judge_each(lua_State* lua, const rule& filter, const gantry::bits& asked, bool keeps_reasons, judgement& said);
  void judge_all(lua_State* lua, const rule& filter, judgement& said);
  void weigh_each(lua_State* lua, const rule& weigher, const gantry::bits& asked, double* scores);
  void weigh_all(lua_State* lua, const rule& weigher, gantry::bitmap& asked, double* scores);
  [[noreturn]] void refuse(lua_State* lua, const rule& by, const char* format, ...) const
      __attribute__((format(printf, 4, 5)));

  sandbox sandbox_;
  facts facts_;
  gantry::call* call_ = nullptr;
  std::vector<rule> filters_;
  std::vector<rule> weighers_;
  std::vector<std::vector<double>> numbers_;
  bool is_at_host_ = false;  // a function of one host runs
};

}  // namespace lua_driver
