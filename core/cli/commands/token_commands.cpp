// SPDX-License-Identifier: Apache-2.0
//
// Access tokens. A token is made up here and the daemon is told its hash alone, so that only this program's user ever
// sees it.
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/list_pages.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/encoding/sha256.hpp"
#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"

namespace gantry::cli {

namespace {

std::vector<Column> token_columns() {
  return {{"id", "id"},         {"name", "name"},          {"role", "role"},          {"host", "host"},
          {"topics", "topics"}, {"created", "created_at"}, {"expires", "expires_at"}, {"token", "token"}};
}

Result<std::string> new_token() {
  std::array<std::byte, 32> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return Error{ErrorCode::internal, "no random bytes: " + files::errno_text(errno), ""};
  return "gantry_" + to_hexadecimal(bytes);
}

// "90", "90s", "15m", "12h", "30d".
Result<std::int64_t> seconds_in(const Arguments& arguments, const std::string& option) {
  const auto text = arguments.text(option);
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, fault] = std::from_chars(text.data(), end, number);
  const std::string_view unit(stopped, static_cast<std::size_t>(end - stopped));
  const std::int64_t factor = unit == "d" ? 86'400 : unit == "h" ? 3'600 : unit == "m" ? 60 : 1;
  const bool known = unit.empty() || unit == "s" || factor > 1;
  if (fault != std::errc{} || !known || number < 1 || number > 3'650LL * 86'400 / factor) {
    return Error{ErrorCode::invalid_argument,
                 "--" + option + ": expected 1 second to 3650 days, as 3600, 90m, 12h or 30d; found \"" + text + "\"",
                 ""};
  }
  return number * factor;
}

// The file is made before the daemon is called, so that a token is only created if it can be written down.
class TokenFile {
 public:
  static Result<TokenFile> create(const std::string& path) {
    TokenFile made(path,
                   files::Descriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)));
    if (made.file_.is_open()) return made;
    return Error{errno == EEXIST ? ErrorCode::already_exists : ErrorCode::invalid_argument,
                 "--token-out " + path + ": cannot be made: " + files::errno_text(errno), ""};
  }
  TokenFile(TokenFile&&) noexcept = default;
  TokenFile& operator=(TokenFile&&) = delete;
  ~TokenFile() {
    if (file_.is_open() && !kept_) unlink(path_.c_str());
  }

  Result<void> keep(const std::string& token) {
    const std::string line = token + "\n";
    const bool written = write(file_.number(), line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
                         fsync(file_.number()) == 0;
    if (!written) return Error{ErrorCode::failed_precondition, path_ + ": " + files::errno_text(errno), ""};
    kept_ = true;
    return {};
  }

 private:
  TokenFile(std::string path, files::Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  std::string path_;
  files::Descriptor file_;
  bool kept_ = false;
};

Result<json::object> creation_args(const Arguments& arguments, const std::string& token) {
  const auto hash = sha256_of(std::as_bytes(std::span(token)));
  if (!hash) return hash.error();
  json::object args{{"name", arguments.text("NAME")}, {"role", arguments.text("role")}, {"sha256", *hash}};
  if (arguments.has("host")) args["host"] = arguments.text("host");
  json::array topics;
  for (const auto& topic : arguments.all("topic")) topics.emplace_back(topic);
  if (!topics.empty()) args["topics"] = std::move(topics);
  if (arguments.has("expires-in")) {
    const auto seconds = seconds_in(arguments, "expires-in");
    if (!seconds) return seconds.error();
    args["expires_in"] = *seconds;
  }
  return args;
}

Result<int> create_token(Session& session, const Arguments& arguments) {
  auto token = new_token();
  if (!token) return std::move(token).error();
  auto args = creation_args(arguments, *token);
  if (!args) return std::move(args).error();
  std::optional<TokenFile> file;
  if (arguments.has("token-out")) {
    auto made = TokenFile::create(arguments.text("token-out"));
    if (!made) return std::move(made).error();
    file.emplace(*std::move(made));
    // On disk before the daemon knows it: what was created is never lost.
    if (auto kept = file->keep(*token); !kept) return std::move(kept).error();
  }
  auto answer = session.call("create_token", *args);
  if (!answer) {
    if (file) unlink(arguments.text("token-out").c_str());
    return std::move(answer).error();
  }
  if (answer->is_object() && !file) answer->get_object()["token"] = *token;
  print_object(session, *answer, token_columns());
  if (!file && session.format() == OutputFormat::table && !session.quiet())
    print_notice(session, "the token is shown this once; nothing can show it again");
  return exit_code::success;
}

// The new token is on disk before the daemon knows it, and takes the file's place once the daemon does.
Result<int> rotate_token(Session& session, const Arguments& arguments) {
  auto token = new_token();
  if (!token) return std::move(token).error();
  const auto hash = sha256_of(std::as_bytes(std::span(*token)));
  if (!hash) return hash.error();
  json::object args{{"token", arguments.text("TOKEN")}, {"sha256", *hash}};
  for (const auto& [option, name] : {std::pair{"expires-in", "expires_in"}, std::pair{"overlap", "overlap"}}) {
    if (!arguments.has(option)) continue;
    const auto seconds = arguments.text(option) == "0" && std::string_view(name) == "overlap"
                             ? Result<std::int64_t>(0)
                             : seconds_in(arguments, option);
    if (!seconds) return seconds.error();
    args[name] = *seconds;
  }
  const auto path = arguments.text("token-out");
  const auto beside = path + ".new";
  if (!path.empty()) {
    auto file = TokenFile::create(beside);
    if (!file) return std::move(file).error();
    if (auto kept = file->keep(*token); !kept) return std::move(kept).error();
  }
  auto answer = session.call("rotate_token", args);
  if (!answer) {
    if (!path.empty()) unlink(beside.c_str());
    return std::move(answer).error();
  }
  if (!path.empty() && rename(beside.c_str(), path.c_str()) != 0) {
    return Error{ErrorCode::failed_precondition,
                 path + ": " + files::errno_text(errno) + "; the new token is in " + beside, ""};
  }
  if (answer->is_object() && path.empty()) answer->get_object()["token"] = *token;
  print_object(session, *answer, token_columns());
  if (path.empty() && session.format() == OutputFormat::table && !session.quiet())
    session.err() << "The token is shown this once; nothing can show it again.\n";
  return exit_code::success;
}

Result<int> list(Session& session, const Arguments& arguments) {
  return show_pages(session, arguments, "list_tokens", {}, {"id"},
                    {{"ID", "id"},
                     {"NAME", "name"},
                     {"ROLE", "role"},
                     {"HOST", "host"},
                     {"TOPICS", "topics"},
                     {"CREATED", "created_at"},
                     {"EXPIRES", "expires_at"},
                     {"EXPIRED", "expired"}});
}

Result<int> revoke(Session& session, const Arguments& arguments) {
  return change_each(session, "revoke_token", "token", arguments.all("TOKEN"), "revoked ");
}

Command create_token_command() {
  return {.path = "token create",
          .summary = "Creates an access token",
          .description =
              "For callers over TCP, or to hold a caller of the unix socket to a role. reader: what changes nothing. "
              "service: everything on its own topics, and the scheduling of instances where compute is among them or "
              "it has "
              "none. agent: reports and casts of its own host. admin: everything. The daemon keeps a hash of the token "
              "alone.",
          .positionals = {{"NAME", "whose it is, for people"}},
          .options = {{.name = "role",
                       .kind = ValueKind::text,
                       .value_name = "ROLE",
                       .help = "What its bearer may call",
                       .choices = {"reader", "service", "agent", "admin"},
                       .required = true},
                      {.name = "host",
                       .kind = ValueKind::text,
                       .value_name = "HOST",
                       .help = "The only host that an agent speaks for"},
                      {.name = "topic",
                       .kind = ValueKind::text,
                       .value_name = "TOPIC",
                       .help = "A topic of the service's own; of an agent: one that it serves, otherwise any",
                       .repeatable = true},
                      {.name = "expires-in",
                       .kind = ValueKind::text,
                       .value_name = "TIME",
                       .help = "How long it holds: 3600, 90m, 12h or 30d. Otherwise until it is revoked"},
                      {.name = "token-out",
                       .kind = ValueKind::text,
                       .value_name = "FILE",
                       .help = "Writes the token to this new file, readable by you alone, in place of the terminal"}},
          .examples = {{"gantry token create --role agent --host c1 c1", "for the agent of host c1"},
                       {"gantry token create --role service --topic volume --expires-in 90d --token-out cinder.token "
                        "cinder",
                        "for a service with a topic of its own"}},
          .run = create_token};
}

}  // namespace

