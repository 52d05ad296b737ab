// SPDX-License-Identifier: Apache-2.0
//
// A small Nova deployment of real parts, RabbitMQ, MariaDB and placement, and gantryd-nova in the place of its
// nova-scheduler. Three hosts in one cell, h1, h2 and h3, with 8 VCPUs each; h1 has the most free memory, h3 the least.
#pragma once

#include <gmock/gmock.h>
#include <gantry/client.hpp>

#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/nova/http/http_outcome.hpp"
#include "tests/end_to_end/running_gantry.hpp"
#include "tests/nova/facts/server/deployment.hpp"
#include "tests/nova/placement/placement_process.hpp"
#include "tests/nova/serve/conductor.hpp"
#include "tests/transport/amqp/running_broker.hpp"

namespace gantry::nova {

// The parts that all tests of the program share.
struct RealParts {
  static RealParts& all();
  // Why the tests are skipped. Empty: they are not.
  std::string reason_to_skip;
  std::unique_ptr<gantry::testing::RunningBroker> broker;
  std::unique_ptr<Conductor> conductor;
  support::ScratchDirectory directory;
  testing::PlacementProcess placement{placement_database()};

 private:
  RealParts();
  // Makes the database, and returns its URL. Empty: there is no server.
  static std::string placement_database();
};

class ServedNova : public Deployment {
 protected:
  // Makes the deployment. Gantry is not started.
  void SetUp() override;
  void TearDown() override;

  // Writes the configuration. `more`: further lines of [nova].
  void configure(const std::string& more = {}, const std::string& driver = "filter") {
    configure(gantry, more, driver);
  }
  void configure(test::RunningGantry& one, const std::string& more, const std::string& driver) const;
  // The same, and starts Gantry, and waits until it serves and consumes.
  void serve(const std::string& more = {}, const std::string& driver = "filter");
  // Starts Gantry once more, after it was killed.
  void serve_again();
  void await_consumer();

  // A request for as many instances as there are uuids, as Nova 26 sends it. `changes` are members of the spec.
  static json::object request_for(const std::vector<std::string>& uuids, const json::object& changes = {});
  static json::object flavor(int vcpus);
  static std::future<Heard> begin(json::object request) { return RealParts::all().conductor->call(std::move(request)); }
  static Heard call(json::object request);
  Heard select(const std::vector<std::string>& uuids, const json::object& changes = {}) {
    return call(request_for(uuids, changes));
  }
  // The chosen host of each instance, or "CLASS: MESSAGE" of the failure.
  static std::vector<std::string> hosts_of(const Heard& heard);

  // Placement, asked directly.
  static HttpOutcome ask_placement(const std::string& verb, const std::string& target, const std::string& body = {});
  // The resources that a consumer holds, by host.
  std::map<std::string, json::object> held(const std::string& consumer) const;
  // Takes VCPUs of a host, as another scheduler would.
  void occupy(const std::string& host, int vcpus, const std::string& consumer = next_uuid()) const;

  std::string journal() const;
  // Waits until the journal has the text in a line of a request that is under way.
  void await_journal(const std::string& text);
  // Calls a method over Gantry's own socket.
  client::reply ask(const std::string& method, const std::string& args = "{}");
  json::object answer(const std::string& method, const std::string& args = "{}");

  // The uuid of a host's provider and compute node.
  static std::string uuid_of_host(const std::string& host);
  static std::string next_uuid();
  void add_host(const std::string& host, int free_ram_mb) const;

  test::RunningGantry gantry;
  bool mirrors_ = false;  // Gantry computes candidates from placement's database
  std::string settings_;  // further lines of gantry.toml, outside [nova]

 private:
  static void empty_placement();
};

}  // namespace gantry::nova
