// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/session.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <ostream>

#include "core/config/environment.hpp"

namespace gantry::cli {

namespace {

OutputFormat format_of(const std::string& word) {
  if (word == "json") return OutputFormat::json;
  return word == "value" ? OutputFormat::value : OutputFormat::table;
}

bool is_set(const std::map<std::string, std::string>& variables, const std::string& name) {
  const auto found = variables.find(name);
  return found != variables.end() && !found->second.empty();
}

// The path that a target names, if it is a unix socket.
std::string socket_path(const std::string& url) {
  constexpr std::string_view scheme = "unix://";
  if (url.empty()) return "/run/gantry/gantry.sock";
  if (url.starts_with(scheme)) return url.substr(scheme.size());
  return url.find("://") == std::string::npos ? url : std::string();
}

// A socket that is there but may not be written to looks like no daemon to the client; people need to know which.
Error explain_unreachable(Error error, const std::string& url) {
  const std::string path = socket_path(url);
  if (error.code != ErrorCode::unavailable || path.empty()) return error;
  if (::access(path.c_str(), W_OK) == 0 || errno != EACCES) return error;
  return Error{ErrorCode::permission_denied,
               "you may not write to the daemon's socket " + path +
                   "; run this as its owner, or join the group that server.socket_group names",
               error.details};
}

}  // namespace

Session::Session(Environment& environment, const CommandTable& table, const Arguments& globals)
    : environment_(environment),
      table_(table),
      globals_(globals),
      format_(format_of(globals.text("output"))),
      colour_(environment.out_is_terminal && !globals.flag("no-color") && !is_set(environment.variables, "NO_COLOR")),
      quiet_(globals.flag("quiet")) {
  if (globals.has("user")) context_["user_id"] = globals.text("user");
  if (globals.has("project")) context_["project_id"] = globals.text("project");
  if (globals.has("remote-address")) context_["remote_address"] = globals.text("remote-address");
}

config::Sources Session::sources() const {
  config::Sources sources = config::sources_from(environment_.variables);
  if (globals_.has("config")) {
    sources.file = globals_.text("config");
    sources.file_must_exist = true;
  }
  sources.drop_in_directory = globals_.text("config-dir");
  sources.overrides = globals_.all("set");
  return sources;
}

Result<std::string> Session::url() const {
  if (globals_.has("url")) return globals_.text("url");
  if (is_set(environment_.variables, "GANTRY_URL")) return environment_.variables.at("GANTRY_URL");
  const bool is_named = globals_.has("config") || globals_.has("config-dir") || globals_.has("set") ||
                        is_set(environment_.variables, "GANTRY_CONFIG");
  if (!is_named) return std::string();
  config::Sources read = sources();
  // A caller of the daemon may lack the right to read nova.conf.
  read.reads_nova = false;
  auto loaded = config::load(read);
  if (!loaded) return std::move(loaded).error();
  return loaded->settings.server.socket;
}

Result<Destination> Session::destination() const {
  auto target = url();
  if (!target) return std::move(target).error();
  return Destination{*std::move(target), globals_.text("token-file"), globals_.text("ca-file")};
}

Result<void> Session::ensure_connected() {
  if (connection_) return {};
  auto target = destination();
  if (!target) return std::move(target).error();
  auto connection = environment_.connect(*target);
  if (!connection) return std::move(connection).error();
  connection_ = std::move(*connection);
  return {};
}

Result<json::value> Session::call(std::string_view method, const json::object& args) {
  return call(method, args, json::object());
}

Result<json::value> Session::call(std::string_view method, const json::object& args, const json::object& context) {
  CallWishes wishes = this->wishes();
  wishes.context = context;
  return call_as(method, args, std::move(wishes));
}

Result<json::value> Session::call_within(std::string_view method, const json::object& args,
                                         std::chrono::milliseconds timeout) {
  CallWishes wishes = this->wishes();
  wishes.timeout = timeout;
  return call_as(method, args, std::move(wishes));
}

Result<json::value> Session::call_if_running(std::string_view method, const json::object& args,
                                             std::chrono::milliseconds timeout) {
  CallWishes wishes = this->wishes();
  wishes.timeout = timeout;
  wishes.awaits_daemon = false;
  return call_as(method, args, std::move(wishes));
}

Result<json::value> Session::call_as(std::string_view method, const json::object& args, CallWishes wishes) {
  if (auto connected = ensure_connected(); !connected) return std::move(connected).error();
  for (const auto& [key, value] : context_) wishes.context[key] = value;
  const auto begin = std::chrono::steady_clock::now();
  auto answer = connection_->call(method, args, wishes);
  if (globals_.flag("debug")) {
    const auto took = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin);
    err() << "gantry: " << method << ' ' << json::write(args) << " -> "
          << (answer ? "ok" : name_of(answer.error().code)) << ", " << took.count() << " ms, "
          << connection_->last_request_id() << '\n';
  }
  return explained(std::move(answer));
}

Result<json::value> Session::document(const std::string& path) {
  if (auto connected = ensure_connected(); !connected) return std::move(connected).error();
  return explained(connection_->document(path, wishes()));
}

CallWishes Session::wishes() const {
  CallWishes wishes;
  wishes.timeout = globals_.seconds("timeout").value_or(std::chrono::seconds(30));
  wishes.request_id = globals_.text("request-id");
  return wishes;
}

Result<json::value> Session::explained(Result<json::value> answer) const {
  if (answer) return answer;
  auto target = url();
  return explain_unreachable(std::move(answer).error(), target ? *target : std::string());
}

}  // namespace gantry::cli
