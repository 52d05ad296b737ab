// SPDX-License-Identifier: Apache-2.0
//
// client.hpp alone, in C++17, against the shared library.
#include <gantry/client.hpp>

int main() {
  gantry::client::client client("unix:///nonexistent/gantry.sock", R"({"user_id":"u"})", 50);
  if (!client.valid()) return 1;
  const auto reply = client.hosts_up("compute");
  if (reply || reply.failure().code != "unreachable" || reply.request_id().empty()) return 2;
  return gantry::client::client("gopher://x").valid() ? 3 : 0;
}
