// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/connection.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <gantry/client.hpp>
#include <optional>
#include <tuple>

namespace gantry::cli {

namespace {

constexpr ErrorCode all_codes[] = {
    ErrorCode::invalid_argument,      ErrorCode::not_found,
    ErrorCode::already_exists,        ErrorCode::failed_precondition,
    ErrorCode::no_valid_host,         ErrorCode::permission_denied,
    ErrorCode::deadline_exceeded,     ErrorCode::resource_exhausted,
    ErrorCode::unsupported,           ErrorCode::unavailable,
    ErrorCode::invalid_configuration, ErrorCode::internal,
    ErrorCode::unauthenticated,
};

// Maps the client's own codes too: "unreachable" to unavailable, "protocol" to internal.
ErrorCode code_of(std::string_view name) {
  if (name == "unreachable") return ErrorCode::unavailable;
  for (const ErrorCode code : all_codes)
    if (name_of(code) == name) return code;
  return ErrorCode::internal;
}

// The file that the client reads its token from. Empty if the token comes from elsewhere.
std::string token_file_of(const Destination& to) {
  if (!to.token_file.empty()) return to.token_file;
  if (std::getenv("GANTRY_TOKEN") != nullptr) return {};
  const char* named = std::getenv("GANTRY_TOKEN_FILE");
  return named == nullptr ? std::string() : std::string(named);
}

// Whether the daemon at that address may answer: a local one without a socket does not run.
bool may_run(std::string_view url) {
  constexpr std::string_view scheme = "unix://";
  if (url.starts_with(scheme)) url.remove_prefix(scheme.size());
  std::error_code none;
  return !url.starts_with('/') || std::filesystem::is_socket(url, none);
}

class ClientConnection final : public Connection {
 public:
  explicit ClientConnection(const Destination& to)
      : options_{to.url, "", 0, "", to.token_file, to.ca_file},
        token_file_(token_file_of(to)),
        token_read_(token_stamp()),
        client_(options_) {}

  bool valid() const { return client_.valid(); }

  Result<json::value> call(std::string_view method, const json::object& args, const CallWishes& wishes) override {
    if (!wishes.awaits_daemon && !may_run(options_.target))
      return Error{ErrorCode::unavailable, options_.target + ": expected the socket of a daemon, found none", ""};
    follow_token_file();
    client::call_options options = options_of(wishes);
    if (!wishes.context.empty()) options.context = json::write(wishes.context);
    return answer_of(client_.call(std::string(method), json::write(args), options), method);
  }

  Result<json::value> document(const std::string& path, const CallWishes& wishes) override {
    return answer_of(client_.document(path, options_of(wishes)), path);
  }

  std::string last_request_id() const override { return request_id_; }

 private:
  static client::call_options options_of(const CallWishes& wishes) {
    client::call_options options;
    options.timeout_ms = static_cast<int>(wishes.timeout.count());
    options.request_id = wishes.request_id;
    return options;
  }

  Result<json::value> answer_of(const client::reply& reply, std::string_view asked) {
    request_id_ = reply.request_id();
    if (!reply) {
      const client::error& failure = reply.failure();
      return Error{code_of(failure.code), failure.message, failure.details};
    }
    // Deeper than the daemon lets anything be: one message that cannot be read would keep all others away.
    auto parsed = json::parse(reply.json(), 2 * json::max_depth);
    if (!parsed) return std::move(parsed).error().within("answer to " + std::string(asked));
    return parsed;
  }

  // Tells one content of the token file from another. Empty if there is no file.
  using Stamp = std::optional<std::tuple<dev_t, ino_t, mode_t, time_t, long, off_t>>;
  Stamp token_stamp() const {
    struct stat found {};
    if (token_file_.empty() || stat(token_file_.c_str(), &found) != 0) return std::nullopt;
    return std::tuple{found.st_dev,         found.st_ino,          found.st_mode,
                      found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_size};
  }

  // The client reads the file once. An agent outlives its token, so a file that has changed makes a new client.
  void follow_token_file() {
    const auto stamp = token_stamp();
    if (!stamp || stamp == token_read_) return;
    token_read_ = stamp;
    client_ = client::client(options_);
  }

  client::connection_options options_;
  std::string token_file_;
  Stamp token_read_;
  client::client client_;
  std::string request_id_;
};

}  // namespace

Result<std::unique_ptr<Connection>> connect(const Destination& destination) {
  auto connection = std::make_unique<ClientConnection>(destination);
  if (!connection->valid())
    return Error{ErrorCode::invalid_argument,
                 "--url: found \"" + destination.url +
                     "\", expected a path, unix:///path, http://host:port or https://host:port (or unset $GANTRY_URL)",
                 ""};
  return std::unique_ptr<Connection>(std::move(connection));
}

bool may_pass(ErrorCode code) {
  return code == ErrorCode::unavailable || code == ErrorCode::deadline_exceeded ||
         code == ErrorCode::resource_exhausted || code == ErrorCode::internal;
}

}  // namespace gantry::cli
