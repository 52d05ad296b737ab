// SPDX-License-Identifier: Apache-2.0
//
// A daemon that answers what the test says, and remembers what it was asked. Any thread. The test fails if an answer
// has something that the real daemon's answer never has: a command would be tested with what it never sees.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "core/cli/program.hpp"
#include "tests/support/answer_schema.hpp"

namespace gantry::cli::test {

struct Asked {
  std::string method;
  json::object args;
  json::object context;
};

class FakeDaemon {
 public:
  using Answer = std::function<Result<json::value>(const json::object& args)>;

  void on(const std::string& method, Answer answer) {
    const std::lock_guard lock(mutex_);
    answers_[method] = std::move(answer);
  }
  void on(const std::string& method, const std::string& text) {
    on(method, [text](const json::object&) { return json::parse(text); });
  }

  Result<json::value> call(std::string_view method, const json::object& args, const json::object& context) {
    Answer answer;
    {
      const std::lock_guard lock(mutex_);
      asked_.push_back({std::string(method), args, context});
      const auto found = answers_.find(std::string(method));
      if (found != answers_.end()) answer = found->second;
    }
    if (!answer) return answers_in_full_ ? support::whole_answer(method) : json::value(json::object());
    auto given = answer(args);
    if (given)
      for (const auto& line : support::invented_in(method, *given)) ADD_FAILURE() << line;
    return given;
  }
  // Answers each method that the test says nothing of with all that its answer can have.
  void answer_in_full() { answers_in_full_ = true; }

  std::vector<Asked> asked(const std::string& method) const {
    const std::lock_guard lock(mutex_);
    std::vector<Asked> found;
    for (const Asked& one : asked_)
      if (one.method == method) found.push_back(one);
    return found;
  }
  std::size_t asked_in_all() const {
    const std::lock_guard lock(mutex_);
    return asked_.size();
  }

  std::unique_ptr<Connection> connection() { return std::make_unique<Line>(*this); }

 private:
  class Line final : public Connection {
   public:
    explicit Line(FakeDaemon& daemon) : daemon_(daemon) {}
    Result<json::value> call(std::string_view method, const json::object& args, const CallWishes& wishes) override {
      return daemon_.call(method, args, wishes.context);
    }
    Result<json::value> document(const std::string& path, const CallWishes&) override {
      return daemon_.call(path, {}, {});
    }
    std::string last_request_id() const override { return "req-1"; }

   private:
    FakeDaemon& daemon_;
  };

  mutable std::mutex mutex_;
  std::map<std::string, Answer> answers_;
  std::vector<Asked> asked_;
  bool answers_in_full_ = false;
};

// What a run of the program said and how it ended.
struct Ran {
  int code = 0;
  std::string out;
  std::string err;
};

inline Ran run(FakeDaemon& daemon, const std::vector<std::string>& words, const std::string& input = "",
               const std::map<std::string, std::string>& variables = {}) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Environment environment{
      .in = in,
      .out = out,
      .err = err,
      .out_is_terminal = false,
      .err_is_terminal = false,
      .variables = variables,
      .connect = [&daemon](const Destination&) { return Result<std::unique_ptr<Connection>>(daemon.connection()); },
      .pause = [](std::chrono::milliseconds) {}};
  const int code = run_program(words, environment);
  return {code, out.str(), err.str()};
}

inline Ran run(const std::vector<std::string>& words) {
  FakeDaemon daemon;
  return run(daemon, words);
}

}  // namespace gantry::cli::test
