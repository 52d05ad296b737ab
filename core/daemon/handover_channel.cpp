// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/handover_channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/files/errno_text.hpp"

namespace gantry::daemon {

namespace {

constexpr std::size_t most_message = 2 * most_handover_bytes;
constexpr std::size_t control_size = CMSG_SPACE(most_handover_descriptors * sizeof(int));

Error gone(const std::string& why) {
  return Error{ErrorCode::unavailable, why, {}};
}

// The facts on one line, then the bytes.
std::string text_of(const HandoverMessage& message) {
  json::object facts = message.facts;
  facts["kind"] = message.kind;
  return json::write(facts) + "\n" + message.bytes;
}

Result<HandoverMessage> message_of(std::string_view text) {
  const auto end = std::min(text.find('\n'), text.size());
  auto facts = json::parse_object(text.substr(0, end));
  if (!facts) return std::move(facts).error();
  HandoverMessage message;
  message.kind = std::string(json::find_string(*facts, "kind").value_or(""));
  message.facts = *std::move(facts);
  message.bytes = std::string(text.substr(std::min(end + 1, text.size())));
  return message;
}

std::vector<files::Descriptor> descriptors_of(msghdr& header) {
  std::vector<files::Descriptor> found;
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    std::vector<int> numbers(count);
    std::memcpy(numbers.data(), CMSG_DATA(part), count * sizeof(int));
    for (const int number : numbers) found.emplace_back(number);
  }
  return found;
}

void add_descriptors(msghdr& header, std::array<char, control_size>& control,
                     const std::vector<files::Descriptor>& descriptors) {
  if (descriptors.empty()) return;
  std::vector<int> numbers;
  numbers.reserve(descriptors.size());
  for (const auto& descriptor : descriptors) numbers.push_back(descriptor.number());
  const std::size_t size = numbers.size() * sizeof(int);
  header.msg_control = control.data();
  header.msg_controllen = CMSG_SPACE(size);
  cmsghdr* const part = CMSG_FIRSTHDR(&header);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(size);
  std::memcpy(CMSG_DATA(part), numbers.data(), size);
}

}  // namespace

Result<std::pair<HandoverChannel, HandoverChannel>> HandoverChannel::make() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{ErrorCode::resource_exhausted, "socketpair: " + files::errno_text(errno), {}};
  // Each message fits as a whole. A receiver that does not read must not hold the sender.
  const timeval patience{5, 0};
  const int room = 4 * most_message;
  for (const int end : ends) {
    setsockopt(end, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  }
  return std::pair(HandoverChannel(files::Descriptor(ends[0])), HandoverChannel(files::Descriptor(ends[1])));
}

Result<void> HandoverChannel::send(const HandoverMessage& message) {
  std::string text = text_of(message);
  iovec part{text.data(), text.size()};
  alignas(cmsghdr) std::array<char, control_size> control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  add_descriptors(header, control, message.descriptors);
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket_.number(), &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) return gone("sendmsg: " + files::errno_text(errno));
  return {};
}

Result<std::optional<HandoverMessage>> HandoverChannel::receive(std::chrono::steady_clock::time_point until) {
  pollfd awaited{socket_.number(), POLLIN, 0};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
  const int ready = poll(&awaited, 1, static_cast<int>(std::clamp<long long>(left, 0, 3'600'000)));
  if (ready < 0 && errno != EINTR) return gone("poll: " + files::errno_text(errno));
  if (ready <= 0) return std::optional<HandoverMessage>();
  std::string text(most_message, '\0');
  iovec part{text.data(), text.size()};
  alignas(cmsghdr) std::array<char, control_size> control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  const msghdr unused = header;
  ssize_t size = -1;
  // The kernel tells first, once, that the other side has ended without reading all, then what that side had sent.
  for (int attempt = 0; attempt < 3 && size < 0 && (attempt == 0 || errno == ECONNRESET || errno == EINTR); ++attempt) {
    header = unused;
    size = recvmsg(socket_.number(), &header, MSG_CMSG_CLOEXEC);
  }
  if (size <= 0) return gone(size == 0 ? "it has closed the connection" : "recvmsg: " + files::errno_text(errno));
  auto descriptors = descriptors_of(header);
  auto message = message_of(std::string_view(text).substr(0, static_cast<std::size_t>(size)));
  if (!message) return std::move(message).error();
  message->descriptors = std::move(descriptors);
  return std::optional(*std::move(message));
}

}  // namespace gantry::daemon
