// SPDX-License-Identifier: Apache-2.0
//
// A driver that does as a test tells it: what the trampolines make of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <gantry/driver.hpp>
#include <gantry/testing/fake_host.hpp>
#include <new>
#include <stdexcept>

namespace gantry {
namespace {

using testing::fake_host;
using testing::fake_request;

class Obedient : public driver {
 public:
  using Behaviour = std::function<code(call&, const request&)>;
  static std::unique_ptr<Obedient> create(call& call, const options& options) {
    if (options.boolean("refuse")) {
      call.fail(code::invalid_argument, "told to refuse");
      return nullptr;
    }
    if (options.integer("forget") != 0) return nullptr;
    return std::make_unique<Obedient>();
  }
  code select_destinations(call& call, const request& request) override { return behaviour()(call, request); }
  code schedule_run_instance(call& call, const request& request) override { return behaviour()(call, request); }
  code group_hosts(call&, const gantry_group&, const view&, bitmap& rows) override {
    rows.set(1);
    return code::ok;
  }
  static Behaviour& behaviour() {
    static Behaviour behaviour;
    return behaviour;
  }
};

class Heir final : public Obedient {
 public:
  static std::unique_ptr<Heir> create(call&, const options&) { return std::make_unique<Heir>(); }
  code hosts_up(call& call, const view& view, bitmap& rows) override {
    rows.assign(rows_up(call, view));
    return code::ok;
  }
};

class Teller final : public driver {
 public:
  code call_method(call& call, const method_call&) override { return call.reply("1"); }
};

constexpr gantry_driver_info info_of(const gantry_driver_ops& operations) {
  return {GANTRY_MAGIC, sizeof(gantry_driver_info), GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR, raw("test"), raw("1"),
          &operations};
}
const gantry_driver_info obedient = info_of(detail::operations_of<Obedient>);
const gantry_driver_info heir = info_of(detail::operations_of<Heir>);

const gantry_driver_info teller = info_of(detail::operations_of<Teller>);

class DriverClass : public ::testing::Test {
 protected:
  DriverClass() : host_({{"a"}, {"b"}}) { host_.options.boolean("refuse", false).integer("forget", 0); }
  testing::outcome when(Obedient::Behaviour behaviour, const fake_request& request = {}) {
    Obedient::behaviour() = std::move(behaviour);
    return host_.create(obedient)->select_destinations(request);
  }
  fake_host host_;
};

TEST_F(DriverClass, LeavesOperationsNullThatItDoesNotOverride) {
  EXPECT_EQ(obedient.ops->hosts_up, nullptr);
  EXPECT_NE(obedient.ops->group_hosts, nullptr);
  EXPECT_EQ(obedient.ops->call_method, nullptr);
  EXPECT_EQ(obedient.ops->update_service_capabilities, nullptr);
  EXPECT_EQ(obedient.ops->extension, nullptr);
}

TEST_F(DriverClass, OfMethodsAloneHasNoSelectOperation) {
  EXPECT_EQ(teller.ops->select_destinations, nullptr);
  EXPECT_EQ(teller.ops->schedule_run_instance, nullptr);
  EXPECT_EQ(host_.create(teller)->call_method("tell", "{}").replies, std::vector<std::string>{"1"});
}

TEST_F(DriverClass, CountsOverridesOfItsBasesAsItsOwn) {
  EXPECT_NE(heir.ops->hosts_up, nullptr);
  EXPECT_NE(heir.ops->group_hosts, nullptr);
  const auto driver = host_.create(heir);
  EXPECT_THAT(driver->hosts_up()->rows, ::testing::ElementsAre("a", "b"));
  EXPECT_THAT(driver->group_hosts({})->rows, ::testing::ElementsAre("b"));
  EXPECT_FALSE(driver->update_service_capabilities("compute", "a", "{}"));
}

TEST_F(DriverClass, TurnsExceptionsIntoFailures) {
  const auto thrown = when([](call&, const request&) -> code { throw std::runtime_error("the sky fell"); });
  EXPECT_EQ(thrown.code, GANTRY_INTERNAL);
  EXPECT_EQ(thrown.sentence, "the sky fell");
  const auto memory = when([](call&, const request&) -> code { throw std::bad_alloc(); });
  EXPECT_EQ(memory.code, GANTRY_RESOURCE_EXHAUSTED);
  const auto failed = when([](call&, const request&) -> code { throw failure(code::invalid_argument, "no"); });
  EXPECT_EQ(failed.code, GANTRY_INVALID_ARGUMENT);
  EXPECT_EQ(failed.sentence, "no");
  EXPECT_EQ(when([](call&, const request&) -> code { throw 7; }).code, GANTRY_INTERNAL);
}

TEST_F(DriverClass, KeepsTheHostsSentenceOfAFailedService) {
  const auto outcome = when([](call& call, const request& request) -> code {
    call.fail(code::internal, "said by the host");
    call.write<double>(request.view(), "vcpus_used");
    return code::ok;
  });
  EXPECT_EQ(outcome.code, GANTRY_INTERNAL) << "a view that is not derived is no view to write to";
  EXPECT_EQ(outcome.sentence, "said by the host");
}

TEST_F(DriverClass, ReadsAllNumbersAndRetriedHostsOfARequest) {
  fake_request wanted;
  wanted.ephemeral_gb = 3;
  wanted.swap_mb = 512;
  wanted.is_bfv = true;
  wanted.retry_hosts = {{"a", "n1"}};
  wanted.retry_attempts = 2;
  when(
      [](call& call, const request& request) {
        EXPECT_TRUE(request.carries(GANTRY_REQUEST_EPHEMERAL_GB | GANTRY_REQUEST_SWAP_MB | GANTRY_REQUEST_IS_BFV));
        EXPECT_FALSE(request.carries(GANTRY_REQUEST_VCPUS));
        EXPECT_EQ(request.raw().swap_mb, 512);
        EXPECT_EQ(request.raw().is_bfv, 1);
        EXPECT_EQ(text(request.raw().retry_hosts[0].value), "n1");
        EXPECT_EQ(request.raw().retry_attempts, 2u);
        return call.pick(0, 0);
      },
      wanted);
}

TEST_F(DriverClass, ReadsEligibleRowsOfAHostThatHasThem) {
  fake_request wanted;
  when(
      [](call& call, const request& request) {
        EXPECT_FALSE(request.eligible().has_value()) << "all rows may be used";
        return call.pick(0, 0);
      },
      wanted);
  wanted.eligible = {1};
  when(
      [](call& call, const request& whole) {
        EXPECT_EQ(whole.eligible()->count(), 1u);
        EXPECT_TRUE(whole.eligible()->test(1));
        gantry_request earlier = whole.raw();
        earlier.struct_size = offsetof(gantry_request, eligible);
        EXPECT_FALSE(request(call, earlier).eligible().has_value()) << "a host of before the field was added";
        EXPECT_EQ(call.pick(0, 0), code::claim_lost);
        EXPECT_EQ(call.alternate(0, 0), code::claim_lost);
        return call.pick(0, 1);
      },
      wanted);
}

TEST_F(DriverClass, MayRefuseToStart) {
  host_.options = testing::fake_options();
  host_.options.boolean("refuse", true).integer("forget", 0);
  EXPECT_EQ(host_.create(obedient), nullptr);
  EXPECT_EQ(host_.refusal.code, GANTRY_INVALID_ARGUMENT);
  EXPECT_EQ(host_.refusal.sentence, "told to refuse");
}

TEST_F(DriverClass, FailsIfCreateReturnsNothingWithoutASentence) {
  host_.options = testing::fake_options();
  host_.options.boolean("refuse", false).integer("forget", 1);
  EXPECT_EQ(host_.create(obedient), nullptr);
  EXPECT_EQ(host_.refusal.code, GANTRY_INTERNAL);
}

TEST_F(DriverClass, FailsOnAnOptionThatItsManifestDoesNotDeclare) {
  host_.options = testing::fake_options();
  EXPECT_EQ(host_.create(obedient), nullptr);
  EXPECT_THAT(host_.refusal.sentence, ::testing::HasSubstr("asks for option 'refuse'"));
}

TEST_F(DriverClass, ReadsARequestThroughTypedFunctions) {
  fake_request wanted;
  wanted.vcpus = 4;
  wanted.flavor = "m1.small";
  wanted.hints = {{"rack", {"r1", "r2"}}};
  wanted.extra_specs = {{"power", "high"}};
  wanted.image_properties = {{"os", "linux"}};
  wanted.ignore_hosts = {"a"};
  const auto outcome = when(
      [](call& call, const request& request) {
        EXPECT_EQ(request.vcpus(), 4);
        EXPECT_EQ(request.memory_mb(), 0);
        EXPECT_FALSE(request.carries(GANTRY_REQUEST_MEMORY_MB));
        EXPECT_EQ(request.flavor(), "m1.small");
        EXPECT_EQ(request.hint("rack").size(), 2u);
        EXPECT_TRUE(request.hint("none").empty());
        EXPECT_EQ(request.extra_spec("power"), "high");
        EXPECT_EQ(request.image_property("os"), "linux");
        EXPECT_EQ(request.extra_spec("os"), std::nullopt);
        EXPECT_EQ(request.group(), nullptr);
        narrowing found = candidates(call, request);
        EXPECT_EQ(found.left(), 1u);
        return call.pick(0, found.rows().nth(0));
      },
      wanted);
  EXPECT_EQ(outcome.picks.at(0).host, "b");
}

}  // namespace
}  // namespace gantry
