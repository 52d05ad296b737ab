// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/metrics/metric_text.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "core/telemetry/metrics/counter_metrics.hpp"
#include "core/telemetry/metrics/metric_registry.hpp"
#include "core/telemetry/metrics/process_metrics.hpp"

namespace gantry::telemetry {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(MetricText, WritesHelpTypeAndSamplesOfEachFamilyTogether) {
  MetricText text;
  text.family("b_total", MetricType::counter, "Second.").add({{"x", "1"}}, std::uint64_t{7});
  text.family("a", MetricType::gauge, "First.").add({}, 0.5);
  text.family("b_total", MetricType::counter, "Second.").add({{"x", "2"}, {"y", "z"}}, std::int64_t{-1});
  EXPECT_EQ(text.text(),
            "# HELP a First.\n# TYPE a gauge\na 0.5\n"
            "# HELP b_total Second.\n# TYPE b_total counter\nb_total{x=\"1\"} 7\nb_total{x=\"2\",y=\"z\"} -1\n");
}

TEST(MetricText, LeavesOutAFamilyWithoutSamples) {
  MetricText text;
  text.family("empty", MetricType::gauge, "Nothing.");
  EXPECT_EQ(text.text(), "");
}

TEST(MetricText, EscapesHelpAndValuesOfLabels) {
  MetricText text;
  text.family("m", MetricType::gauge, "a\\b\n\"c\"").add({{"l", "a\\b\n\"c\""}}, std::uint64_t{1});
  EXPECT_EQ(text.text(), "# HELP m a\\\\b\\n\"c\"\n# TYPE m gauge\nm{l=\"a\\\\b\\n\\\"c\\\"\"} 1\n");
}

TEST(MetricText, ReplacesWhatIsNotUtf8) {
  MetricText text;
  text.family("m", MetricType::gauge, "h").add({{"l", "a\xff\xe2\x82\xac"}}, std::uint64_t{1});
  EXPECT_THAT(text.text(), HasSubstr("m{l=\"a?\xe2\x82\xac\"} 1\n"));
}

TEST(MetricText, WritesWhatIsNoNumberAsPrometheusReadsIt) {
  MetricText text;
  auto& family = text.family("m", MetricType::gauge, "h");
  family.add({{"l", "a"}}, std::nan(""));
  family.add({{"l", "b"}}, std::numeric_limits<double>::infinity());
  family.add({{"l", "c"}}, -std::numeric_limits<double>::infinity());
  EXPECT_THAT(text.text(), HasSubstr("m{l=\"a\"} NaN\nm{l=\"b\"} +Inf\nm{l=\"c\"} -Inf\n"));
}

TEST(MetricText, WritesAHistogramAsCumulativeBucketsInSeconds) {
  Histogram histogram;
  histogram.observe(std::chrono::microseconds(7));
  histogram.observe(std::chrono::microseconds(700));
  histogram.observe(std::chrono::seconds(11));
  MetricText text;
  text.family("t_seconds", MetricType::histogram, "h").add({{"d", "x"}}, histogram.read());
  EXPECT_THAT(text.text(), StartsWith("# HELP t_seconds h\n# TYPE t_seconds histogram\n"
                                      "t_seconds_bucket{d=\"x\",le=\"5e-06\"} 0\n"
                                      "t_seconds_bucket{d=\"x\",le=\"1e-05\"} 1\n"));
  EXPECT_THAT(text.text(), HasSubstr("t_seconds_bucket{d=\"x\",le=\"0.001\"} 2\n"));
  EXPECT_THAT(text.text(), HasSubstr("t_seconds_bucket{d=\"x\",le=\"10\"} 2\n"
                                     "t_seconds_bucket{d=\"x\",le=\"+Inf\"} 3\n"
                                     "t_seconds_sum{d=\"x\"} 11.000707\n"
                                     "t_seconds_count{d=\"x\"} 3\n"));
}

TEST(MetricName, HasOnlyWhatANameMayHave) {
  EXPECT_EQ(metric_name("nova_calls"), "nova_calls");
  EXPECT_EQ(metric_name("9 lives-total"), "_9_lives_total");
  EXPECT_EQ(metric_name(""), "_");
}

TEST(MetricRegistry, GathersFromAllSourcesWhenItIsAsked) {
  MetricRegistry registry;
  std::uint64_t value = 1;
  registry.add([&value](MetricText& into) { into.family("a", MetricType::gauge, "h").add({}, value); });
  registry.add([](MetricText& into) { into.family("b", MetricType::gauge, "h").add({}, std::uint64_t{2}); });
  value = 5;
  EXPECT_THAT(registry.text(), HasSubstr("\na 5\n"));
  EXPECT_THAT(registry.text(), HasSubstr("\nb 2\n"));
}

TEST(CounterMetrics, HaveNamesOfTheirOwn) {
  Counters counters;
  counters.add("claims_lost", "filter", 3);
  counters.add("nova_request_microseconds", "whole", 1'500'000);
  counters.add("nova_rebuild_hints", "passed_over", 2);
  counters.add("driver.cache_hits", "filter", 9);
  counters.add("calls", "status", 4);
  counters.add("new thing", "", 1);
  MetricText text;
  write_counters(counters, {{"claims_lost", "filter"}, {"misuses", "filter"}}, text);
  EXPECT_THAT(text.text(), HasSubstr("gantry_claims_lost_total{driver=\"filter\"} 3\n"));
  EXPECT_THAT(text.text(), HasSubstr("gantry_driver_misuses_total{driver=\"filter\"} 0\n"));
  EXPECT_THAT(text.text(), HasSubstr("gantry_nova_request_seconds_total{part=\"whole\"} 1.5\n"));
  EXPECT_THAT(text.text(), HasSubstr("gantry_nova_rebuild_hints_total{outcome=\"passed_over\"} 2\n"));
  EXPECT_THAT(text.text(), HasSubstr("gantry_driver_counter_total{driver=\"filter\",name=\"cache_hits\"} 9\n"));
  EXPECT_THAT(text.text(), HasSubstr("gantry_new_thing_total 1\n"));
  EXPECT_THAT(text.text(), Not(HasSubstr("gantry_calls")));
}

TEST(ProcessMetrics, KnowMemoryAndDescriptors) {
  MetricText text;
  write_process(text);
  for (const auto* name :
       {"process_resident_memory_bytes ", "process_open_fds ", "process_max_fds ", "process_cpu_seconds_total "})
    EXPECT_THAT(text.text(), HasSubstr(std::string("\n") + name));
  EXPECT_GT(resident_memory(), 100'000U);
  EXPECT_GE(open_descriptors(), 3U);
}

}  // namespace
}  // namespace gantry::telemetry
