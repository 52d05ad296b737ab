// SPDX-License-Identifier: Apache-2.0
//
// Where the daemon is: the forms that gantry_client_new takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::client_library {

struct Target {
  std::string path;  // of the unix socket; empty: TCP
  std::string host;
  std::string port;
  bool is_secret = false;  // https

  bool is_unix() const { return !path.empty(); }
  // Whether nobody but this machine can listen in.
  bool is_private() const;
  std::string text() const;  // "unix:///run/gantry/gantry.sock", "https://host:port"
};

// A path, unix:///path, http://host:port or https://host:port; nullopt: another form.
std::optional<Target> parse_target(std::string_view text);

// $GANTRY_URL if it is set and not empty, else the packaged daemon's socket.
std::string default_target();

}  // namespace gantry::client_library
