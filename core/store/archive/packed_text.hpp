// SPDX-License-Identifier: Apache-2.0
//
// Compresses texts (zstd). Texts of one kind resemble each other: a sample of the kind makes short texts much smaller.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::store {

// [one thread at a time]
class TextPacker {
 public:
  // `sample`: a text like those to come. May be empty. A text is unpacked with the sample that it was packed with.
  explicit TextPacker(std::string_view sample);
  ~TextPacker();
  TextPacker(TextPacker&&) noexcept;
  TextPacker& operator=(TextPacker&&) noexcept;

  // Returns the packed text. Valid until the next call.
  Result<std::string_view> pack(std::string_view text);
  // Error internal if the bytes are not what pack() returned. No result is larger than `most_bytes`.
  Result<std::string> unpack(std::string_view packed, std::size_t most_bytes = std::size_t{1} << 30) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::store
