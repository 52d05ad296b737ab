// SPDX-License-Identifier: Apache-2.0
//
// The kind schedule: a whole request through the driver's own decision, on the SDK's fake host. Recorded answers to
// claims stand in for the core's answers to picks; a host without an allocation request cannot be claimed. Each claim and
// each selection takes the allocation request that Nova's takes.
#include <gantry/driver/failure.hpp>

#include "decision/decision.hpp"
#include "nova/object.hpp"
#include "tests/parity/recorded_call.hpp"
#include "tests/parity/recorded_candidates.hpp"
#include "tests/parity/recorded_numa.hpp"
#include "tests/parity/recorded_request.hpp"
#include "tests/parity/recorded_view.hpp"

namespace filter_driver::parity {

namespace {

namespace json = boost::json;
using gantry::testing::picked;

settings settings_of(const json::object& record) {
  auto options = recorded_settings(record);
  options.enabled_filters.clear();
  for (const auto& each : record.at("filters").as_array()) options.enabled_filters.emplace_back(each.as_string());
  options.weight_classes.clear();
  for (const auto& each : record.at("weighers").as_array())
    options.weight_classes.emplace_back(each.as_object().at("name").as_string());
  options.ignore_placement_requirements = true;  // placement has answered already
  return options;
}

std::vector<bool> services_up_of(const json::object& record) {
  std::vector<bool> all;
  if (const auto* const list = record.if_contains("service_up"); list != nullptr && list->is_array()) {
    for (const auto& each : list->as_array()) all.push_back(each.as_bool());
  }
  return all;
}

gantry::testing::fake_request request_of(const json::object& record) {
  gantry::testing::fake_request request;
  request.spec = json::serialize(recorded_spec(record));
  request.instance_uuids = nova_texts(record.if_contains("instance_uuids"));
  const auto* const count = record.at("spec").as_object().if_contains("num_instances");
  request.instances = static_cast<std::uint32_t>(request.instance_uuids.size());
  if (request.instances == 0) request.instances = count == nullptr ? 1 : count->to_number<std::uint32_t>();
  const auto* const attempts = record.at("config").as_object().if_contains("scheduler.max_attempts");
  const std::uint32_t alternates = (attempts == nullptr ? 3 : attempts->to_number<std::uint32_t>()) - 1;
  // More than are wanted, as those that cannot be claimed are left out of them afterwards.
  if (record.at("return_alternates").as_bool() && alternates > 0)
    request.alternates = alternates + static_cast<std::uint32_t>(record.at("hosts").as_array().size());
  return request;
}

// For each row its allocation requests. nullptr: it has none.
std::vector<const json::array*> requests_by_row(const json::object& record) {
  const auto* const requests = record.at("alloc_reqs_by_rp_uuid").if_object();
  std::vector<const json::array*> by_row;
  for (const auto& host : record.at("hosts").as_array()) {
    const auto* const own =
        requests == nullptr ? nullptr : requests->if_contains(host.as_object().at("uuid").as_string());
    by_row.push_back(own == nullptr || own->as_array().empty() ? nullptr : &own->as_array());
  }
  return by_row;
}

// Answers picks from the record: false for hosts that cannot be claimed, and what placement answered for the others.
class claims {
 public:
  // Reads all that it needs of the record, since the fake host that calls it lets no exception through.
  claims(const json::object& record, const recorded_candidates& candidates)
      : candidates_(candidates), requests_(requests_by_row(record)) {
    for (const auto& answer : record.at("claims").as_array()) {
      answers_.push_back(answer.as_object().at("ok").as_bool());
      const auto* const claimed = answer.as_object().if_contains("alloc_req");
      claimed_.push_back(claimed == nullptr ? std::string() : json::serialize(*claimed));
    }
    are_offered_ = record.at("alloc_reqs_by_rp_uuid").is_object();
    claims_ = are_offered_ && record.at("instance_uuids").is_array();
  }

  bool can_be_claimed(std::uint32_t row) const { return !are_offered_ || requests_[row] != nullptr; }
  bool operator()(const picked& pick) {
    if (!claims_) return true;
    if (!can_be_claimed(pick.row)) return false;
    if (next_ >= answers_.size()) return true;
    if (claimed_[next_] != request_of(pick) && difference_.empty())
      difference_ = "claim " + std::to_string(next_) + ": expected " + claimed_[next_] + ", found " + request_of(pick);
    return answers_[next_++];
  }
  // Whether all that were recorded were asked for.
  bool used_up() const { return !claims_ || next_ == answers_.size(); }
  // The first claim of another allocation request, in words. Empty: there is none.
  const std::string& difference() const { return difference_; }
  // The allocation request that goes with the choice, as JSON. "null": none.
  std::string request_of(const picked& choice) const {
    const int number = candidates_.number_of(choice.row, choice.providers);
    if (!are_offered_ || number < 0) return "null";
    return json::serialize((*requests_[choice.row])[static_cast<std::size_t>(number)]);
  }
  bool are_made() const { return claims_; }

