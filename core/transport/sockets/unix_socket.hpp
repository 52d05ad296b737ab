// SPDX-License-Identifier: Apache-2.0
//
// A listening unix socket: made where it is safe to make one, never in place of one that somebody serves, reachable
// only after its mode and group are set. And who is at the other end of a connection.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "core/config/settings.hpp"
#include "core/result.hpp"

namespace gantry::transport {

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;

  int get() const { return number_; }
  int release();

 private:
  int number_;
};

struct UnixListener {
  Descriptor descriptor;  // listening, non-blocking
  std::string path;
  dev_t device = 0;  // of the file, so that only our own is removed
  ino_t inode = 0;

  // Removes the file unless another has taken its place.
  void remove_file() const;
};

// The group that the socket is to have; none: as the process has it.
Result<std::optional<gid_t>> group_of(const config::Settings::Server& settings);

Result<UnixListener> listen_at(const config::Settings::Server& settings);

// "unix uid=1000 pid=4711"; "unix" if the kernel does not say.
std::string peer_of(int connection);

}  // namespace gantry::transport