std::vector<Command> token_commands() {
  return {create_token_command(),
          {.path = "token list",
           .summary = "Lists access tokens",
           .description = "Never the tokens themselves: only their hashes are kept.",
           .options = with_page_options({}),
           .examples = {{"gantry token list", "who may call, as what"}},
           .run = list},
          {.path = "token rotate",
           .summary = "Replaces an access token by a new one",
           .description = "The new token has the name, role, host and topics of the old one. The old one still holds "
                          "for the overlap. An agent reads its token file again when the file changes.",
           .positionals = {{"TOKEN", "its id, as gantry token list shows it, or its name"}},
           .options = {{.name = "overlap",
                        .kind = ValueKind::text,
                        .value_name = "TIME",
                        .help = "How long the old token still holds: 3600, 90m, 12h or 30d; 0: it ends now",
                        .fallback = "1h"},
                       {.name = "expires-in",
                        .kind = ValueKind::text,
                        .value_name = "TIME",
                        .help = "How long the new token holds. Otherwise until it is revoked"},
                       {.name = "token-out",
                        .kind = ValueKind::text,
                        .value_name = "FILE",
                        .help = "Writes the token to this file, readable by you alone, in place of the terminal. A "
                                "file that is there is replaced"}},
           .examples = {{"gantry token rotate --token-out c1.token 3f2a9c01b7de", "then copy c1.token to the host"}},
           .run = rotate_token},
          {.path = "token revoke",
           .summary = "Revokes access tokens",
           .description = "The bearer's next call is refused, and so are those that wait.",
           .positionals = {{"TOKEN", "its id, as gantry token list shows it, or its name", true, true}},
           .examples = {{"gantry token revoke 3f2a9c01b7de", "at once"}},
           .run = revoke}};
}

}  // namespace gantry::cli
