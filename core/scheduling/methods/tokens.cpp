// SPDX-License-Identifier: Apache-2.0
//
// The methods that create, list and revoke access tokens. The text of a token never comes here: the client makes it and
// sends its hash, so that no answer, log line or store holds a secret.
#include <algorithm>

#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/list_page.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::int64_t longest_life = 10LL * 365 * 86'400;  // seconds
constexpr std::int64_t usual_overlap = 3'600;               // seconds
constexpr std::size_t id_digits = 12;

Error wrong(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), {}};
}

Result<std::string> hash_argument(const json::object& args) {
  auto hash = required_text(args, "sha256");
  if (!hash) return hash;
  const bool is_hash = hash->size() == 64 && hash->find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_hash)
    return wrong("argument 'sha256': expected 64 lower-case hexadecimal digits, the SHA-256 of a random token, found " +
                 std::to_string(hash->size()) + " characters");
  return hash;
}

Result<void> check_scope_of(const AccessToken& token) {
  const std::string role(name_of(token.role));
  if (token.role == Role::agent && token.host.empty())
    return wrong("role agent: expected 'host', the one it speaks for");
  if (token.role != Role::agent && !token.host.empty())
    return wrong("role " + role + ": 'host' is for the role agent alone, found '" + token.host + "'");
  if (token.role != Role::agent && token.role != Role::service && !token.topics.empty())
    return wrong("role " + role + ": 'topics' is for the roles service and agent, found '" + token.topics.front() +
                 "'");
  return {};
}

Result<AccessToken> token_argument(const json::object& args, std::int64_t now) {
  auto hash = hash_argument(args);
  if (!hash) return std::move(hash).error();
  auto name = required_text(args, "name");
  if (!name) return std::move(name).error();
  auto role_name = required_text(args, "role");
  if (!role_name) return std::move(role_name).error();
  const auto role = role_from(*role_name);
  if (!role) return wrong("argument 'role': expected reader, service, agent or admin, found '" + *role_name + "'");
  auto host = optional_text(args, "host");
  if (!host) return std::move(host).error();
  auto topics = optional_texts(args, "topics");
  if (!topics) return std::move(topics).error();
  auto life = optional_integer(args, "expires_in", 0, 0, longest_life);
  if (!life) return std::move(life).error();
  AccessToken token{hash->substr(0, id_digits), *hash, *name, *role, host->value_or(""), std::move(*topics), now, 0};
  if (*life > 0) token.expires_at = now + *life * 1'000'000'000;
  if (auto checked = check_scope_of(token); !checked) return std::move(checked).error();
  return token;
}

Result<void> check_room(const State& state) {
  const auto most = state.parts.settings.limits.tokens;
  if (state.tokens.size() < most) return {};
  return wrong("tokens: expected at most " + std::to_string(most) + ", found " + std::to_string(most + 1) +
               " with the new one; revoke those that have expired");
}

// A long poll of a token that ended is refused now, and not only when a cast comes, which it would keep from the others
// until the cast is delivered again.
void end_waits(State& state) {
  state.casts.end_waits();
  state.events.end_waits();
}

// Finds a token by its id, or by a name that only one token has.
Result<AccessToken> find_token(const State& state, const std::string& wanted) {
  if (auto token = state.tokens.find(wanted)) return *std::move(token);
  auto all = state.tokens.list();
  std::erase_if(all, [&wanted](const AccessToken& token) { return token.name != wanted; });
  if (all.size() == 1) return std::move(all.front());
  if (all.empty())
    return Error{ErrorCode::not_found, "no token '" + wanted + "'; `gantry token list` shows those there are", {}};
  std::string ids;
  for (const auto& token : all) ids += (ids.empty() ? "" : ", ") + token.id;
  constexpr std::size_t most_bytes = 200;
  if (ids.size() > most_bytes) ids = ids.substr(0, most_bytes) + "...";
  return Error{ErrorCode::failed_precondition,
               std::to_string(all.size()) + " tokens are named '" + wanted + "'; name one by its id: " + ids,
               {}};
}

Outcome create_token(State& state, const MethodCall& call) {
  const auto now = now_nanoseconds();
  auto token = token_argument(call.args, now);
  if (!token) return failed(std::move(token).error());
  auto outcome = changing(state);
  if (auto room = check_room(state); !room) return failed(std::move(room).error());
  if (state.tokens.find(token->id)) {
    return failed({ErrorCode::already_exists, "token " + token->id + " exists; make up another random token", {}});
  }
  outcome.reply = json::value(shown(*token, now));
  outcome.batch.push_back(stored(store::Kind::token, token->id, *token));
  outcome.committed = [&state, token = *token] { state.tokens.put(token); };
  return outcome;
}

