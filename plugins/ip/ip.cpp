// SPDX-License-Identifier: Apache-2.0
//
// IP: the address that a request comes from decides which hosts may take it, by the beginning of their names: the
// example of the OpenStack operations guide. With the default options an address that begins with 10.1 gets hosts
// called doc..., one with 10.2 hosts called ops..., any other hosts called dev.... Among those that are up, chance
// decides.
#include <gantry/driver.hpp>
#include <gantry/driver/capacity.hpp>

#include <memory>
#include <string>

#include "prefixes.hpp"

namespace {

// Chooses among the usable hosts that have the right name.
class placer {
 public:
  placer(gantry::call& call, const gantry::request& request, const ip_driver::prefixes& prefixes)
      : call_(call),
        address_(gantry::text(call.context().remote_address)),
        names_(request.view().texts("host")),
        found_(gantry::usable_hosts(call, request)),
        choice_(named(prefixes.find(address_))),
        wanted_(request.alternates()) {}

  gantry::code place(std::uint32_t instance) {
    const gantry::code code = choice_.place(instance, wanted_);
    if (code == gantry::code::ok) say(names_[choice_.chosen()]);
    return code;
  }

  void count(gantry::row_counts counts) const {
    found_.rows().for_each([&](std::uint32_t row) { counts[row] = gantry::any_number; });
  }

  // Nova's sentence, and the step behind it.
  std::string reason() const {
    std::string sentence = found_.any_up() ? "Could not find another compute" : "Is the appropriate service running?";
    if (!found_.emptied_by().empty()) sentence += " (" + found_.emptied_by() + ")";
    return sentence;
  }

 private:
  gantry::random_choice named(std::string_view prefix) {
    ip_driver::keep_beginning_with(found_.rows(), names_, prefix);
    found_.step("prefix", "a request from " + gantry::quoted(address_) + " wants a host whose name begins with " +
                              gantry::quoted(prefix));
    found_.explain_all();
    return {call_, found_.rows()};
  }

  void say(std::string_view host) {
    if (!call_.logs(gantry::level::info)) return;
    call_.log(gantry::level::info, "Request from " + std::string(address_) + " scheduled to " + std::string(host));
  }

  gantry::call& call_;
  std::string_view address_;
  gantry::text_column names_;
  gantry::narrowing found_;
  gantry::random_choice choice_;
  std::uint32_t wanted_;
};

class ip final : public gantry::driver {
 public:
  static std::unique_ptr<ip> create(gantry::call& call, const gantry::options& options) {
    auto self = std::make_unique<ip>();
    self->prefixes_.set_default(options.string("default_prefix"));
    for (const gantry_pair& entry : gantry::each(options.table("prefixes"))) {
      if (gantry::text(entry.key).find('/') != std::string_view::npos) {
        call.fail(gantry::code::invalid_argument,
                  "option 'prefixes': expected the beginning of an address as text, such as 10.1, found the network '" +
                      std::string(gantry::text(entry.key)) + "'; name it in the option 'networks'");
        return nullptr;
      }
      self->prefixes_.add_text(gantry::text(entry.key), gantry::text(entry.value));
    }
    for (const gantry_pair& entry : gantry::each(options.table("networks"))) {
      if (self->prefixes_.add_network(gantry::text(entry.key), gantry::text(entry.value))) continue;
      call.fail(gantry::code::invalid_argument,
                "option 'networks': expected a network such as 10.1.0.0/16 or fd00:1::/32, with no bits set behind its "
                "prefix length, found '" +
                    std::string(gantry::text(entry.key)) + "'");
      return nullptr;
    }
    return self;
  }

  gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
    placer hosts(call, request, prefixes_);
    return gantry::place_all(call, request, hosts);
  }

  gantry::code schedule_run_instance(gantry::call& call, const gantry::request& request) override {
    placer hosts(call, request, prefixes_);
    return gantry::place_each(call, request, hosts);
  }

  gantry::code count_capacity(gantry::call& call, const gantry::request& request, gantry::row_counts counts) {
    placer(call, request, prefixes_).count(counts);
    return gantry::code::ok;
  }
  const void* extension(std::string_view id) noexcept override { return gantry::capacity_extension<ip>(id); }

 private:
  ip_driver::prefixes prefixes_;
};

}  // namespace

GANTRY_DRIVER(ip, R"(
id = 'ip'
version = '1.0.0'
description = 'the address that a request comes from decides how the names of its hosts begin'
license = 'Apache-2.0'
vendor = 'Gantry'
topics = ['compute']
threads = 'reentrant'
[columns]
needs = ['host', 'up', 'disabled']
[options.prefixes]
type = 'table'
default = { '10.1' = 'doc', '10.2' = 'ops' }
help = 'beginning of the address, as text = beginning of the host name; the longest that matches counts'
[options.networks]
type = 'table'
default = {}
help = 'network, such as 10.1.0.0/16 = beginning of the host name; asked before prefixes, the longest counts'
[options.default_prefix]
type = 'string'
default = 'dev'
help = 'beginning of the host name for any other address'
)");
