// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/deployment.hpp"

#include <algorithm>
#include <filesystem>
#include <future>
#include <mutex>
#include <utility>

#include "core/nova/request/failure.hpp"
#include "core/nova/request/placement_question.hpp"
#include "core/nova/request/rebuild_hint.hpp"
#include "core/nova/rpc/configured.hpp"
#include "core/nova/serve/direct_call.hpp"
#include "core/nova/serve/fact_lookups.hpp"
#include "core/nova/serve/mirror_audit.hpp"
#include "core/nova/serve/neutron.hpp"
#include "core/nova/serve/nova_admission.hpp"
#include "core/nova/serve/part_settings.hpp"
#include "core/nova/serve/pause_mark.hpp"
#include "core/nova/serve/placement_mirror.hpp"
#include "core/nova/serve/request_intake.hpp"
#include "core/nova/serve/rpc_call.hpp"
#include "core/nova/serve/shadow_call.hpp"

namespace gantry::nova {

namespace {

using telemetry::Level;

constexpr std::chrono::seconds check_time{10};
constexpr std::chrono::seconds look_time{2};  // for the broker to say who else takes requests
// How long a request waits for the mirror. Placement is asked then.
constexpr std::chrono::seconds mirror_patience{2};

std::string text_in(const json::object& object, std::string_view name) {
  return std::string(json::find_string(object, name).value_or(""));
}

class Deployment final : public scheduling::Authority {
 public:
  Deployment(const config::Settings& settings, fleet::Fleet& fleet, std::shared_ptr<telemetry::Logger> logger,
             std::shared_ptr<telemetry::Counters> counters)
      : settings_(settings),
        options_(request_options(settings.nova)),
        fleet_(fleet),
        logger_(std::move(logger)),
        counters_(std::move(counters)),
        pause_(std::filesystem::path(settings_.store.path).replace_filename("nova.paused").string()) {}
  ~Deployment() override;

  Result<void> load();

  Result<std::unique_ptr<scheduling::Admission>> admit(const scheduling::AuthorityQuestion& question) override;
  std::string refusal() const override { return "hosts of topic compute come from Nova's databases"; }
  Result<void> prepare(scheduling::Manager& manager) override;
  void begin() override;
  void take(const scheduling::MethodCall& call, const scheduling::Done& done) override;
  bool leave(std::chrono::steady_clock::time_point deadline) override;
  bool end(std::chrono::steady_clock::time_point deadline) override;
  void reload() override { facts_->reload(); }
  Result<json::object> set_paused(bool is_paused) override;
  std::vector<std::string> unready_reasons() const override;
  std::vector<std::string> warnings() const override;
  json::object status() const override;

 private:
  AdmissionParts parts_for(const scheduling::AuthorityQuestion& question) const;
  Claimant claimant_of(const scheduling::AuthorityQuestion& question, const json::object& spec) const;
  // The candidates of a query, and how they are known.
  struct Offer {
    std::shared_ptr<const CandidateSet> candidates;
    bool is_anew;        // placement itself was asked after the question came
    std::string reason;  // why there are none; empty: not known
  };
  Offer ask(const scheduling::AuthorityQuestion& question, const std::string& query, bool may_mirror) const;
  // Returns whether the request is served as a rebuild. The error refuses the request.
  Result<bool> check_rebuild_hint(const scheduling::AuthorityQuestion& question) const;
  // Brings the mirror's providers of the candidates up to date, also where room was freed without a trace.
  void read_again(const CandidateSet* candidates, Clock::time_point deadline) const;
  Result<void> start_mirror();
  // Returns what takes requests. nullptr: none are taken yet, or any more.
  std::shared_ptr<RequestIntake> intake() const;
  void set_intake(std::shared_ptr<RequestIntake> intake);
  // Returns whether another process is about to take the requests.
  bool has_left() const {
    const std::lock_guard lock(mutex_);
    return has_left_;
  }