// Puts a token with the scope of another beside it and lets the other end soon, in one transaction.
Outcome rotate_token(State& state, const MethodCall& call) {
  auto id = required_text(call.args, "token");
  if (!id) return failed(std::move(id).error());
  auto hash = hash_argument(call.args);
  if (!hash) return failed(std::move(hash).error());
  auto life = optional_integer(call.args, "expires_in", 0, 0, longest_life);
  if (!life) return failed(std::move(life).error());
  auto overlap = optional_integer(call.args, "overlap", usual_overlap, 0, longest_life);
  if (!overlap) return failed(std::move(overlap).error());
  const auto now = now_nanoseconds();
  auto outcome = changing(state);
  const auto before = find_token(state, *id);
  if (!before) return failed(before.error());
  auto made = *before;
  made.id = hash->substr(0, id_digits);
  made.sha256 = *hash;
  made.created_at = now;
  made.expires_at = *life > 0 ? now + *life * 1'000'000'000 : 0;
  if (auto room = check_room(state); !room) return failed(std::move(room).error());
  if (state.tokens.find(made.id)) {
    return failed({ErrorCode::already_exists, "token " + made.id + " exists; make up another random token", {}});
  }
  auto ending = *before;
  const auto end = now + *overlap * 1'000'000'000;
  if (ending.expires_at == 0 || ending.expires_at > end) ending.expires_at = end;
  outcome.reply = json::value(shown(made, now));
  outcome.batch.push_back(stored(store::Kind::token, made.id, made));
  outcome.batch.push_back(*overlap == 0 ? erased(store::Kind::token, ending.id)
                                        : stored(store::Kind::token, ending.id, ending));
  outcome.committed = [&state, made, ending, at_once = *overlap == 0] {
    state.tokens.put(made);
    at_once ? state.tokens.remove(ending.id) : state.tokens.put(ending);
    if (at_once) end_waits(state);
  };
  return outcome;
}

Outcome list_tokens(State& state, const MethodCall& call) {
  auto wish = read_page(call.args);
  if (!wish) return failed(std::move(wish).error());
  return page_of(
      *wish, state.tokens.list(), [](const auto& token) { return token.id; }, [](const auto&) { return true; },
      [now = now_nanoseconds()](const auto& token) { return shown(token, now); });
}

Outcome revoke_token(State& state, const MethodCall& call) {
  auto id = required_text(call.args, "token");
  if (!id) return failed(std::move(id).error());
  auto outcome = changing(state);
  const auto token = find_token(state, *id);
  if (!token) return failed(token.error());
  // The token is removed before the commit, and put back only if the commit fails: after the answer it never works.
  state.tokens.remove(token->id);
  outcome.reply = json::value(json::object());
  outcome.batch.push_back(erased(store::Kind::token, token->id));
  outcome.undo = [&state, token = *token] { state.tokens.put(token); };
  outcome.committed = [&state] { end_waits(state); };
  return outcome;
}

std::optional<json::object> token_before(const State& state, const MethodCall& call) {
  const auto token = find_token(state, text_argument(call, "token"));
  return token ? shown(*token, now_nanoseconds()) : json::object();
}

}  // namespace

std::vector<Method> token_methods() {
  using enum ArgumentType;
  return {
      {.name = "create_token",
       .group = "tokens",
       .effect = Effect::changes,
       .callers = admins,
       .summary = "Makes a token known. Its text is made up by the caller, who sends its hash alone.",
       .args = {required("name", text, "Whose it is, for people.", "node1's agent"),
                required("role", text, "What its bearer may call.", "agent").one_of("reader|service|agent|admin"),
                required("sha256", text,
                         "Of the token's text, in 64 lower-case hexadecimal digits; the text is to be random.",
                         "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
                optional("host", text, "The only host that an agent speaks for.", "node1"),
                optional("topics", texts, "A service's own topics; an agent's, empty: any.", R"(["compute"])"),
                optional("expires_in", integer, "Seconds; 0: never.", "86400").otherwise("0").between(0, 315'360'000)},
       .result = "Token",
       .handle = create_token,
       .audit = {"token.created", "token"}},
      {.name = "rotate_token",
       .group = "tokens",
       .effect = Effect::changes,
       .callers = admins,
       .summary = "Makes a token of the same name, role, host and topics as another, which ends after the overlap.",
       .args = {required("token", text, "The token that ends: its id, or a name that no other has.", "9f86d081884c"),
                required("sha256", text, "Of the new token's text, as for create_token.",
                         "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"),
                optional("expires_in", integer, "Seconds; 0: never.", "86400").otherwise("0").between(0, 315'360'000),
                optional("overlap", integer, "Seconds for which the old token still holds; 0: it is revoked at once.",
                         "3600")
                    .otherwise("3600")
                    .between(0, 315'360'000)},
       .result = "Token",
       .handle = rotate_token,
       .audit = {"token.rotated", "token", token_before}},
      {.name = "list_tokens",
       .group = "tokens",
       .effect = Effect::reads,
       .callers = admins,
       .summary = "The tokens, by id; never their texts.",
       .args = {page_limit, page_marker},
       .result = "[Token]",
       .handle = list_tokens},
      {.name = "revoke_token",
       .group = "tokens",
       .effect = Effect::changes,
       .callers = admins,
       .summary = "Forgets a token: calls of its bearer are refused, those that wait included.",
       .args = {required("token", text, "Its id, or a name that no other has.", "9f86d081884c")},
       .result = "Nothing",
       .handle = revoke_token,
       .audit = {"token.revoked", "token", token_before}}};
}

}  // namespace gantry::scheduling
