// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <thread>

#include "core/encoding/json.hpp"
#include "filter_bench.hpp"
#include "filter_request.hpp"
#include "tests/bench/service/service_child.hpp"

namespace gantry::bench {

NovaAnswer ask_nova(const RunDirectory& run, const FilterPolicy& policy, std::size_t hosts, int times) {
  const auto input = (run.path() / "nova.in").string();
  const auto output = (run.path() / "nova.out").string();
  const auto log = (run.path() / "nova.log").string();
  const auto weighers = zed_weighers();
  const json::object asked{{"filters", json::array(policy.filters.begin(), policy.filters.end())},
                           {"weighers", json::array(weighers.begin(), weighers.end())},
                           {"times", times},
                           {"spec", *json::parse(request_spec({}))}};
  std::ofstream(input) << json::write(asked) << "\n" << nova_hosts(hosts);
  std::filesystem::remove(output);
  {
    const Child python({"/usr/bin/python3", "-B", GANTRY_NOVA_PROGRAM, input, output}, log);
    while (python.running()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::ifstream file(output);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto answer = json::parse_object(text);
  if (!answer) {
    std::ifstream why(log);
    give_up("Nova did not answer (packaging/install-packages --parity): " +
            std::string((std::istreambuf_iterator<char>(why)), std::istreambuf_iterator<char>()));
  }
  NovaAnswer nova;
  nova.seconds = answer->at("seconds").to_number<double>();
  for (const auto& number : answer->at("order").as_array()) nova.order.push_back(number.to_number<std::uint32_t>());
  return nova;
}

}  // namespace gantry::bench
