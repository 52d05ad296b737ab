// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/deployment.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "core/nova/request/failure.hpp"
#include "core/nova/request/placement_question.hpp"
#include "core/nova/rpc/configured.hpp"
#include "core/nova/serve/neutron.hpp"
#include "core/nova/serve/nova_admission.hpp"
#include "core/nova/serve/part_settings.hpp"
#include "core/nova/serve/rpc_call.hpp"
#include "core/nova/serve/rpc_endpoint.hpp"

namespace gantry::nova {

namespace {

using telemetry::Level;

constexpr std::chrono::seconds check_time{10};

// An instance that is rebuilt stays on its host: Nova's API says so with this hint.
bool is_rebuild(const json::object& spec) {
  const auto* hints = json::find_object(spec, "scheduler_hints");
  if (hints == nullptr) return false;
  const auto* type = json::find_array(*hints, "_nova_check_type");
  return type != nullptr && std::ranges::any_of(*type, [](const auto& each) { return each == "rebuild"; });
}

std::string text_in(const json::object& object, std::string_view name) {
  return std::string(json::find_string(object, name).value_or(""));
}

// The facts of a snapshot, and Neutron's.
class Lookups final : public RequestLookups {
 public:
  Lookups(std::shared_ptr<const FactSnapshot> facts, const NetworkLookups* networks)
      : facts_(std::move(facts)), networks_(networks) {}

  std::span<const AggregateFacts> aggregates() const override { return facts_->aggregates(); }
  Result<std::vector<ComputeNodeFacts>> compute_nodes(const std::optional<std::string>& host,
                                                      const std::optional<std::string>& node,
                                                      const std::optional<std::string>& cell_uuid) const override {
    return facts_->compute_nodes(host, node, cell_uuid);
  }
  bool are_equal_in_database(std::string_view a, std::string_view b) const override {
    return facts_->are_equal_in_database(a, b);
  }
  const NetworkLookups* networks() const override { return networks_; }

 private:
  std::shared_ptr<const FactSnapshot> facts_;
  const NetworkLookups* networks_;
};

class Deployment final : public scheduling::Authority {
 public:
  Deployment(const config::Settings& settings, fleet::Fleet& fleet, std::shared_ptr<telemetry::Logger> logger,
             std::shared_ptr<telemetry::Counters> counters)
      : settings_(settings),
        options_(request_options(settings.nova)),
        fleet_(fleet),
        logger_(std::move(logger)),
        counters_(std::move(counters)) {}
  ~Deployment() override;

  Result<void> load();

  Result<std::unique_ptr<scheduling::Admission>> admit(const scheduling::AuthorityQuestion& question) override;
  std::string refusal() const override { return "hosts of topic compute come from Nova's databases"; }
  Result<void> begin(scheduling::Manager& manager) override;
  bool end(std::chrono::steady_clock::time_point deadline) override { return rpc_ == nullptr || rpc_->stop(deadline); }
  void reload() override { facts_->reload(); }
  std::vector<std::string> unready_reasons() const override;
  std::vector<std::string> warnings() const override { return facts_->warnings(); }
  json::object status() const override;

 private:
  AdmissionParts parts() const { return {*placement_, *logger_, *counters_}; }
  Claimant claimant_of(const scheduling::AuthorityQuestion& question, const json::object& spec) const;
  CandidateAnswer ask(const scheduling::AuthorityQuestion& question, const std::string& query) const;

