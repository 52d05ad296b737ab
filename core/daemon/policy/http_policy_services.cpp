// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/policy/http_policy_services.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "core/encoding/json.hpp"
#include "core/encoding/printable.hpp"
#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"
#include "core/files/mode_text.hpp"
#include "core/files/write_access.hpp"
#include "core/nova/http/http_client.hpp"
#include "core/transport/sockets/tls_client.hpp"
#include "gantry/ext/ask.h"

namespace gantry::daemon {

namespace {

using drivers::ServiceAnswer;
using nova::HttpOutcome;
using std::chrono::steady_clock;

constexpr std::size_t connections_of_service = 32;
constexpr std::size_t most_token_bytes = 16 << 10;
constexpr std::chrono::seconds silence_after_line{60};
// A service that ends idle connections earlier is asked on a new one: a question is not sent twice.
constexpr std::chrono::milliseconds idle_connection{1'000};

Error refused_key(const std::string& service, const std::string& key, const std::string& fault) {
  return {ErrorCode::invalid_configuration, "ask." + service + "." + key + ": " + fault, ""};
}

Result<std::string> read_token(const std::string& path) {
  const auto refuse = [&path](const std::string& fault) {
    return Error{ErrorCode::invalid_configuration, "'" + path + "': " + fault, ""};
  };
  const files::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat found {};
  if (!file.is_open() || ::fstat(file.number(), &found) != 0)
    return refuse("expected a file with a token, found none: " + files::errno_text(errno));
  if (!S_ISREG(found.st_mode)) return refuse("expected a file with a token, found no regular file");
  if ((found.st_mode & 0007) != 0)
    return refuse("expected that others may neither read nor write it, found mode " + files::mode_text(found.st_mode) +
                  "; run: chmod o= " + path);
  std::string token(most_token_bytes, '\0');
  const auto size = ::read(file.number(), token.data(), token.size());
  if (size < 0) return refuse("expected a token, found an error: " + files::errno_text(errno));
  token.resize(static_cast<std::size_t>(size));
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  const bool is_token = std::ranges::all_of(token, [](char c) { return c > ' ' && c < '\x7f'; });
  if (token.empty() || !is_token || token.size() == most_token_bytes)
    return refuse("expected one line with a token of at most 16383 bytes, found other bytes or none");
  return token;
}

// The parts of a service that its section names.
struct ReadService {
  nova::HttpAddress address;
  nova::HttpClientOptions options;
  std::string token;
};

Result<ReadService> read_service(const std::string& name, const config::PolicyService& settings) {
  ReadService read;
  auto address = nova::parse_http_address(settings.url);
  if (!address) return refused_key(name, "url", address.error().message);
  read.address = *std::move(address);
  auto tls = transport::tls_client_context({.authorities = settings.ca_file});
  if (!tls) return refused_key(name, "ca_file", tls.error().message);
  read.options.tls = *std::move(tls);
  read.options.connections = connections_of_service;
  read.options.body_limit = GANTRY_MOST_ANSWER_BYTES;
  read.options.idle_limit = idle_connection;
  if (settings.token_file.empty()) return read;
  auto token = read_token(settings.token_file);
  if (!token) return refused_key(name, "token_file", token.error().message);
  read.token = *std::move(token);
  return read;
}

ServiceAnswer no_answer(gantry_code code, std::int32_t status, std::string reason) {
  return {code, status, std::move(reason)};
}

ServiceAnswer answer_of_outcome(HttpOutcome outcome, const std::string& name, bool is_late) {
  const std::string who = "the service '" + name + "' ";
  if (outcome.is_too_long)
    return no_answer(GANTRY_RESOURCE_EXHAUSTED, 0,
                     who + "answered more than " + std::to_string(GANTRY_MOST_ANSWER_BYTES) + " bytes");
  if (!outcome.is_answered() && is_late)
    return no_answer(GANTRY_DEADLINE_EXCEEDED, 0, who + "has not answered in time: " + outcome.reason);
  if (!outcome.is_answered())
    return no_answer(GANTRY_UNSUPPORTED, 0, who + "cannot be asked: " + printable(outcome.reason));
  const auto status = static_cast<std::int32_t>(outcome.status);
  if (status < 200 || status > 299)
    return no_answer(GANTRY_UNSUPPORTED, status, who + "answered with status " + std::to_string(status));
  if (const auto parsed = json::parse(outcome.body, json::max_part_depth); !parsed)
    return no_answer(GANTRY_UNSUPPORTED, status, who + "answered no JSON: " + parsed.error().message);
  return {GANTRY_OK, status, std::move(outcome.body)};
}

}  // namespace

// The thread of all connections. asio looks names up on a thread of its own, which may hang for longer than an end may
// take: the loop then outlives the object and ends by itself.
struct HttpPolicyServices::Loop {
  boost::asio::io_context context{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{context.get_executor()};
  std::promise<void> ended;
};

struct HttpPolicyServices::Service {
  Service(const std::shared_ptr<Loop>& loop, const config::PolicyService& settings, ReadService read)
      : strand(boost::asio::make_strand(boost::asio::any_io_executor(loop->context.get_executor()))),
        token(std::move(read.token)),
        target(read.address.path.empty() || settings.url.ends_with('/') ? "/" : ""),
        timeout(settings.timeout),
        drivers(settings.drivers),
        client(std::in_place, strand, std::move(read.address), std::move(read.options)) {}

