// SPDX-License-Identifier: Apache-2.0
//
// A sound driver that the build bends: MISTAKE names one thing that it does wrong.
#include <gantry/driver.hpp>

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace {

enum class mistake {
  none,
  reads_an_undeclared_column,
  reads_behind_nulls,
  sets_no_limit,
  ends_at_a_lost_claim,
  shares_its_options,
  draws_from_the_library,
  draws_from_its_process,
  misspells_an_option,
  writes_json_by_hand,
  casts_after_a_lost_claim,
  casts_elsewhere,
  ends_at_a_lost_claim_of_a_method,
  says_no_host_when_late,
  knows_each_bit,
  refuses_a_later_minor
};
constexpr mistake made = mistake::MISTAKE;

std::int64_t shared_reserve_mb = 0;

class roomy_hosts {
 public:
  roomy_hosts(gantry::call& call, const gantry::request& request, std::int64_t reserve_mb)
      : call_(call),
        found_(gantry::candidates(call, request)),
        memory_mb_(request.view().integers("memory_mb")),
        reserve_mb_(made == mistake::shares_its_options ? shared_reserve_mb : reserve_mb) {
    if (made == mistake::reads_an_undeclared_column)
      (void)request.view().find<gantry::column<double>>("free_ram_mb").has_value();
    const gantry::flag_column up = request.view().flags("up");
    for (std::uint32_t row = 0; made == mistake::reads_behind_nulls && row < request.view().rows(); ++row)
      if (up[row]) found_.rows().set(row);
    const gantry::column<double> used = request.view().reals("memory_mb_used");
    const auto wanted = static_cast<double>(request.memory_mb());
    found_.rows().keep_if([&](std::uint32_t row) { return used[row] + wanted <= limit(row); });
    found_.step("memory_mb", "they have too little memory left");
    found_.explain_all();
  }

  gantry::code place(std::uint32_t instance) {
    while (!found_.rows().none()) {
      if (made == mistake::says_no_host_when_late && call_.should_stop()) return gantry::code::no_valid_host;
      std::uint64_t chance = call_.random();
      if (made == mistake::draws_from_the_library) chance = static_cast<std::uint64_t>(std::rand());
      if (made == mistake::draws_from_its_process) chance = static_cast<std::uint64_t>(::getpid());
      const std::uint32_t row = found_.rows().nth(static_cast<std::uint32_t>(chance % found_.rows().count()));
      gantry::limits limits;
      if (made != mistake::sets_no_limit) limits.memory_mb = limit(row);
      const gantry::code code = call_.pick(instance, row, limits);
      if (code != gantry::code::claim_lost || made == mistake::ends_at_a_lost_claim) return code;
      found_.rows().clear(row);
    }
    return gantry::code::no_valid_host;
  }

  std::string_view reason() const {
    return found_.emptied_by().empty() ? "no host has the memory any more" : std::string_view(found_.emptied_by());
  }

 private:
  double limit(std::uint32_t row) const { return static_cast<double>(memory_mb_[row] - reserve_mb_); }

  gantry::call& call_;
  gantry::narrowing found_;
  gantry::column<std::int64_t> memory_mb_;
  std::int64_t reserve_mb_;
};

class flawed_driver final : public gantry::driver {
 public:
  explicit flawed_driver(std::int64_t reserve_mb) : reserve_mb_(reserve_mb) { shared_reserve_mb = reserve_mb; }
  static std::unique_ptr<flawed_driver> create(gantry::call& call, const gantry::options& options) {
    if (made == mistake::refuses_a_later_minor && call.host().raw().abi_minor != GANTRY_ABI_MINOR)
      throw gantry::failure(gantry::code::unsupported, "built for another minor");
    return std::make_unique<flawed_driver>(made == mistake::misspells_an_option ? 0 : options.integer("reserve_mb"));
  }

  gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
    if (made == mistake::knows_each_bit && request.raw().present > 0xff)
      return call.fail(gantry::code::invalid_argument, "an unknown bit");
    roomy_hosts hosts(call, request, reserve_mb_);
    return gantry::place_all(call, request, hosts);
  }
  gantry::code schedule_run_instance(gantry::call& call, const gantry::request& request) override {
    roomy_hosts hosts(call, request, reserve_mb_);
    return gantry::place_each(call, request, hosts);
  }

  gantry::code call_method(gantry::call& call, const gantry::method_call& method) override {
    if (method.method() == "reserve") return reserve(call, method);
    if (method.method() != "greet")
      return call.fail(gantry::code::invalid_argument, "there are the methods 'greet' and 'reserve'");
    if (made != mistake::writes_json_by_hand) return call.reply("{}");
    constexpr std::string_view key = "\"name\":\"";
    const std::string_view args = method.args();
    const std::size_t begin = args.find(key);
    if (begin == std::string_view::npos) return call.reply("{}");
    const std::size_t from = begin + key.size();
    return call.reply("{\"hello\":\"" + std::string(args.substr(from, args.find('"', from) - from)) + "\"}");
  }

 private:
  // Claims a seat on the first host that has one, and tells the host.
  static gantry::code reserve(gantry::call& call, const gantry::method_call& method) {
    const std::uint32_t rows = method.view().rows();
    for (std::uint32_t row = 0; row < rows; ++row) {
      const gantry::code claimed = call.claim(row, "a", {{"seats", 1, 100}});
      if (claimed != gantry::code::ok && made == mistake::ends_at_a_lost_claim_of_a_method) return claimed;
      if (claimed != gantry::code::ok && made != mistake::casts_after_a_lost_claim) continue;
      const std::uint32_t to = made == mistake::casts_elsewhere ? (row + 1) % rows : row;
      const gantry::code sent = call.cast(to, "reserved", "{}");
      return sent == gantry::code::ok ? call.reply("{}") : sent;
    }
    return call.fail(gantry::code::no_valid_host, "no host has a seat left");
  }

  std::int64_t reserve_mb_;
};

}  // namespace

GANTRY_DRIVER(flawed_driver, R"(
id = 'flawed'
version = '1.0.0'
description = 'a driver that the tests of the rules bend'
license = 'Apache-2.0'
vendor = 'Gantry'
topics = ['compute']
threads = 'serial'
[methods]
compute = ['greet', 'reserve']
[columns]
needs = ['up', 'disabled', 'host', 'memory_mb', 'memory_mb_used']
uses = ['hypervisor_hostname']
[options.reserve_mb]
type = 'integer'
default = 0
minimum = 0
maximum = 200000
help = 'MiB kept free on each host'
)");