  const config::Settings settings_;
  const RequestOptions options_;
  fleet::Fleet& fleet_;
  std::shared_ptr<telemetry::Logger> logger_;
  std::shared_ptr<telemetry::Counters> counters_;
  std::unique_ptr<FactKeeper> facts_;
  std::unique_ptr<PlacementDesk> placement_;
  std::unique_ptr<Neutron> neutron_;  // nullptr: nova.conf has no login for Neutron
  std::unique_ptr<RpcEndpoint> endpoint_;
  std::unique_ptr<RpcServer> rpc_;
  std::atomic<const RpcServer*> serving_ = nullptr;  // rpc_ once it runs: callers ask for the status before
};

Deployment::~Deployment() {
  rpc_.reset();
  endpoint_.reset();
  if (facts_) facts_->stop();
}

Result<void> Deployment::load() {
  auto placement = PlacementDesk::make(settings_.nova);
  if (!placement) return std::move(placement).error();
  placement_ = *std::move(placement);
  auto neutron = Neutron::make(settings_.nova.neutron, *placement_);
  if (!neutron) return std::move(neutron).error();
  neutron_ = *std::move(neutron);
  // A placement that is away now may be there when a request comes.
  if (auto checked = placement_->check_microversions(Clock::now() + check_time); !checked) {
    if (checked.error().code == ErrorCode::failed_precondition) return checked;
    logger_->write(Level::warning, "placement cannot be asked yet", {{"reason", checked.error().message}});
  }
  // Selections name their cell with every driver.
  if (auto declared = fleet_.declare_column({"stats.cell_uuid", GANTRY_TYPE_STRING, "nova"}); !declared)
    return declared;
  auto facts = FactKeeper::start(fact_settings(settings_.nova), fleet_, logger_, *counters_);
  if (!facts) return std::move(facts).error();
  facts_ = *std::move(facts);
  return {};
}

Result<void> Deployment::begin(scheduling::Manager& manager) {
  auto rpc = rpc_settings(settings_);
  if (!rpc) return std::move(rpc).error();
  endpoint_ = std::make_unique<RpcEndpoint>(manager, fleet_, *facts_, *placement_, logger_);
  auto server = RpcServer::make(*rpc, *endpoint_, logger_, counters_);
  if (!server) return std::move(server).error();
  rpc_ = *std::move(server);
  rpc_->start();
  serving_ = rpc_.get();
  return {};
}

Claimant Deployment::claimant_of(const scheduling::AuthorityQuestion& question, const json::object& spec) const {
  Claimant claimant;
  claimant.project_id = text_in(spec, "project_id");
  claimant.user_id = text_in(spec, "user_id");
  // As Nova: the owner in the request, or else the one who asks.
  if (claimant.project_id.empty()) claimant.project_id = text_in(question.context, "project_id");
  if (claimant.user_id.empty()) claimant.user_id = text_in(question.context, "user_id");
  claimant.request_id = std::string(question.request_id);
  claimant.deadline = question.deadline;
  claimant.journal = dynamic_cast<RpcCall*>(question.call);
  return claimant;
}

CandidateAnswer Deployment::ask(const scheduling::AuthorityQuestion& question, const std::string& query) const {
  using Freshness = CandidateQuestions::Freshness;
  auto answer =
      placement_->ask({query, std::string(question.request_id), question.anew ? Freshness::anew : Freshness::shared,
                       question.deadline, facts_->changes()});
  if (answer.kind != CandidateAnswer::Kind::found)
    logger_->write(Level::error, "placement gave no candidates",
                   {{"request_id", std::string(question.request_id)}, {"reason", answer.reason}});
  return answer;
}

Result<std::unique_ptr<scheduling::Admission>> Deployment::admit(const scheduling::AuthorityQuestion& question) {
  const auto facts_by = std::min(question.deadline, Clock::now() + settings_.nova.wait_for_facts);
  if (auto refreshed = facts_->refresh(facts_by); !refreshed) return std::move(refreshed).error();
  using Made = std::unique_ptr<scheduling::Admission>;
  if (is_rebuild(question.spec)) return Made(std::make_unique<NovaAdmission>(parts(), question.spec));
  const Lookups lookups(facts_->snapshot(), neutron_.get());
  auto asked = placement_question(question.spec, options_, lookups);
  if (!asked) return std::move(asked).error();
  const auto first = ask(question, asked->query);
  CandidateAnswer second;
  if (asked->fallback_query) second = ask(question, *asked->fallback_query);
  CandidateRows rows(first.candidates, asked->fallback_query ? second.candidates : nullptr);
  const bool is_anew = !first.is_reused && !(asked->fallback_query && second.is_reused);
  auto why_none = first.reason.empty() ? "placement has no candidates for " + asked->query : first.reason;
  auto claimant = claimant_of(question, asked->spec);
  return Made(std::make_unique<NovaAdmission>(parts(), std::move(asked->spec), std::move(claimant), std::move(rows),
                                              is_anew, std::move(why_none)));
}

std::vector<std::string> Deployment::unready_reasons() const {
  auto reasons = facts_->unready_reasons();
  const auto* const serving = serving_.load();
  auto trouble = serving == nullptr ? "no requests are taken from the broker yet" : serving->status().trouble;
  if (!trouble.empty()) reasons.push_back(std::move(trouble));
  return reasons;
}

json::object Deployment::status() const {
  json::object status{{"host", host_of(settings_.nova)}, {"facts", facts_->status()}};
  const auto* const serving = serving_.load();
  if (serving == nullptr) return status;
  const auto rpc = serving->status();
  status["rpc"] = json::object{{"connected", rpc.is_connected},
                               {"broker", rpc.broker},
                               {"trouble", rpc.trouble},
                               {"under_way", rpc.under_way},
                               {"replies_waiting", rpc.replies_waiting}};
  return status;
}

}  // namespace

Result<std::unique_ptr<scheduling::Authority>> make_deployment(const config::Settings& settings, fleet::Fleet& fleet,
                                                               std::shared_ptr<telemetry::Logger> logger,
                                                               std::shared_ptr<telemetry::Counters> counters) {
  auto deployment = std::make_unique<Deployment>(settings, fleet, std::move(logger), std::move(counters));
  if (auto loaded = deployment->load(); !loaded) return std::move(loaded).error();
  return std::unique_ptr<scheduling::Authority>(std::move(deployment));
}

}  // namespace gantry::nova
