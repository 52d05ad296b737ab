// SPDX-License-Identifier: Apache-2.0
#include "client_handle.hpp"

#include <cstddef>
#include <exception>
#include <new>

namespace gantry::client_library {

namespace {

constexpr std::chrono::milliseconds default_timeout{30'000};
constexpr std::chrono::milliseconds default_absent_wait{2'000};

struct OwnedReply : gantry_reply {
  Outcome texts;
};

template <class Options, class Member>
bool has(const Options* options, Member Options::*member) {
  if (options == nullptr) return false;
  const auto offset = reinterpret_cast<const char*>(&(options->*member)) - reinterpret_cast<const char*>(options);
  return options->struct_size >= static_cast<std::size_t>(offset) + sizeof(Member);
}

template <class Options>
std::string text_or_empty(const Options* options, const char* Options::*member) {
  return has(options, member) && options->*member != nullptr ? options->*member : "";
}

template <class Options>
std::chrono::milliseconds time_or(const Options* options, std::int32_t Options::*member,
                                  std::chrono::milliseconds otherwise) {
  return has(options, member) && options->*member > 0 ? std::chrono::milliseconds(options->*member) : otherwise;
}

std::chrono::milliseconds absent_wait_of(const gantry_client_options* options) {
  const auto member = &gantry_client_options::absent_wait_ms;
  if (has(options, member) && options->*member < 0) return std::chrono::milliseconds(0);
  return time_or(options, member, default_absent_wait);
}

// Runs `ask` on the client's caller. An exception becomes a reply.
template <class Ask>
gantry_reply* reply_to(gantry_client* client, const gantry_call_options* options, Ask ask) noexcept {
  try {
    if (client == nullptr) {
      return reply_of(failure(
          "invalid_argument",
          "no client: expected a target of the form /path, unix:///path, http://host:port or https://host:port; see "
          "--url and GANTRY_URL"));
    }
    CallWishes wishes;
    wishes.timeout = time_or(options, &gantry_call_options::timeout_ms, client->timeout);
    wishes.context = text_or_empty(options, &gantry_call_options::context);
    if (wishes.context.empty()) wishes.context = client->context;
    wishes.request_id = text_or_empty(options, &gantry_call_options::request_id);
    wishes.idempotency_key = text_or_empty(options, &gantry_call_options::idempotency_key);
    return reply_of(ask(client->caller, wishes));
  } catch (const std::bad_alloc&) {
    return nullptr;
  } catch (const std::exception& fault) {
    return reply_of(failure("internal", fault.what()));
  }
}

}  // namespace

gantry_reply* reply_of(Outcome outcome) noexcept {
  auto* reply = new (std::nothrow) OwnedReply();
  if (reply == nullptr) return nullptr;
  reply->texts = std::move(outcome);
  const Outcome& texts = reply->texts;
  reply->struct_size = sizeof(gantry_reply);
  reply->ok = texts.ok ? 1 : 0;
  reply->result = texts.result.c_str();
  reply->code = texts.code.c_str();
  reply->message = texts.message.c_str();
  reply->details = texts.details.c_str();
  reply->request_id = texts.request_id.c_str();
  reply->http_status = texts.http_status;
  reply->attempts = texts.attempts;
  return reply;
}

}  // namespace gantry::client_library

// The functions of client.h stand outside of every namespace.
using namespace gantry::client_library;  // NOLINT(google-build-using-namespace)

gantry_client* gantry_client_new(const char* target, const gantry_client_options* options) {
  try {
    const auto parsed = parse_target(target == nullptr ? default_target() : std::string(target));
    if (!parsed) return nullptr;
    std::string user_agent = text_or_empty(options, &gantry_client_options::user_agent);
    if (user_agent.find_first_of("\r\n") != std::string::npos) user_agent.clear();
    return new gantry_client{Caller(*parsed,
                                    find_credentials(text_or_empty(options, &gantry_client_options::token),
                                                     text_or_empty(options, &gantry_client_options::token_file),
                                                     text_or_empty(options, &gantry_client_options::ca_file)),
                                    user_agent.empty() ? "gantry-client" : user_agent, absent_wait_of(options)),
                             time_or(options, &gantry_client_options::timeout_ms, default_timeout),
                             text_or_empty(options, &gantry_client_options::context)};
  } catch (const std::exception&) {  // no memory, or no descriptor for the event loop
    return nullptr;
  }
}

void gantry_client_free(gantry_client* client) {
  delete client;
}

gantry_reply* gantry_client_call(gantry_client* client, const char* method, const char* args,
                                 const gantry_call_options* options) {
  return reply_to(client, options, [method, args](Caller& caller, const CallWishes& wishes) {
    if (method == nullptr) return failure("invalid_argument", "method: expected a name, found NULL");
    return caller.call(method, args == nullptr ? "{}" : args, wishes);
  });
}

gantry_reply* gantry_client_document(gantry_client* client, const char* path, const gantry_call_options* options) {
  return reply_to(client, options, [path](Caller& caller, const CallWishes& wishes) {
    return caller.document(path == nullptr ? "/" : path, wishes);
  });
}

void gantry_reply_free(gantry_reply* reply) {
  delete static_cast<OwnedReply*>(reply);
}
