// SPDX-License-Identifier: Apache-2.0
//
// Volume: a topic of its own with a custom method, create_volume. The volume goes to the host with the most free
// capacity that has room for it: stats.free_capacity_gb as the host reports it, less what claims hold of capacity_gb.
// With near_instance, hosts are asked in this order: the instance's own host, those in its availability zone, all
// others.
//
//   schedule(topic = 'volume', schedule_method = 'create_volume', size = 10)
//   -> {"volume_id": "...", "host": "...", "free_capacity_gb": what is left on the host}
//
// The host's service is sent create_volume with {"volume_id", "size"}.
#include <gantry/driver.hpp>

#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "volume_request.hpp"

namespace {

// The hosts of the topic, what they have left, and how near they are.
class volume_hosts {
 public:
  volume_hosts(gantry::call& call, const gantry::method_call& method, const volume_driver::volume_request& request)
      : found_(call, method.view()),
        names_(method.view().texts("host")),
        zones_(method.view().texts("availability_zone")),
        capacity_(method.view().reals("stats.free_capacity_gb")),
        claims_(method.view().find<gantry::column<double>>("claims.capacity_gb")) {
    found_.rows().keep(method.complete());
    found_.step("complete", "never reported free_capacity_gb");
    if (!request.near_instance.empty()) near_ = call.locate(request.near_instance);
    found_.rows().keep_if([&](std::uint32_t row) {
      most_free_ = std::max(most_free_, free_gb(row));
      return free_gb(row) >= request.size_gb;
    });
    found_.step("free_capacity_gb", lack(request.size_gb));
  }

  // The best host: the nearest, then the one with the most room, then the first.
  std::optional<std::uint32_t> best() const {
    std::optional<std::uint32_t> best;
    found_.rows().for_each([&](std::uint32_t row) {
      if (!best || is_better(row, *best)) best = row;
    });
    return best;
  }
  void drop(std::uint32_t row) { found_.rows().clear(row); }

  double capacity_gb(std::uint32_t row) const { return capacity_[row]; }
  double free_gb(std::uint32_t row) const {
    return capacity_[row] - (claims_ && claims_->has(row) ? (*claims_)[row] : 0);
  }
  std::string_view name(std::uint32_t row) const { return names_[row]; }
  bool found_instance() const { return near_.has_value(); }
  std::string reason() const {
    return found_.emptied_by().empty() ? "other requests took the room that there was" : found_.emptied_by();
  }

 private:
  bool is_better(std::uint32_t row, std::uint32_t than) const {
    if (distance(row) != distance(than)) return distance(row) < distance(than);
    return free_gb(row) > free_gb(than);
  }

  int distance(std::uint32_t row) const {
    if (!near_) return 0;
    if (names_[row] == gantry::text(near_->host)) return 0;
    return zones_[row] == gantry::text(near_->availability_zone) ? 1 : 2;
  }

  std::string lack(double size_gb) const {
    char text[96] = {};
    std::snprintf(text, sizeof text, "%.6g GiB wanted, at most %.6g free on a host", size_gb, most_free_);
    return text;
  }

  gantry::narrowing found_;
  gantry::text_column names_;
  gantry::text_column zones_;
  gantry::column<double> capacity_;
  std::optional<gantry::column<double>> claims_;
  std::optional<gantry_location> near_;
  double most_free_ = -std::numeric_limits<double>::infinity();
};

class volume final : public gantry::driver {
 public:
  gantry::code call_method(gantry::call& call, const gantry::method_call& method) override {
    volume_driver::volume_request request = volume_driver::read_volume_request(method.args());
    if (!request.error.empty()) return call.fail(gantry::code::invalid_argument, request.error);
    if (request.volume_id.empty()) request.volume_id = volume_driver::random_uuid(call);

    volume_hosts hosts(call, method, request);
    if (!request.near_instance.empty() && !hosts.found_instance()) {
      call.log(gantry::level::warning,
               "create_volume: near_instance " + request.near_instance + " is on no host: any host will do");
    }
    while (const std::optional<std::uint32_t> row = hosts.best()) {
      const gantry::code code = create_on(call, *row, hosts, request);
      if (code != gantry::code::claim_lost) return code;
      hosts.drop(*row);
    }
    return call.fail(gantry::code::no_valid_host, hosts.reason());
  }

  gantry::code select_destinations(gantry::call& call, const gantry::request&) override { return no_instances(call); }
  gantry::code schedule_run_instance(gantry::call& call, const gantry::request&) override { return no_instances(call); }

 private:
  static gantry::code create_on(gantry::call& call, std::uint32_t row, const volume_hosts& hosts,
                                const volume_driver::volume_request& request) {
    gantry::code code = call.claim(row, request.volume_id, {{"capacity_gb", request.size_gb, hosts.capacity_gb(row)}});
    if (code != gantry::code::ok) return code;
    code = call.cast(row, "create_volume", volume_driver::cast_json(request.volume_id, request.size_gb),
                     request.volume_id);
    if (code != gantry::code::ok) return code;
    return call.reply(
        volume_driver::reply_json(request.volume_id, hosts.name(row), hosts.free_gb(row) - request.size_gb));
  }

  static gantry::code no_instances(gantry::call& call) {
    return call.fail(gantry::code::unsupported,
                     "the volume driver places volumes, not instances: call schedule with topic 'volume' and "
                     "schedule_method 'create_volume'");
  }
};

}  // namespace

GANTRY_DRIVER(volume, R"(
id = 'volume'
version = '1.0.0'
description = 'a volume on the host with the most free capacity, near an instance if asked'
license = 'Apache-2.0'
vendor = 'Gantry'
topics = ['volume']
threads = 'reentrant'
[methods]
volume = ['create_volume']
[columns]
needs = ['host', 'up', 'disabled', 'stats.free_capacity_gb:f64']
uses = ['availability_zone', 'claims.capacity_gb']
)");