 private:
  const recorded_candidates& candidates_;
  std::vector<const json::array*> requests_;  // by row
  std::vector<bool> answers_;
  std::vector<std::string> claimed_;  // the allocation request of each
  bool are_offered_ = false;
  bool claims_ = false;
  std::size_t next_ = 0;
  std::string difference_;
};

// Has the request offer the candidates. Before Antelope a host without one is seen at its pick alone.
void offer(const json::object& record, const recorded_candidates& candidates, gantry::testing::fake_request& request) {
  if (!release_of(record)->filters_judge_candidates || !record.at("alloc_reqs_by_rp_uuid").is_object()) return;
  request.candidates = candidates.offered();
  auto& eligible = request.eligible.emplace();
  for (std::uint32_t row = 0; row < record.at("hosts").as_array().size(); ++row) {
    eligible.insert(row);
    if (!candidates.has_any(row)) request.unclaimable.insert(row);
  }
}

std::string difference_of_selection(const json::object& expected, const picked& found, const claims& answers) {
  const std::string wanted =
      nova_text(expected, "service_host").value_or("") + " " + nova_text(expected, "nodename").value_or("");
  if (wanted != found.host + " " + found.node)
    return "expected the host " + wanted + ", found " + found.host + " " + found.node;
  const auto claimed = nova_text(expected, "allocation_request").value_or("null");
  if (answers.are_made() && json::parse(claimed) != json::parse(answers.request_of(found)))
    return "expected the allocation request " + claimed + ", found " + answers.request_of(found);
  const auto* const limits = nova_object_field(expected, "limits");
  for (const auto* const name : {"vcpu", "memory_mb", "disk_gb"}) {
    if (limits != nullptr && nova_field(*limits, name) != nullptr)
      return std::string("limits.") + name + " is expected";
  }
  const auto other = json::parse(found.other_limits.empty() ? "{}" : found.other_limits);
  const auto difference =
      difference_of(readable(read_numa_limits(limits == nullptr ? json::value() : member(*limits, "numa_topology"))),
                    readable(read_numa_limits(member(other.as_object(), "numa_topology"))));
  return difference.empty() ? difference : "limits: " + difference;
}

// For each instance its host, then its alternates.
verdict compare(const json::array& expected, const gantry::testing::outcome& found, const claims& answers,
                std::size_t most) {
  if (expected.size() != found.picks.size())
    return differs("expected " + std::to_string(expected.size()) + " instances, found " +
                   std::to_string(found.picks.size()));
  for (std::size_t instance = 0; instance < expected.size(); ++instance) {
    std::vector<const picked*> all{&found.picks[instance]};
    for (const auto& each : found.alternates) {
      if (each.instance == instance && all.size() <= most && answers.can_be_claimed(each.row)) all.push_back(&each);
    }
    const auto& wanted = expected[instance].as_array();
    const auto where = "instance " + std::to_string(instance);
    for (std::size_t at = 0; at < wanted.size() && at < all.size(); ++at) {
      const auto why = difference_of_selection(wanted[at].as_object(), *all[at], answers);
      if (!why.empty()) return differs(where + ", selection " + std::to_string(at) + ": " + why);
    }
    if (wanted.size() != all.size())
      return differs(where + ": expected " + std::to_string(wanted.size() - 1) + " alternates, found " +
                     std::to_string(all.size() - 1));
  }
  return {};
}

verdict compare_refusal(const json::object& expected, gantry::code code, const std::string& sentence) {
  const auto* const raised = expected.if_contains("raises");
  if (raised == nullptr) return differs("refused: " + sentence);
  const bool is_no_valid_host = raised->as_string() == "NoValidHost";
  if (is_no_valid_host == (code == gantry::code::no_valid_host)) return {};
  return differs("expected " + json::serialize(expected) + ", refused: " + sentence);
}

}  // namespace

verdict check_schedule(const json::object& record) {
  const auto& expected = record.at("expected").as_object();
  const policy rules(settings_of(record));
  auto description = request_of(record);
  const auto requests = readable(read_pci_requests(recorded_request(record).pci_requests));
  const recorded_candidates candidates(requests_by_row(record), requests);
  offer(record, candidates, description);
  recorded_call call(rows_of_host_states(record.at("hosts").as_array(), services_up_of(record)));
  for (const auto& host : record.at("hosts").as_array()) {
    for (const auto& each : host.as_object().at("instances").as_array()) {
      auto& instance = call.host().instances[std::string(each.as_object().at("uuid").as_string())];
      instance.host = host.as_object().at("host").as_string();
      instance.node = host.as_object().at("nodename").as_string();
    }
  }
  claims answers(record, candidates);
  call.host().admits = [&answers](const picked& pick) { return answers(pick); };
  const auto request = call.request(description);
  document_cache documents;
  try {
    decision whole(call.call(), request, rules, documents);
    auto code = gantry::place_all(call.call(), request, whole);
    if (code == gantry::code::ok) code = whole.offer_alternates();
    if (code != gantry::code::ok) return compare_refusal(expected, code, whole.reason());
  } catch (const gantry::failure& refused) {
    return compare_refusal(expected, gantry::code::invalid_argument, refused.what());
  }
  if (raises(record)) return differs("expected " + json::serialize(expected));
  if (!answers.used_up()) return differs("fewer hosts were claimed than recorded");
  if (!answers.difference().empty()) return differs(answers.difference());
  return compare(expected.at("selections").as_array(), call.result(), answers,
                 description.alternates == 0 ? 0 : description.alternates - record.at("hosts").as_array().size());
}

}  // namespace filter_driver::parity
