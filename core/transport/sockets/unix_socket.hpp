// SPDX-License-Identifier: Apache-2.0
//
// Makes the listening unix socket: in a directory that strangers cannot write to, never in place of a socket that
// another process serves, and closed to clients until mode and group are set. Names the peer of a connection.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "core/config/settings.hpp"
#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::transport {

using files::Descriptor;

// A unix socket that listens, and its file.
struct UnixListener {
  Descriptor descriptor;  // listening, non-blocking
  std::string path;
  dev_t device = 0;  // device and inode identify the file that this process made
  ino_t inode = 0;

  // Removes the socket's file. Leaves another file that has taken its place.
  void remove_file() const;
};

// Returns the group that the settings name for the socket. nullopt if they name none: the socket gets the group of the
// process. invalid_configuration: the system has no group of that name.
Result<std::optional<gid_t>> group_of(const config::Settings::Server& settings);

// Checks owner and mode of the socket's directory. Returns whether the directory is there.
Result<bool> check_directory_of(const config::Settings::Server& settings);

// Makes the socket and listens. Waits up to 3 s for another gantryd that starts in the same directory.
Result<UnixListener> listen_at(const config::Settings::Server& settings);

// Goes on with a socket that another process has made at settings.socket, with the mode and group of the settings.
Result<UnixListener> take_over(Descriptor listening, const config::Settings::Server& settings);

// Returns the peer of a connection, for the log: "unix uid=1000 pid=4711". "unix" if the kernel does not know the peer.
std::string peer_of(int connection);

}  // namespace gantry::transport
