// SPDX-License-Identifier: Apache-2.0
//
// A driver of methods alone, for a service with a topic of its own: take_seats
// claims seats on the first host that has them and tells its service. Rename
// it, then change take_seats.
#include <gantry/driver.hpp>

namespace {

// One instance. A reload makes a second one with other options while the first
// one works, and ends the first one then: all that an instance knows is in its
// members, and nothing is in static variables.
class seat_keeper_driver final : public gantry::driver {
 public:
  explicit seat_keeper_driver(std::int64_t most_seats) : most_seats_(most_seats) {}
  static std::unique_ptr<seat_keeper_driver> create(gantry::call&, const gantry::options& options) {
    return std::make_unique<seat_keeper_driver>(options.integer("most_seats"));
  }

  // The host calls methods of the manifest alone. Here is one.
  gantry::code call_method(gantry::call& call, const gantry::method_call& method) override {
    return take_seats(call, method);
  }

 private:
  // take_seats(consumer, seats): claims and tells, all or nothing.
  gantry::code take_seats(gantry::call& call, const gantry::method_call& method) const {
    const gantry::json_value args(method.args());
    const std::string consumer = args["consumer"].text().value_or("");
    const std::int64_t wanted = args["seats"].integer().value_or(0);
    if (consumer.empty() || consumer.size() > 64)
      return call.fail(gantry::code::invalid_argument, "consumer: expected a text of 1 to 64 bytes");
    if (wanted < 1 || wanted > most_seats_)
      return call.fail(gantry::code::invalid_argument, "seats: expected a number from 1 to most_seats");

    gantry::bitmap rows = gantry::rows_up(call, method.view());
    rows.keep(method.complete());
    const gantry::column<std::int64_t> seats = method.view().integers("stats.seats");
    for (; !rows.none(); rows.clear(rows.nth(0))) {
      const std::uint32_t row = rows.nth(0);
      // The host of this driver decides whether the claim holds: other calls
      // claim at the same time.
      const gantry::claim_item item("seats", static_cast<double>(wanted), static_cast<double>(seats[row]));
      const gantry::code code = call.claim(row, consumer, {item});
      if (code == gantry::code::ok) return tell(call, row, consumer, wanted);
      if (code != gantry::code::claim_lost) return code;
    }
    return call.fail(gantry::code::no_valid_host, "no host that is up has the seats");
  }

  // Tells the host's service, and the caller.
  static gantry::code tell(gantry::call& call, std::uint32_t row, const std::string& consumer, std::int64_t seats) {
    gantry::json_writer args;
    args.open('{').key("consumer").text(consumer).key("seats").integer(seats).close('}');
    const gantry::code code = call.cast(row, "seats_taken", args.text(), consumer);
    return code != gantry::code::ok ? code : call.reply(args.text());
  }

  std::int64_t most_seats_;
};

}  // namespace

GANTRY_DRIVER(seat_keeper_driver, R"(
id = 'seat_keeper'
version = '0.1.0'
description = 'gives out seats'
license = 'Apache-2.0'
vendor = 'Example'
topics = ['seats']
threads = 'reentrant'
[methods]
'seats' = ['take_seats']
[columns]
needs = ['up', 'disabled', 'stats.seats:i64']
[options.most_seats]
type = 'integer'
default = 8
minimum = 1
maximum = 1000
help = 'the most seats that a call may take'
)");
