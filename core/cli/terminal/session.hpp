// SPDX-License-Identifier: Apache-2.0
//
// Gives a running command the terminal, the daemon and the global options. A run of the program has one Session.
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

// The streams, variables and connections of the program. Tests pass their own.
struct Environment {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  std::map<std::string, std::string> variables;
  Connect connect;
  std::function<void(std::chrono::milliseconds)> pause;  // waits between two polls
};

enum class OutputFormat { table, json, value };

class Session {
 public:
  // `globals` are the values of the global options. All three arguments must outlive the session.
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

  // Calls a method of the daemon with the context of the options --user, --project and --remote-address, and with
  // --timeout. The first call connects.
  Result<json::value> call(std::string_view method, const json::object& args);
  // Calls with the members of `context` added to the context. The options win over a member of the same name.
  Result<json::value> call(std::string_view method, const json::object& args, const json::object& context);
  // Fetches a JSON document that the daemon serves, such as /openapi.json.
  Result<json::value> document(const std::string& path);
  // Calls with `timeout` in place of --timeout.
  Result<json::value> call_within(std::string_view method, const json::object& args, std::chrono::milliseconds timeout);
  // Calls so, but does not wait for a local daemon that does not run.
  Result<json::value> call_if_running(std::string_view method, const json::object& args,
                                      std::chrono::milliseconds timeout);
  // Sets the topic of the command, for the advice that is printed with errors. The default is compute. Empty means that
  // the command calls no daemon.
  void set_topic(std::string topic) { topic_ = std::move(topic); }
  const std::string& topic() const { return topic_; }
  // Returns the daemon's address: --url, else $GANTRY_URL, else the socket in the configuration if the user named a
  // configuration. Otherwise empty, which means the client library's default.
  Result<std::string> url() const;
  // Returns the daemon's address with the files of --token-file and --ca-file.
  Result<Destination> destination() const;
  // The context of the options --user, --project and --remote-address.
  const json::object& context() const { return context_; }

  // Returns the sources of the configuration that $GANTRY_CONFIG, --config, --config-dir and --set name. Reads no file.
  config::Sources sources() const;

 private:
  Result<void> ensure_connected();
  CallWishes wishes() const;
  Result<json::value> explained(Result<json::value> answer) const;
  Result<json::value> call_as(std::string_view method, const json::object& args, CallWishes wishes);

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
