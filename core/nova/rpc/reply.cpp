// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/reply.hpp"

#include <array>
#include <utility>

#include "core/encoding/random.hpp"
#include "core/encoding/sha256.hpp"

namespace gantry::nova {

namespace {

std::string enclosed(const RpcCaller& caller, const std::string& unique_id, json::value result, json::value failure,
                     bool is_ending) {
  const json::object message{{"result", std::move(result)},
                             {"failure", std::move(failure)},
                             {"ending", is_ending},
                             {"_msg_id", caller.msg_id},
                             {"_unique_id", unique_id}};
  return json::write(json::object{{"oslo.version", "2.0"}, {"oslo.message", json::write(message)}});
}

}  // namespace

std::string new_unique_id() {
  std::array<std::byte, 16> bytes{};
  random_bytes(bytes.data(), bytes.size());
  return to_hexadecimal(bytes);
}

std::string encode_result(const RpcCaller& caller, const std::string& unique_id, json::value result) {
  return enclosed(caller, unique_id, std::move(result), nullptr, true);
}

std::string encode_failure(const RpcCaller& caller, const std::string& unique_id, const RpcFailure& failure) {
  const json::object text{{"class", failure.class_name}, {"module", failure.module}, {"message", failure.message},
                          {"tb", json::array()},         {"args", failure.args},     {"kwargs", failure.kwargs}};
  return enclosed(caller, unique_id, nullptr, json::value(json::write(text)), true);
}

std::string encode_heartbeat(const RpcCaller& caller, const std::string& unique_id) {
  return enclosed(caller, unique_id, nullptr, nullptr, false);
}

amqp::Publication publication_to(const RpcCaller& caller, std::string body) {
  return {"", caller.reply_queue, true, {"application/json", "utf-8", "", "", 2, 0}, std::move(body)};
}

}  // namespace gantry::nova
