// SPDX-License-Identifier: Apache-2.0
//
// The documents and casts of a request for many instances.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "core/encoding/uuid.hpp"
#include "tests/scheduling/passing_store.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

// Counts the bytes of the documents that are submitted.
class MeasuredStore final : public PassingStore {
 public:
  MeasuredStore(std::unique_ptr<store::Store> store, std::shared_ptr<std::atomic<std::size_t>> bytes)
      : PassingStore(std::move(store)), bytes_(std::move(bytes)) {}

  void submit(store::Batch batch, store::Done done, store::Undo undo) override {
    for (const auto& write : batch) {
      if (write.document) *bytes_ += write.document->size();
    }
    PassingStore::submit(std::move(batch), std::move(done), std::move(undo));
  }

 private:
  std::shared_ptr<std::atomic<std::size_t>> bytes_;
};

struct Bytes {
  std::size_t stored = 0;
  std::size_t cast = 0;
};

// Places so many instances in one request, whose uuids the request names.
Bytes bytes_of_request(std::size_t instances) {
  const auto stored = std::make_shared<std::atomic<std::size_t>>(0);
  RunningManager manager("simple", {}, [stored](std::unique_ptr<store::Store> store) {
    return std::make_unique<MeasuredStore>(std::move(store), stored);
  });
  manager.add_host("large", 4000);
  json::array uuids;
  for (std::size_t i = 0; i < instances; ++i) uuids.emplace_back(to_text(random_uuid()));
  const json::object args{
      {"request_spec",
       json::object{{"instance_uuids", uuids}, {"instance_type", json::object{{"vcpus", 1}, {"memory_mb", 1}}}}}};
  *stored = 0;
  manager.result("schedule_run_instance", json::write(args));
  Bytes bytes{*stored, 0};
  const auto casts = manager.result("receive_casts", R"({"topic":"compute","host":"large","limit":1000})");
  EXPECT_EQ(casts.as_array().size(), instances);
  bytes.cast = json::write(casts).size();
  return bytes;
}

TEST(LargeRequest, StoresAndSendsAsMuchForEachOfAThousandInstancesAsForEachOfAHundred) {
  const auto hundred = bytes_of_request(100);
  const auto thousand = bytes_of_request(1000);
  const auto each = [](std::size_t bytes, std::size_t instances) {
    return static_cast<double>(bytes) / static_cast<double>(instances);
  };
  EXPECT_NEAR(each(thousand.stored, 1000) / each(hundred.stored, 100), 1, 0.05);
  EXPECT_NEAR(each(thousand.cast, 1000) / each(hundred.cast, 100), 1, 0.05);
}

TEST(LargeRequest, SendsToAHostTheInstanceThatItIsToRunAndNoOther) {
  RunningManager manager("simple");
  manager.add_host("large", 8);
  constexpr auto first = "0d0d0d0d-0000-4000-8000-000000000001";
  constexpr auto second = "0d0d0d0d-0000-4000-8000-000000000002";
  manager.result("schedule_run_instance", std::string(R"({"request_spec":{"num_instances":2,"instance_uuids":[")") +
                                              first + "\",\"" + second + R"("],"instance_type":{"vcpus":1}}})");
  const auto casts = manager.result("receive_casts", R"({"topic":"compute","host":"large"})");
  ASSERT_EQ(casts.as_array().size(), 2U);
  for (const auto& cast : casts.as_array()) {
    const auto& args = cast.at("args").as_object();
    const auto& spec = args.at("request_spec").as_object();
    EXPECT_EQ(spec.at("instance_uuids"), json::value(json::array{args.at("instance_uuid")}));
    EXPECT_EQ(spec.at("num_instances"), 1);
  }
}

}  // namespace
}  // namespace gantry::scheduling
