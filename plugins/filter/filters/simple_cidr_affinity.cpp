// SPDX-License-Identifier: Apache-2.0
//
// SimpleCIDRAffinityFilter (from Icehouse on): with the hint build_near_host_ip, a host passes if its host_ip is in
// the network made of that address and the hint cidr ("/24" by default). An invalid address or network is an error.
#include "filters/filters.hpp"
#include "nova/ip_network.hpp"
#include "nova/scheduler_hint.hpp"
#include "rules/refusal.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

constexpr std::string_view simple_cidr_affinity_name = "SimpleCIDRAffinityFilter";

class cidr_run final : public filter_run {
 public:
  cidr_run(const host_table& hosts, cidr_affinity affinity)
      : hosts_(hosts), affinity_(std::move(affinity)), verdicts_(hosts.host_ip.code_count()) {}

  void keep(const block& candidates) override {
    verdicts_.keep(candidates, hosts_.host_ip, [this](std::uint32_t code, std::uint32_t row) {
      const auto address = hosts_.host_ip.text_of(code);
      const auto near = affinity_.holds_for(address ? boost::json::value(*address) : boost::json::value(nullptr));
      if (!near.ok()) refuse(simple_cidr_affinity_name, hosts_, row, near.error());
      return near.value();
    });
  }

  std::optional<mismatch> mismatch_of(std::uint32_t row) override {
    const auto address = hosts_.host_ip[row];
    return mismatch{"host_ip in " + quoted(affinity_.text()) + " (hints build_near_host_ip and cidr)",
                    address ? quoted(*address) : "none"};
  }

 private:
  const host_table& hosts_;
  cidr_affinity affinity_;
  verdict_by_code verdicts_;
};

class simple_cidr_affinity final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    const auto hint = [&asked](std::string_view hint_name) -> const boost::json::value* {
      const auto& hints = asked.request.hints;
      if (!hints) return nullptr;
      if (!asked.options.compatibility->hints_may_be_lists) return hints->if_contains(hint_name);
      return scheduler_hint(*hints, hint_name);
    };
    cidr_affinity affinity(hint("build_near_host_ip"), hint("cidr"));
    if (affinity.empty()) return nullptr;
    return std::make_unique<cidr_run>(asked.hosts, std::move(affinity));
  }
};

}  // namespace

const filter_rule simple_cidr_affinity_filter{simple_cidr_affinity_name, true, false, make_filter<simple_cidr_affinity>,
                                              "its address is not in the network around build_near_host_ip"};

}  // namespace filter_driver
