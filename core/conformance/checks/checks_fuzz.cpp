// SPDX-License-Identifier: Apache-2.0
//
// Random cases: a fleet, requests and an order of operations, made from a seed.
#include <functional>

#include "core/conformance/bench.hpp"
#include "core/conformance/checks/checks.hpp"
#include "gantry/testing/json_check.hpp"

namespace gantry::conformance {
namespace {

using testing::fake_request;
using testing::host_row;
using testing::outcome;
using Chance = testing::seeded_random;

bool one_in(Chance& chance, std::uint64_t count) {
  return chance.next() % count == 0;
}
const std::string& odd_text(Chance& chance) {
  return odd_texts()[chance.next() % odd_texts().size()];
}
std::string some_text(Chance& chance, const std::string& usual) {
  return one_in(chance, 3) ? odd_text(chance) : usual;
}
std::optional<std::int64_t> some_number(Chance& chance, std::int64_t usual) {
  switch (chance.next() % 8) {
    case 0: return std::nullopt;
    case 1: return 0;
    case 2: return -1;
    case 3: return std::int64_t{1} << (chance.next() % 63);
    default: return usual;
  }
}

std::vector<host_row> some_hosts(const Unit& unit, Chance& chance) {
  static constexpr std::size_t sizes[] = {0, 1, 2, 7, 64, 65, 200};
  std::vector<host_row> rows = fleet(unit, chance.next() % 1'000'000, sizes[chance.next() % 7], one_in(chance, 2));
  for (host_row& row : rows) {
    row.up = !one_in(chance, 6);
    row.disabled = one_in(chance, 8);
    row.forced_down = one_in(chance, 20);
    if (one_in(chance, 4))
      row.aggregates = {{.id = 7, .name = "fast", .metadata = {{"ssd", "true"}, {"filter_tenant_id", "project"}}}};
    for (auto& [name, value] : row.columns)
      if (auto* const json = std::get_if<testing::json_text>(&value); json != nullptr && one_in(chance, 6))
        json->text = one_in(chance, 2) ? "{}" : json_string(odd_text(chance));
  }
  return rows;
}

void add_group(fake_request& request, Chance& chance, std::uint32_t rows) {
  static const std::vector<std::string> policies = {"affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity"};
  request.group = testing::fake_group{};
  request.group->policy = some_text(chance, policies[chance.next() % policies.size()]);
  request.group->members = request.instance_uuids;
  if (rows != 0) request.group->member_rows = {static_cast<std::uint32_t>(chance.next() % rows)};
  if (one_in(chance, 3)) request.group->rules = R"({"max_server_per_host":2})";
}

fake_request some_request(Chance& chance, std::uint32_t number, std::uint32_t rows) {
  fake_request request = small_request(static_cast<std::uint32_t>(1 + chance.next() % 5), number);
  request.alternates = static_cast<std::uint32_t>(chance.next() % 4);
  request.vcpus = some_number(chance, 2);
  request.memory_mb = some_number(chance, 2048);
  request.root_gb = some_number(chance, 10);
  request.ephemeral_gb = some_number(chance, 0);
  request.flavor = some_text(chance, "small");
  if (one_in(chance, 4)) request.availability_zone = some_text(chance, "west");
  if (one_in(chance, 6)) request.force_hosts = {some_text(chance, "dev-0")};
  if (one_in(chance, 4)) request.ignore_hosts = {some_text(chance, "dev-3")};
  if (one_in(chance, 6)) request.requested_host = some_text(chance, "dev-0");
  if (one_in(chance, 3)) request.hints = {{"group", {odd_text(chance)}}, {"same_host", {some_text(chance, "x")}}};
  if (one_in(chance, 3)) request.extra_specs = {{some_text(chance, "hw:cpu_policy"), some_text(chance, "shared")}};
  if (one_in(chance, 3)) request.image_properties = {{"hw_architecture", some_text(chance, "x86_64")}};
  if (one_in(chance, 4)) add_group(request, chance, rows);
  if (one_in(chance, 8)) request.instance_uuids.clear();
  if (one_in(chance, 3)) request.explain_hosts = static_cast<std::uint32_t>(chance.next() % 4);
  if (one_in(chance, 4)) {
    request.eligible.emplace();
    for (std::uint32_t row = 0; row < rows; ++row)
      if (one_in(chance, 2)) request.eligible->insert(row);
  }
  return request;
}

std::string some_args(Chance& chance) {
  switch (chance.next() % 4) {
    case 0: return "{}";
    case 1: return usual_args();
    case 2: return "{" + json_string(odd_text(chance)) + ":" + json_string(odd_text(chance)) + "}";
    default:
      return R"({"amount":-1,"count":1e9,"host":)" + json_string(odd_text(chance)) + R"(,"id":[],"size":0,"text":)" +
             json_string(odd_text(chance)) + R"(,"volume_id":"a"})";
  }
}

void bend_host(Host& host, Chance& chance) {
  host.seed = chance.next();
  host.poison = one_in(chance, 2) ? 1 : 0;
  if (one_in(chance, 10)) host.has_scratch = false;
  if (one_in(chance, 6)) host.polls_until_stop = chance.next() % 20;
  const std::uint64_t lost = chance.next() % 4;
  if (lost != 0) host.admits = [lost](const testing::picked& pick) { return pick.row % 4 != lost; };
  if (one_in(chance, 3)) host.loses_claim = [] { return true; };
}

// Plays up to five operations of the seed to the instance. Adds the answers to `text`.
Verdict play_case(Instance& instance, Subject& subject, std::string& text) {
  const Unit& unit = instance.unit();
  Chance chance(subject.seed());
  const std::vector<std::string> methods = methods_of(subject);
  for (std::uint64_t operation = 0, count = 1 + chance.next() % 5; operation < count; ++operation) {
    Host host(unit, subject, some_hosts(unit, chance));
    bend_host(host, chance);
    const auto rows = static_cast<std::uint32_t>(host.rows().size());
    const fake_request request = some_request(chance, static_cast<std::uint32_t>(operation), rows);
    outcome result;
    const std::uint64_t choice = chance.next() % 5;
    if (unit.driver == nullptr) {
      text += instance.play(host, request);
    } else if (!methods.empty() && (choice == 0 || unit.driver->select_destinations == nullptr)) {
      result = instance.method(host, methods[chance.next() % methods.size()], some_args(chance));
    } else if (choice == 1) {
      result = instance.schedule(host, request);
    } else if (choice == 2) {
      result = instance.capacity(host, request).value_or(outcome{});
    } else {
      result = instance.select(host, request);
    }
    text += text_of(result);
    const std::string where = " (operation " + std::to_string(operation + 1) + ")";
    if (!result.misuse.empty()) return failed("results as driver.h has them", result.misuse.front() + where);
    if (!testing::is_utf8(result.sentence)) return failed("a sentence in UTF-8", "another text" + where);
    if (!host.bad_line.empty()) return failed("lines with a text and a level of driver.h", host.bad_line + where);
    // Explanations may look for disabled_reason, which the host has for each driver.
    if (!host.undeclared.empty() && request.explain_hosts == GANTRY_EXPLAIN_NONE)
      return failed("columns that the manifest names", "a read of '" + *host.undeclared.begin() + "'" + where);
  }
  return {};
}

Verdict play_twice(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    std::string texts[2];
    for (std::string& text : texts) {
      const auto instance = Instance::create(unit, subject, options_for(subject, unit));
      if (instance == nullptr) return failed("an instance", "a create that failed");
      Verdict verdict = play_case(*instance, subject, text);
      if (verdict.state == State::failed) return verdict;
    }
    if (texts[0] == texts[1] || unit.decides_from_history) return Verdict{};
    return failed("the same answers of a second instance: " + texts[0].substr(0, 200), texts[1].substr(0, 200));
  });
}

Rule random_case(std::string_view id, std::uint32_t seeds) {
  return {id,         Grade::silver, "Random fleets, requests and orders of operations do no harm", "", "", "driver.h",
          play_twice, seeds};
}

}  // namespace

const Rule& fuzz() {
  static const Rule one = random_case("fuzz", 1);
  return one;
}

const Rule& fuzz_batch() {
  static const Rule batch = random_case("fuzz-batch", 50);
  return batch;
}

}  // namespace gantry::conformance
