// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/answer.hpp"

namespace gantry::scheduling {

Answer Answer::of_text(std::string text) {
  Answer answer(json::value(nullptr));
  answer.text_ = std::move(text);
  return answer;
}

Answer::operator Reply() const {
  return text_.empty() ? reply_ : json::parse(text_, json::stored_depth);
}

void Answer::append_to(std::string& out) const {
  if (text_.empty())
    json::append(out, *reply_);
  else
    out += text_;
}

}  // namespace gantry::scheduling
