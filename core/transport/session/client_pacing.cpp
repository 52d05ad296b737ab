// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/client_pacing.hpp"

#include <algorithm>
#include <utility>

#include "core/transport/session/http_limits.hpp"

namespace gantry::transport {

namespace {

constexpr unsigned free_small_reads = 3;

}  // namespace

ClientPacing::ClientPacing(const HttpLimits& limits)
    : longest_pause_(limits.longest_pause), free_denials_(limits.free_denials), most_refusals_(limits.refusals) {}

void ClientPacing::note_read(std::size_t size, std::size_t wanted) {
  small_reads_ = size < std::min(small_read, wanted) ? small_reads_ + 1 : 0;
  if (has_small_reads()) due_ = doubled(small_reads_ - free_small_reads);
}

void ClientPacing::note_request() {
  small_reads_ = 0;
  due_ = {};
}

void ClientPacing::note_answer(unsigned status) {
  // 409 tells a client that asked rightly that no host is free, for example.
  if (status < 400 || status >= 500 || status == 409) {
    refusals_ = denials_ = 0;
    return;
  }
  ++refusals_;
  if (status != 401 && status != 403) return;
  if (++denials_ > free_denials_) due_ = doubled(denials_ - free_denials_ - 1);
}

bool ClientPacing::has_small_reads() const {
  return small_reads_ >= free_small_reads;
}

std::chrono::milliseconds ClientPacing::take_pause() {
  return std::exchange(due_, std::chrono::milliseconds(0));
}

std::chrono::milliseconds ClientPacing::doubled(unsigned times) const {
  constexpr unsigned most_doublings = 6;
  return std::min(longest_pause_, std::chrono::milliseconds(2 << std::min(times, most_doublings)));
}

}  // namespace gantry::transport
