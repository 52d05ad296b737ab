// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/deadlines.hpp"

#include <algorithm>

namespace gantry::transport {

Deadlines::Clock::time_point Deadlines::next(Awaited awaited, bool is_writing) const {
  const auto input = input_deadline(awaited);
  return is_writing ? std::min(input, write_deadline()) : input;
}

Deadlines::Clock::time_point Deadlines::write_deadline() const {
  const std::chrono::duration<double> earned(static_cast<double>(written_) / static_cast<double>(times_.write_rate));
  const auto by_rate = write_began_ + std::chrono::duration_cast<Clock::duration>(earned);
  return std::min(write_progress_, by_rate) + times_.write;
}

Deadlines::Clock::time_point Deadlines::input_deadline(Awaited awaited) const {
  switch (awaited) {
    case Awaited::nothing: break;
    case Awaited::handshake:
    case Awaited::request: return began_ + times_.receive;
    case Awaited::next_request: return active_ + times_.idle;
    case Awaited::end: return closing_since_ + times_.linger;
  }
  return Clock::time_point::max();
}

}  // namespace gantry::transport
