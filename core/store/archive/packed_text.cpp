// SPDX-License-Identifier: Apache-2.0
#include "core/store/archive/packed_text.hpp"

#include <zstd.h>

namespace gantry::store {

namespace {

// The fastest level: a record is written for each decision.
constexpr int level = 1;

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_CDict* sample) const { ZSTD_freeCDict(sample); }
  void operator()(ZSTD_DDict* sample) const { ZSTD_freeDDict(sample); }
};
template <class T>
using Owned = std::unique_ptr<T, FreeCompressor>;

Error failed_to(std::string_view doing, std::size_t code) {
  return {ErrorCode::internal, std::string(doing) + " failed: " + ZSTD_getErrorName(code), {}};
}

}  // namespace

struct TextPacker::State {
  Owned<ZSTD_CCtx> packs{ZSTD_createCCtx()};
  Owned<ZSTD_DCtx> unpacks{ZSTD_createDCtx()};
  Owned<ZSTD_CDict> sample_of_packs;
  Owned<ZSTD_DDict> sample_of_unpacks;
  std::string packed;
};

TextPacker::TextPacker(std::string_view sample) : state_(std::make_unique<State>()) {
  state_->sample_of_packs.reset(ZSTD_createCDict(sample.data(), sample.size(), level));
  state_->sample_of_unpacks.reset(ZSTD_createDDict(sample.data(), sample.size()));
}

TextPacker::~TextPacker() = default;
TextPacker::TextPacker(TextPacker&&) noexcept = default;
TextPacker& TextPacker::operator=(TextPacker&&) noexcept = default;

Result<std::string_view> TextPacker::pack(std::string_view text) {
  auto& packed = state_->packed;
  packed.resize(ZSTD_compressBound(text.size()));
  const auto size = ZSTD_compress_usingCDict(state_->packs.get(), packed.data(), packed.size(), text.data(),
                                             text.size(), state_->sample_of_packs.get());
  if (ZSTD_isError(size) != 0) return failed_to("compressing", size);
  return std::string_view(packed).substr(0, size);
}

Result<std::string> TextPacker::unpack(std::string_view packed, std::size_t most_bytes) const {
  const auto expected = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (expected > most_bytes) return Error{ErrorCode::internal, "expected compressed text, found other bytes", {}};
  std::string text(expected, '\0');
  const auto size = ZSTD_decompress_usingDDict(state_->unpacks.get(), text.data(), text.size(), packed.data(),
                                               packed.size(), state_->sample_of_unpacks.get());
  if (ZSTD_isError(size) != 0) return failed_to("decompressing", size);
  text.resize(size);
  return text;
}

}  // namespace gantry::store