  const config::Settings settings_;
  const RequestOptions options_;
  fleet::Fleet& fleet_;
  std::shared_ptr<telemetry::Logger> logger_;
  std::shared_ptr<telemetry::Counters> counters_;
  PauseMark pause_;
  std::unique_ptr<FactKeeper> facts_;
  std::unique_ptr<PlacementDesk> placement_;
  std::unique_ptr<PlacementMirror> mirror_;  // nullptr: placement's database is not named
  std::unique_ptr<MirrorAudit> audit_;       // as mirror_
  std::unique_ptr<Neutron> neutron_;         // nullptr: nova.conf has no login for Neutron
  std::shared_ptr<RequestIntake> prepared_;  // for begin()
  mutable std::mutex mutex_;                 // guards what follows
  std::shared_ptr<RequestIntake> intake_;
  bool has_left_ = false;
};

Deployment::~Deployment() {
  prepared_.reset();
  set_intake(nullptr);
  if (facts_) facts_->stop();
}

Result<void> Deployment::load() {
  logger_->write(Level::info,
                 settings_.nova.is_shadow() ? "in the shadow of nova-scheduler" : "in the place of nova-scheduler",
                 {{"release", std::string(nova_release(settings_.nova.release).title)},
                  {"compatibility", settings_.nova.release}});
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
  // Both read whole databases, which do not depend on each other.
  auto mirrored = std::async(std::launch::async | std::launch::deferred, [this] { return start_mirror(); });
  auto facts = FactKeeper::start(fact_settings(settings_.nova), fleet_, logger_, *counters_);
  auto mirror = mirrored.get();
  if (!facts) return std::move(facts).error();
  facts_ = *std::move(facts);
  return mirror;
}

Result<void> Deployment::start_mirror() {
  const auto& nova = settings_.nova;
  if (nova.placement_database_connection.empty() || !nova.mirror) return {};
  auto mirror =
      PlacementMirror::start(nova.placement_database_connection, FactSettings().timeouts, logger_, *counters_);
  if (!mirror) return std::move(mirror).error();
  mirror_ = *std::move(mirror);
  audit_ = std::make_unique<MirrorAudit>(*mirror_, *placement_, nova.mirror_audit, logger_, *counters_);
  return {};
}

std::shared_ptr<RequestIntake> Deployment::intake() const {
  const std::lock_guard lock(mutex_);
  return intake_;
}

// One that is replaced ends here, without the lock.
void Deployment::set_intake(std::shared_ptr<RequestIntake> intake) {
  const std::lock_guard lock(mutex_);
  intake_.swap(intake);
}

Result<void> Deployment::prepare(scheduling::Manager& manager) {
  auto made =
      RequestIntake::make({settings_, manager, fleet_, *facts_, *placement_, mirror_.get(), logger_, counters_});
  if (!made) return std::move(made).error();
  prepared_ = *std::move(made);
  return {};
}

void Deployment::begin() {
  // An earlier process may have been paused since this one was made.
  pause_.read();
  const auto since = pause_.since();
  if (since) logger_->write(Level::warning, "no requests are taken: they are paused", {{"since", *since}});
  // Casts that came since the facts were loaded went elsewhere.
  facts_->reload_instances();
  prepared_->start(since.has_value());
  set_intake(std::exchange(prepared_, nullptr));
  const std::lock_guard lock(mutex_);
  has_left_ = false;
}

void Deployment::take(const scheduling::MethodCall& call, const scheduling::Done& done) {
  const auto taking = intake();
  if (!taking) return done(Error{ErrorCode::unavailable, "no requests are taken yet, or any more", {}});
  taking->take(direct_request(call, done));
}

bool Deployment::leave(std::chrono::steady_clock::time_point deadline) {
  auto leaving = intake();
  if (!leaving) return true;
  leaving->pause();
  if (!leaving->wait_until_idle(deadline)) {
    if (!pause_.since()) leaving->resume();
    return false;
  }
  leaving->stop(deadline);
  const std::lock_guard lock(mutex_);
  intake_.reset();
  has_left_ = true;
  return true;
}

bool Deployment::end(std::chrono::steady_clock::time_point deadline) {
  const auto ending = intake();
  return ending == nullptr || ending->stop(deadline);
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

void Deployment::read_again(const CandidateSet* candidates, Clock::time_point deadline) const {
  if (candidates == nullptr) return;
  for (const auto& provider : candidates->seen_providers()) mirror_->mark(provider);
  mirror_->wait(mirror_->ask(), std::min(deadline, Clock::now() + mirror_patience));
}

// A decision in the shadow claims nothing.
AdmissionParts Deployment::parts_for(const scheduling::AuthorityQuestion& question) const {
  const bool is_rehearsed = dynamic_cast<ShadowCall*>(question.call) != nullptr;
  return {*placement_, *logger_, *counters_, is_rehearsed ? mirror_.get() : nullptr};
}

Deployment::Offer Deployment::ask(const scheduling::AuthorityQuestion& question, const std::string& query,
                                  bool may_mirror) const {
  using Freshness = CandidateQuestions::Freshness;
  // Room that has become free by a deletion may be missing in the mirror, so no refusal rests on it.
  if (may_mirror) {
    if (auto mirrored = mirror_->find(query)) {
      audit_->look(query);
      return {std::move(mirrored), false, "placement's mirror has no candidates"};
    }
  }
  auto answer =
      placement_->ask({query, std::string(question.request_id), question.anew ? Freshness::anew : Freshness::shared,
                       question.deadline, facts_->changes()});
  if (answer.kind != CandidateAnswer::Kind::found)
    logger_->write(Level::error, "placement gave no candidates",
                   {{"request_id", std::string(question.request_id)}, {"reason", answer.reason}});
  return {answer.candidates, !answer.is_reused, answer.reason};
}

Result<bool> Deployment::check_rebuild_hint(const scheduling::AuthorityQuestion& question) const {
  if (!carries_rebuild_hint(question.spec)) return false;
  const bool is_refused = settings_.nova.rebuild_hint == "refuse";
  const auto reason = is_refused ? "nova.rebuild_hint is \"refuse\"" : objection_to_rebuild_hint(question.spec);
  // A question that is asked again is counted and logged already.
  if (!question.anew) {
    counters_->add("nova_rebuild_hints", is_refused ? "refused" : reason.empty() ? "honoured" : "passed_over", 1);
    if (!reason.empty())
      logger_->write(Level::warning,
                     is_refused ? "the hint of a rebuild is refused, and with it the request"
                                : "the hint of a rebuild is passed over: the request is served as any other",
                     {{"request_id", std::string(question.request_id)},
                      {"project", claimant_of(question, question.spec).project_id},
                      {"instance", text_in(question.spec, "instance_uuid")},
                      {"reason", reason}});
  }
  if (is_refused) return raised("NoValidHost", "No valid host was found. The hint _nova_check_type is refused.");
  return reason.empty();
}

Result<std::unique_ptr<scheduling::Admission>> Deployment::admit(const scheduling::AuthorityQuestion& question) {
  telemetry::PartTimer timer(*counters_, request_microseconds);
  const auto facts_by = std::min(question.deadline, Clock::now() + settings_.nova.wait_for_facts);
  const bool wants_mirror = mirror_ != nullptr && !question.anew;
  const auto mirrored = wants_mirror ? mirror_->ask() : 0;
  if (auto refreshed = facts_->refresh(facts_by); !refreshed) return std::move(refreshed).error();
  const bool may_mirror =
      wants_mirror && mirror_->wait(mirrored, std::min(question.deadline, Clock::now() + mirror_patience));
  timer.end("facts");
  using Made = std::unique_ptr<scheduling::Admission>;
  const auto facts = facts_->snapshot();
  auto is_rebuild = check_rebuild_hint(question);
  if (!is_rebuild) return std::move(is_rebuild).error();
  if (*is_rebuild)
    return Made(
        std::make_unique<NovaAdmission>(parts_for(question), question.spec, CellBounds(facts->nodes(), std::nullopt)));
  const FactLookups lookups(facts, neutron_.get());
  auto asked = placement_question(question.spec, options_, lookups);
  if (!asked) return std::move(asked).error();
  const auto first = ask(question, asked->query, may_mirror);
  Offer second{nullptr, true, {}};
  if (asked->fallback_query) second = ask(question, *asked->fallback_query, may_mirror);
  // Claims are rehearsed on the mirror, which may lack room that placement has named.
  if (question.anew && parts_for(question).rehearsal != nullptr) read_again(first.candidates.get(), question.deadline);
  CandidateRows rows(first.candidates, second.candidates);
  const bool is_anew = first.is_anew && second.is_anew;
  auto why_none = first.reason.empty() ? "placement has no candidates for " + asked->query : first.reason;
  auto claimant = claimant_of(question, asked->spec);
  CellBounds cells(facts->nodes(), std::move(asked->only_cell));
  timer.end("candidates");
  return Made(std::make_unique<NovaAdmission>(parts_for(question), std::move(asked->spec), std::move(cells),
                                              std::move(claimant), std::move(rows), is_anew, std::move(why_none)));
}

Result<json::object> Deployment::set_paused(bool is_paused) {
  const auto taking = intake();
  if (!taking) return Error{ErrorCode::unavailable, "no requests are taken from the broker yet", {}};
  is_paused ? taking->pause() : taking->resume();
  logger_->write(Level::info, is_paused ? "requests are paused" : "requests are taken again");
  if (auto kept = pause_.set(is_paused); !kept) return std::move(kept).error();
  json::object told;
  if (!is_paused) return told;
  const auto others = taking->other_consumers(Clock::now() + look_time);
  told["other_consumers"] = others ? json::value(*others) : json::value();
  return told;
}

std::vector<std::string> Deployment::warnings() const {
  auto warnings = facts_->warnings();
  if (mirror_)
    if (auto trouble = mirror_->trouble(); !trouble.empty()) warnings.push_back(std::move(trouble));
  const auto version = options_.rules.asks_for_own_providers ? facts_->snapshot()->lowest_compute_version() : 0;
  if (version > 0 && version < version_with_owner_trait)
    warnings.push_back("a nova-compute has the service version " + std::to_string(version) + ": until all have " +
                       std::to_string(version_with_owner_trait) +
                       " or a later one, placement is not asked for Nova's own providers alone (OWNER_NOVA)");
  if (const auto since = pause_.since())
    warnings.push_back("no requests are taken since " + *since + ": `gantry nova resume` ends the pause");
  return warnings;
}

std::vector<std::string> Deployment::unready_reasons() const {
  auto reasons = facts_->unready_reasons();
  const auto taking = intake();
  auto trouble = taking ? taking->trouble() : has_left() ? "" : "no requests are taken from the broker yet";
  if (!trouble.empty()) reasons.push_back(std::move(trouble));
  return reasons;
}

json::object Deployment::status() const {
  json::object status{{"host", host_of(settings_.nova)}, {"mode", settings_.nova.mode}, {"facts", facts_->status()}};
  if (mirror_) status["mirror"] = mirror_->status();
  if (const auto taking = intake()) taking->add_status(status);
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
