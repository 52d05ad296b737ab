// SPDX-License-Identifier: Apache-2.0
#include "core/cli/request/request_file.hpp"

#include <vector>

#include "core/encoding/nearest.hpp"

namespace gantry::cli {

namespace {

Error refuse(std::string message) {
  return Error{ErrorCode::invalid_argument, std::move(message), ""};
}

std::string keys_of(const json::object& object) {
  std::string keys;
  for (const auto& member : object) keys.append(keys.empty() ? "" : ", ").append(member.key());
  return keys.empty() ? "nothing" : keys;
}

// The message named, or the only one there is.
Result<json::object> choose(const json::object& messages, const std::string& name) {
  if (name.empty() && messages.size() == 1 && messages.begin()->value().is_object())
    return messages.begin()->value().get_object();
  if (name.empty()) return refuse("holds several messages; choose one with --message: " + keys_of(messages));
  if (const json::object* found = json::find_object(messages, name)) return *found;
  std::vector<std::string> names;
  for (const auto& member : messages) names.emplace_back(member.key());
  const std::string near = nearest(name, names);
  return refuse("has no message \"" + name + "\"" + (near.empty() ? "; it" : "; did you mean `" + near + "`? It") +
                " holds " + keys_of(messages));
}

// Takes the envelopes off: a capture's {"message": ...} and the bus's {"oslo.message": "<text>"}.
Result<json::object> unwrap(json::object object) {
  for (int depth = 0; depth < 4; ++depth) {
    if (const auto text = json::find_string(object, "oslo.message")) {
      auto inner = json::parse_object(*text);
      if (!inner) return std::move(inner).error().within("oslo.message");
      object = *inner;
      continue;
    }
    const json::object* message = json::find_object(object, "message");
    if (message == nullptr || object.contains("method")) return object;
    object = json::object(*message);
  }
  return object;
}

// Nova sends the context as _context_<key> beside method and args.
json::object context_of(const json::object& message) {
  constexpr std::string_view prefix = "_context_";
  json::object context;
  for (const auto& member : message) {
    const std::string_view key(member.key());
    if (!key.starts_with(prefix)) continue;
    const std::string_view name = key.substr(prefix.size());
    if (name == "auth_token" || name == "service_catalog") continue;
    context[name] = member.value();
  }
  return context;
}

bool is_request_spec(const json::object& object) {
  return json::find_string(object, "nova_object.name").value_or("") == "RequestSpec" ||
         object.contains("instance_properties") || object.contains("instance_type") || object.contains("flavor") ||
         object.contains("num_instances");
}

Result<json::object> args_of(const json::object& object) {
  json::object args;
  if (!object.contains("request_spec") && !object.contains("spec_obj")) {
    if (!is_request_spec(object))
      return refuse("holds no request: expected request_spec, spec_obj or a RequestSpec, found " + keys_of(object));
    args["request_spec"] = object;
    return args;
  }
  for (const char* key :
       {"request_spec", "spec_obj", "filter_properties", "instance_uuids", "return_alternates", "return_objects"})
    if (const json::value* value = json::find(object, key)) args[key] = *value;
  return args;
}

// Takes the request out of a decision as show_decision answers it, and leaves out what is redacted there. The error says that
// the decision depends on what is redacted.
Result<FiledRequest> request_of_decision(const json::object& decision, json::object spec) {
  std::vector<std::string> redacted;
  for (const auto& member : spec)
    if (member.value() == "(redacted)") redacted.emplace_back(member.key());
  for (const auto& key : redacted) {
    if (key == "scheduler_hints")
      return refuse("is a decision with scheduler_hints, which are not shown: expected the request itself");
    spec.erase(key);
  }
  FiledRequest request;
  if (const json::value* uuids = json::find(decision, "instance_uuids")) request.args["instance_uuids"] = *uuids;
  for (const char* key : {"project_id", "user_id"})
    if (const json::value* value = json::find(decision, key)) request.context[key] = *value;
  request.args["request_spec"] = std::move(spec);
  return request;
}

Result<FiledRequest> request_in(json::object object) {
  if (object.contains("outcome") && object.contains("destinations")) {
    const json::object* spec = json::find_object(object, "request");
    if (spec == nullptr) return refuse("is a decision without its request");
    return request_of_decision(object, *spec);
  }
  auto message = unwrap(std::move(object));
  if (!message) return std::move(message).error();
  FiledRequest request;
  const auto method = json::find_string(*message, "method");
  if (method && *method != "select_destinations" && *method != "schedule_run_instance")
    return refuse("is a message for " + std::string(*method) +
                  ", expected select_destinations or schedule_run_instance");
  request.context = context_of(*message);
  const json::object* inner = json::find_object(*message, "args");
  auto args = args_of(inner != nullptr ? *inner : *message);
  if (!args) return std::move(args).error();
  request.args = std::move(*args);
  return request;
}

Result<FiledRequest> read(std::string_view text, const std::string& name) {
  auto parsed = json::parse_object(text);
  if (!parsed) return std::move(parsed).error();
  json::object object = std::move(*parsed);
  if (const json::object* messages = json::find_object(object, "messages")) {
    auto chosen = choose(*messages, name);
    if (!chosen) return std::move(chosen).error();
    object = std::move(*chosen);
  } else if (!name.empty()) {
    return refuse("holds one request, not \"messages\": leave out --message");
  }
  return request_in(std::move(object));
}

Error in_file(Error error, const std::string& source) {
  error.code = ErrorCode::invalid_argument;
  return std::move(error).within(source);
}

}  // namespace

Result<FiledRequest> read_request(std::string_view text, const std::string& message, const std::string& source) {
  auto request = read(text, message);
  if (!request) return in_file(std::move(request).error(), source);
  return request;
}

Result<std::vector<std::pair<std::string, FiledRequest>>> read_requests(std::string_view text,
                                                                        const std::string& message,
                                                                        const std::string& source) {
  std::vector<std::pair<std::string, FiledRequest>> requests;
  const auto parsed = json::parse_object(text);
  if (!parsed) return in_file(parsed.error(), source);
  const json::object* messages = json::find_object(*parsed, "messages");
  if (messages == nullptr || !message.empty()) {
    auto request = read_request(text, message, source);
    if (!request) return std::move(request).error();
    requests.emplace_back(message, std::move(*request));
    return requests;
  }
  if (messages->empty()) return in_file(refuse("messages: expected at least one request, found none"), source);
  for (const auto& member : *messages) {
    const std::string name(member.key());
    auto request = member.value().is_object() ? request_in(member.value().get_object())
                                              : Result<FiledRequest>(refuse("expected an object"));
    if (!request) return in_file(std::move(request).error().within(name), source);
    requests.emplace_back(name, std::move(*request));
  }
  return requests;
}

}  // namespace gantry::cli
