// SPDX-License-Identifier: Apache-2.0
//
// What a running command has: the terminal, the daemon, and the global options. One a run of the program.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/cli/terminal/arguments.hpp"
#include "core/cli/terminal/connection.hpp"
#include "core/config/load.hpp"

namespace gantry::cli {

// The world around the program; tests bring their own.
struct Environment {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  std::map<std::string, std::string> variables;
  Connect connect;
  std::function<void(std::chrono::milliseconds)> pause;  // between two polls
};

enum class OutputFormat { table, json, value };

class Session {
 public:
  // The arguments must live as long as the session.
  Session(Environment& environment, const CommandTable& table, const Arguments& globals);

  std::ostream& out() { return environment_.out; }
  std::ostream& err() { return environment_.err; }
  std::istream& in() { return environment_.in; }
  const Environment& environment() const { return environment_; }
  const CommandTable& table() const { return table_; }
  OutputFormat format() const { return format_; }
  bool colour() const { return colour_; }
  bool quiet() const { return quiet_; }
  bool shows_progress() const { return environment_.err_is_terminal && !quiet_; }
  void pause(std::chrono::milliseconds time) { environment_.pause(time); }

  // Calls the daemon with the options' context and timeout. Connects at the first call.
  Result<json::value> call(std::string_view method, const json::object& args);
  // The same with context of the request itself under that of the options.
  Result<json::value> call(std::string_view method, const json::object& args, const json::object& context);
  // The daemon's page of that path, such as /openapi.json.
  Result<json::value> document(const std::string& path);
  // With a time of its own.
  Result<json::value> call_within(std::string_view method, const json::object& args, std::chrono::milliseconds timeout);
  // The topic that the command is about, for hints; compute unless said otherwise, empty where no daemon is asked.
  void set_topic(std::string topic) { topic_ = std::move(topic); }
  const std::string& topic() const { return topic_; }
  // Where the daemon is: --url, $GANTRY_URL, the socket of a configuration that was named, or empty.
  Result<std::string> url() const;
  // The same with the files that --token-file and --ca-file name.
  Result<Destination> destination() const;
  const json::object& context() const { return context_; }

  // What $GANTRY_CONFIG, --config, --config-dir and --set say, without reading it.
  config::Sources sources() const;

 private:
  Result<void> ensure_connected();
  CallWishes wishes() const;
  Result<json::value> explained(Result<json::value> answer) const;
  Result<json::value> call(std::string_view method, const json::object& args, const json::object& context,
                           std::chrono::milliseconds timeout);

  Environment& environment_;
  const CommandTable& table_;
  const Arguments& globals_;
  OutputFormat format_ = OutputFormat::table;
  bool colour_ = false;
  bool quiet_ = false;
  std::string topic_ = "compute";
  json::object context_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace gantry::cli
