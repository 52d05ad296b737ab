// SPDX-License-Identifier: Apache-2.0
//
// Refuses the heads of requests that another recipient, a proxy above all, might read otherwise (RFC 9112, 3.2, 6.1 and
// 6.3): then bytes of one client's body could pass for another client's request.
#pragma once

#include <boost/beast/http/fields.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::transport {

struct FramingFault {
  unsigned status;      // 400, or 501 for transfer codings that are not known here
  std::string message;  // expected and found
};

// Judges a whole head, without trailers. `version` is 10 or 11. nullopt: the head means one thing only.
std::optional<FramingFault> framing_fault_of(const boost::beast::http::fields& head, unsigned version);

// Returns whether a line of the head goes on in the next line, which is obsolete (RFC 9112, 5.2). `bytes` begin with a
// line of the head; looks at the line ends from `from` on, as far as the end of the head.
bool has_folded_line(std::string_view bytes, std::size_t from);

}  // namespace gantry::transport
