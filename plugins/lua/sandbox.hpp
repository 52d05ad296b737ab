// SPDX-License-Identifier: Apache-2.0
//
// A Lua state in which a script can do no harm: it has bounded memory, ends at the deadline of the call, and has no
// access to files, programs, clocks, bytecode or the inside of other functions.
//
// Errors. The driver links the Lua that Debian compiles as C++ (lua5.4-c++): there an error is an exception, which runs
// the destructors of each C++ frame that it leaves. No error leaves run(), the only way into the state. A C++ exception
// inside a function that Lua calls is kept, ends the script as an error, and is thrown again by run().
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <gantry/driver.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lua_headers.hpp"

namespace lua_driver {

class facts;

class sandbox {
 public:
  // `memory_mb` bounds the memory of the state and of the columns that scripts compute. `name` is the script's, for
  // messages. Throws gantry::failure.
  sandbox(std::string name, std::int64_t memory_mb);
  sandbox(const sandbox&) = delete;
  sandbox& operator=(const sandbox&) = delete;

  // Runs `body` as a protected call. Throws gantry::failure, with a sentence that names file and line: `at_work` returns
  // the words for the end of the sentence, and the line to name if Lua tells none.
  struct place {
    std::string words;
    int line = 0;
  };
  void run(gantry::call& call, const std::function<void(lua_State*)>& body, const std::function<place()>& at_work);

  // Returns the sandbox of a state.
  static sandbox& of(lua_State* lua) { return **static_cast<sandbox**>(lua_getextraspace(lua)); }
  // Returns the call that runs. Only inside of run().
  gantry::call& call() const { return *call_; }
  const std::string& name() const { return name_; }

  // The numbers of math.random: the same ones after the same seed.
  void seed(std::uint64_t seed) { seed_ = seed; }
  std::uint64_t random();

  // Returns uninitialised memory that is valid until recycle(). Raises a Lua error if the bound is reached.
  void* buffer(lua_State* lua, std::size_t bytes);
  // Begins a new moment: the columns of earlier ones are invalid.
  void recycle() {
    buffers_used_ = 0;
    ++moment_;
  }
  std::uint64_t moment() const { return moment_; }

  // The hosts and the request that scripts see.
  void show(facts& shown) { facts_ = &shown; }
  facts& shown() const { return *facts_; }

  // After forbid_globals() a script that sets a global variable fails: nothing goes from one request to the next.
  void forbid_globals() { globals_are_fixed_ = true; }
  bool globals_are_fixed() const { return globals_are_fixed_; }

  // Wraps a function that Lua calls, so that a C++ exception becomes an error of the script.
  template <int (*Function)(lua_State*)>
  static int guarded(lua_State* lua) {
    try {
      return Function(lua);
    } catch (const std::exception&) {  // no error of Lua is one
      of(lua).thrown_ = std::current_exception();
    }
    return luaL_error(lua, "an error of the driver");
  }

 private:
  struct closer {
    void operator()(lua_State* lua) const { lua_close(lua); }
  };
  struct block {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size = 0;
  };

  static void* allocate(void* self, void* old, std::size_t old_size, std::size_t size);
  static void count_hook(lua_State* lua, lua_Debug* where);
  static int enter(lua_State* lua);
  static int describe_error(lua_State* lua);
  [[noreturn]] void fail(int status, const std::string& text, const place& at) const;

  std::string name_;
  std::size_t most_;  // bytes
  std::size_t used_ = 0;
  std::vector<block> buffers_;  // the first buffers_used_ are lent
  std::size_t buffers_used_ = 0;
  std::uint64_t moment_ = 1;
  std::uint64_t seed_ = 0;
  facts* facts_ = nullptr;
  bool globals_are_fixed_ = false;
  bool is_late_ = false;
  gantry::call* call_ = nullptr;
  const std::function<void(lua_State*)>* body_ = nullptr;
  std::exception_ptr thrown_;
  std::unique_ptr<lua_State, closer> lua_;  // the last member: its end frees through allocate()
};

}  // namespace lua_driver
