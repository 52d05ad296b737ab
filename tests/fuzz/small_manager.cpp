// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/small_manager.hpp"

#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "tests/drivers/trusted_directory.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

class ForgetfulStore final : public store::Store {
 public:
  explicit ForgetfulStore(std::vector<Document> documents) : documents_(std::move(documents)) {}
  Result<void> load(store::Kind kind, const store::Visitor& visit) override {
    for (const auto& document : documents_) {
      if (document.kind != kind) continue;
      if (auto visited = visit(document.key, document.text); !visited) return visited;
    }
    return {};
  }
  void submit(store::Batch /*batch*/, store::Done done, store::Undo /*undo*/) override {
    if (done) done({});
  }
  void undo_under(std::mutex* /*order*/) override {}
  void flush() override {}
  std::string describe() const override { return "forgetful"; }

 private:
  std::vector<Document> documents_;
};

// Loaded once; a driver outlives every manager.
const drivers::DriverSet& loaded_drivers() {
  static const drivers::TrustedDirectory directory;
  static const drivers::DriverSet loaded = [] {
    directory.add(GANTRY_DRIVERS "/simple.so", "simple.so");
    config::Settings settings;
    settings.scheduler_driver = {"simple"};
    settings.driver_directories = {directory.path().string()};
    auto set = drivers::load_drivers(settings, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(), {});
    if (!set) broken(set.error().message);
    return *std::move(set);
  }();
  return loaded;
}

}  // namespace

struct SmallManager::State {
  explicit State(std::vector<Document> documents) : store(std::move(documents)) {}
  fleet::Fleet fleet{fleet::FleetSettings{}};
  ForgetfulStore store;
  std::unique_ptr<scheduling::Manager> manager;
};

SmallManager::SmallManager(std::unique_ptr<State> state) : state_(std::move(state)) {}
SmallManager::~SmallManager() = default;

Result<std::unique_ptr<SmallManager>> SmallManager::start(std::vector<Document> documents) {
  auto state = std::make_unique<State>(std::move(documents));
  auto made = scheduling::make_manager({state->fleet,
                                        state->store,
                                        loaded_drivers(),
                                        telemetry::Logger::none(),
                                        std::make_shared<telemetry::Counters>(),
                                        {}});
  if (!made) return std::move(made).error();
  state->manager = *std::move(made);
  return std::unique_ptr<SmallManager>(new SmallManager(std::move(state)));
}

scheduling::Reply SmallManager::call(std::string method, json::object args, json::object context) {
  scheduling::MethodCall call;
  call.method = std::move(method);
  call.args = std::move(args);
  call.context = std::move(context);
  call.request_id = "req-00000000-0000-4000-8000-000000000000";
  call.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  scheduling::Reply reply = Error{ErrorCode::internal, "no answer", {}};
  int answers = 0;
  state_->manager->handle(std::move(call), [&](scheduling::Reply given) {
    reply = std::move(given);
    ++answers;
  });
  if (answers != 1) broken("a call is answered once, on the thread that made it");
  if (!reply && reply.error().code == ErrorCode::internal) broken(reply.error().message);
  const auto text = reply ? json::write(*reply) : reply.error().details;
  if (!text.empty() && !json::parse(text, json::stored_depth)) broken("an answer that is not JSON: " + text);
  return reply;
}

fleet::Fleet& SmallManager::fleet() {
  return state_->fleet;
}

}  // namespace gantry::fuzz
