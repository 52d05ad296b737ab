// SPDX-License-Identifier: Apache-2.0
//
// The address of the daemon, in the forms that gantry_client_new accepts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::client_library {

struct Target {
  std::string path;  // path of the unix socket; empty: TCP
  std::string host;
  std::string port;
  bool is_secret = false;  // https

  bool is_unix() const { return !path.empty(); }
  // True if the traffic is encrypted or does not leave this machine.
  bool is_private() const;
  std::string text() const;  // "unix:///run/gantry/gantry.sock", "https://host:port"
};

// Parses a path, unix:///path, http://host:port or https://host:port. Returns nullopt for any other form.
std::optional<Target> parse_target(std::string_view text);

// Returns $GANTRY_URL if it is set and not empty, else the socket of the packaged daemon.
std::string default_target();

}  // namespace gantry::client_library
