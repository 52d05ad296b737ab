// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/pending_answer.hpp"

namespace gantry::transport {

PendingAnswer::~PendingAnswer() {
  if (given_.load()) return;
  give(scheduling::Answer(Error{
      ErrorCode::internal, "the method ended without an answer; this is a fault of Gantry's, please report it", ""}));
}

void PendingAnswer::describe(std::string request_id, std::string method) {
  request_id_ = std::move(request_id);
  method_ = std::move(method);
}

void PendingAnswer::give(std::variant<HttpAnswer, scheduling::Answer> answer) {
  if (given_.exchange(true)) return;
  place_.release();
  place_of_caller_.release();
  connections_->deliver(connection_, slot_, {std::move(request_id_), std::move(method_), std::move(answer)});
}

}  // namespace gantry::transport
