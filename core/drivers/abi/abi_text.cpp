// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/abi/abi_text.hpp"

#include <utility>

#include "core/encoding/utf8.hpp"

namespace gantry::drivers {

std::string sentence_of(gantry_string text) {
  std::string mended;
  const std::string_view sentence = readable(text, mended);
  return mended.empty() ? std::string(sentence) : mended;
}

std::string_view readable(gantry_string text, std::string& mended) {
  constexpr std::size_t longest = 4096;
  std::string_view rest = from_abi(text).substr(0, longest);
  if (is_utf8(rest)) return rest;
  std::string sentence;
  while (!rest.empty()) {
    const std::size_t length = utf8_front_length(rest);
    sentence.append(length == 0 ? std::string_view("\xEF\xBF\xBD") : rest.substr(0, length));
    rest.remove_prefix(length == 0 ? 1 : length);
  }
  return mended = std::move(sentence);
}

}  // namespace gantry::drivers
