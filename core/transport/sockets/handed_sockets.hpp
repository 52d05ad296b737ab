// SPDX-License-Identifier: Apache-2.0
//
// Sockets that another process has opened: the gantryd before this one, or the service manager.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/config/listen_address.hpp"
#include "core/config/settings.hpp"
#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::transport {

// A connection without TLS, between two requests or within one that is still arriving.
struct HandedConnection {
  files::Descriptor descriptor;
  std::string input;  // the part of the next request that has been read
};

struct HandedSockets {
  enum class Giver { predecessor, service_manager };
  Giver giver = Giver::predecessor;
  bool keeps_file = false;  // the service manager made the unix socket's file, and removes it
  std::vector<files::Descriptor> listening;
  std::vector<HandedConnection> connections;
};

// Returns where a socket listens, as in the configuration: "/run/gantry/gantry.sock", "127.0.0.1:8774". Empty if the
// socket does not listen, or is of a kind that gantryd does not serve.
std::string place_of(const files::Descriptor& socket);

// Take the socket that listens at the path or address out of the list. A port of 0 fits every port. nullopt: there is
// none.
std::optional<files::Descriptor> take_listening(std::vector<files::Descriptor>& from, const std::string& path);
std::optional<files::Descriptor> take_listening(std::vector<files::Descriptor>& from,
                                                const config::ListenAddress& address);

// Refuses sockets of the service manager at places that the configuration does not name.
Result<void> check_all_named(const HandedSockets& handed, const config::Settings::Server& settings);

}  // namespace gantry::transport
