// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/services_check.hpp"

#include <boost/asio/io_context.hpp>

#include "core/encoding/json.hpp"
#include "core/nova/http/configured_login.hpp"
#include "core/nova/http/service_client.hpp"
#include "core/nova/placement/candidates.hpp"
#include "core/nova/placement/placement_service.hpp"

namespace gantry::nova {

namespace {

// One service with its login. Its calls wait for their outcome.
class ServiceVisit {
 public:
  ServiceVisit(std::string section, std::string type, const Report& report)
      : strand_(boost::asio::make_strand(boost::asio::any_io_executor(context_.get_executor()))),
        timers_(strand_),
        section_(std::move(section)),
        type_(std::move(type)),
        report_(report) {}

  // Gets a token. False: there is none, or no endpoint.
  bool log_in(const config::NovaServiceSettings& settings) {
    const auto subject = "keystone for [" + section_ + "]";
    auto configured = configured_login(strand_, timers_, settings, section_, type_);
    if (!configured) return report_.fail(subject, configured.error()), false;
    login_ = std::move(configured->login);
    http_ = std::move(configured->http);
    const auto began = Clock::now();
    const auto access = outcome<Result<ServiceAccess>>([this](auto done) { login_->access(limit(), std::move(done)); });
    if (!access) return report_.fail(subject, access.error()), false;
    endpoint_ = access->endpoint;
    if (settings.auth_type == "none" || settings.auth_type == "noauth")
      report_.ok(subject, "is not asked, as auth_type is " + settings.auth_type + "; the endpoint is " + endpoint_);
    else
      report_.ok(subject, "gave a token in " + took_since(began) + "; the endpoint of " + type_ + " is " + endpoint_);
    return true;
  }

  template <class Outcome, class Operation>
  Outcome outcome(const Operation& operation) {
    std::optional<Outcome> found;
    operation([&found](Outcome result) { found.emplace(std::move(result)); });
    while (!found) {
      if (context_.stopped()) context_.restart();
      context_.run_one();
    }
    return *std::move(found);
  }

  static Clock::time_point limit() { return Clock::now() + step_limit; }
  const Strand& strand() const { return strand_; }
  ServiceLogin& login() { return *login_; }
  const HttpClientOptions& http() const { return http_; }
  const std::string& endpoint() const { return endpoint_; }
  const Report& report() const { return report_; }

 private:
  boost::asio::io_context context_;
  Strand strand_;
  AsioTimers timers_;
  std::string section_;
  std::string type_;
  const Report& report_;
  std::unique_ptr<ServiceLogin> login_;
  HttpClientOptions http_;
  std::string endpoint_;
};

class PlacementVisit {
 public:
  PlacementVisit(ServiceVisit& visit, std::int64_t most_candidates)
      : visit_(visit),
        api_(visit.strand(), visit.login(), visit.http()),
        subject_("placement " + visit.endpoint()),
        most_candidates_(std::to_string(most_candidates)) {}

  std::optional<PlacementFound> check() {
    const auto versions = visit_.outcome<Result<void>>(
        [this](auto done) { check_microversions(api_, ServiceVisit::limit(), std::move(done)); });
    if (!versions) return visit_.report().fail(subject_, versions.error()), std::nullopt;
    visit_.report().ok(subject_, "has the microversions " + std::string(microversion::allocations) + " and " +
                                     std::string(microversion::claims));
    PlacementFound found;
    check_candidates(found);
    if (!read_providers(found)) return std::nullopt;
    return found;
  }

 private:
  HttpOutcome get(const std::string& target) {
    return visit_.outcome<HttpOutcome>([&](auto done) {
      api_.call({"GET", target, std::string(microversion::claims), "", "", ServiceVisit::limit()}, std::move(done));
    });
  }

  void check_candidates(PlacementFound& found) {
    const std::string target = "/allocation_candidates?limit=" + most_candidates_ + "&resources=VCPU%3A1";
    const auto began = Clock::now();
    const auto answer = get(target);
    found.candidates_time = Clock::now() - began;
    if (!answer.is_answered() || answer.status != 200)
      return visit_.report().fail(subject_, "GET " + target + ": expected an answer 200, found: " + words_of(answer));
    const auto read = Candidates::read(answer.body);
    if (!read) return visit_.report().fail(subject_, read.error());
    if (read->is_empty())
      return visit_.report().warn(subject_,
                                  "has no candidate for a single VCPU: expected one provider with room, found none");
    visit_.report().ok(subject_, "answers a question for at most " + most_candidates_ + " candidates in " +
                                     time_text(found.candidates_time));
  }

  bool read_providers(PlacementFound& into) {
    const auto began = Clock::now();
    const auto answer = get("/resource_providers");
    const auto took = took_since(began);
    const auto fail = [&](const std::string& found) {
      visit_.report().fail(subject_, "GET /resource_providers: expected a list of resource providers, found: " + found);
      return false;
    };
    if (!answer.is_answered() || answer.status != 200) return fail(words_of(answer));
    const auto body = json::parse_object(answer.body);
    if (!body) return fail(body.error().message);
    const auto* const list = json::find_array(*body, "resource_providers");
    if (list == nullptr) return fail("another document");
    auto& uuids = into.providers;
    for (const auto& provider : *list)
      if (provider.is_object()) uuids.emplace(json::find_string(provider.get_object(), "uuid").value_or(""));
    visit_.report().ok(subject_, "lists " + count_of(uuids.size(), "resource provider") + " in " + took);
    return true;
  }

  ServiceVisit& visit_;
  PlacementService api_;
  std::string subject_;
  std::string most_candidates_;
};

}  // namespace

std::optional<PlacementFound> check_placement(const config::NovaSettings& settings, const Report& report) {
  ServiceVisit visit("placement", "placement", report);
  if (!visit.log_in(settings.placement)) return std::nullopt;
  return PlacementVisit(visit, settings.max_placement_results.value_or(1000)).check();
}

void check_neutron(const config::NovaSettings& settings, const Report& report) {
  if (settings.neutron.auth_type.empty()) return;
  ServiceVisit visit("neutron", "network", report);
  if (!visit.log_in(settings.neutron)) return;
  const std::string target = "/v2.0/ports?limit=1&fields=id";
  ServiceClient client(visit.strand(), visit.login(), visit.http());
  const auto began = Clock::now();
  const auto answer = visit.outcome<HttpOutcome>([&](auto done) {
    client.send({"GET", target, {}, ""}, ServiceVisit::limit(), std::move(done));
  });
  const auto subject = "neutron " + visit.endpoint();
  if (answer.is_answered() && answer.status == 200)
    return report.ok(subject, "answers a question for a port in " + took_since(began));
  report.fail(subject, "GET " + target + ": expected an answer 200, found: " +
                           (answer.is_answered() ? "status " + std::to_string(answer.status) : answer.reason));
}

}  // namespace gantry::nova