  bool serves(std::string_view driver) const {
    return drivers.empty() || std::ranges::find(drivers, driver) != drivers.end();
  }

  const nova::Strand strand;
  const std::string token;  // a secret; empty: none is shown
  const std::string target;
  const std::chrono::milliseconds timeout;
  const std::vector<std::string> drivers;
  std::optional<nova::HttpClient> client;       // [strand] nullopt: the daemon ends
  std::atomic<steady_clock::rep> next_line{0};  // a failure before that time is not logged
};

std::vector<Error> HttpPolicyServices::check(const Settings& settings) {
  std::vector<Error> problems;
  for (const auto& [name, service] : settings)
    if (auto read = read_service(name, service); !read) problems.push_back(std::move(read).error());
  return problems;
}

Result<std::unique_ptr<HttpPolicyServices>> HttpPolicyServices::make(const Settings& settings,
                                                                     std::shared_ptr<telemetry::Logger> logger,
                                                                     std::shared_ptr<telemetry::Counters> counters) {
  std::unique_ptr<HttpPolicyServices> made(new HttpPolicyServices(std::move(logger), std::move(counters)));
  for (const auto& [name, service] : settings) {
    auto read = read_service(name, service);
    if (!read) return std::move(read).error();
    made->services_.emplace(name, std::make_shared<Service>(made->loop_, service, *std::move(read)));
  }
  return made;
}

HttpPolicyServices::HttpPolicyServices(std::shared_ptr<telemetry::Logger> logger,
                                       std::shared_ptr<telemetry::Counters> counters)
    : logger_(std::move(logger)), counters_(std::move(counters)), loop_(std::make_shared<Loop>()) {
  std::thread([loop = loop_] {
    loop->context.run();
    loop->ended.set_value();
  }).detach();
}

HttpPolicyServices::~HttpPolicyServices() {
  constexpr std::chrono::milliseconds patience{200};
  for (const auto& [name, service] : services_)
    boost::asio::post(service->strand, [service = service] { service->client.reset(); });
  loop_->work.reset();
  loop_->ended.get_future().wait_for(patience);
}

ServiceAnswer HttpPolicyServices::ask(std::string_view driver, std::string_view name, std::string_view json,
                                      steady_clock::time_point deadline) {
  const auto found = services_.find(name);
  if (found == services_.end() || !found->second->serves(driver)) {
    return no_answer(GANTRY_INVALID_ARGUMENT, 0,
                     "the configuration names no service '" + printable(name) + "' for driver " + std::string(driver) +
                         "; [ask.NAME] is to name it");
  }
  const auto service = found->second;
  const auto until = std::min(deadline, steady_clock::now() + service->timeout);
  nova::HttpRequest request{"POST", service->target, {}, std::string(json)};
  if (!service->token.empty()) request.headers.push_back({"Authorization", "Bearer " + service->token});
  auto promised = std::make_shared<std::promise<HttpOutcome>>();
  auto future = promised->get_future();
  boost::asio::post(service->strand, [service, promised, until, asked = std::move(request)]() mutable {
    const auto done = [promised](HttpOutcome outcome) { promised->set_value(std::move(outcome)); };
    if (service->client)
      service->client->send(std::move(asked), until, done);
    else
      done({});
  });
  HttpOutcome outcome;
  outcome.reason = "no whole answer came until the deadline";
  if (future.wait_until(until) == std::future_status::ready) outcome = future.get();
  auto answer = answer_of_outcome(std::move(outcome), found->first, steady_clock::now() >= until);
  counters_->add("asks", found->first, 1);
  if (answer.code != GANTRY_OK) tell(*service, found->first, answer);
  return answer;
}

void HttpPolicyServices::tell(Service& service, const std::string& name, const ServiceAnswer& answer) {
  counters_->add("asks_failed", name, 1);
  const auto now = steady_clock::now();
  auto next = service.next_line.load();
  if (now.time_since_epoch().count() < next) return;
  if (!service.next_line.compare_exchange_strong(next, (now + silence_after_line).time_since_epoch().count())) return;
  logger_->write(telemetry::Level::warning, "a policy service fails; the next line about it comes in a minute",
                 {{"service", name}, {"reason", answer.body}});
}

}  // namespace gantry::daemon
