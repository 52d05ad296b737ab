// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nova/request/cpu_set.hpp"
#include "core/nova/request/failure.hpp"
#include "core/nova/request/python_text.hpp"
#include "core/nova/request/trait_names.hpp"

namespace gantry::nova {
namespace {

TEST(PythonTexts, NumbersAreReadAsInt) {
  EXPECT_EQ(python_int("007"), "7");
  EXPECT_EQ(python_int("-0"), "0");
  EXPECT_EQ(python_int(" -1_000\n"), "-1000");
  EXPECT_EQ(python_int(std::string(4300, '9')), std::string(4300, '9'));
  for (const auto& text : {std::string(), std::string(" "), std::string("+"), std::string("1_"), std::string("_1"),
                           std::string("1__0"), std::string("1.0"), std::string("1e3"), std::string(4301, '9')})
    EXPECT_EQ(python_int(text), std::nullopt) << text;
}

TEST(PythonTexts, ATruthIsOneOfSixWordsInAnyCase) {
  for (const auto* const text : {"1", "t", "True", " ON ", "y", "yes"}) EXPECT_TRUE(python_bool(text)) << text;
  for (const auto* const text : {"", "0", "false", "2", "enabled"}) EXPECT_FALSE(python_bool(text)) << text;
}

TEST(PythonTexts, AreShownWithQuotes) {
  EXPECT_EQ(python_repr("a"), "'a'");
  EXPECT_EQ(python_repr("it's"), "\"it's\"");
  EXPECT_EQ(python_repr("'\"\\\n\x01"), R"('\'"\\\n\x01')");
}

std::string shown_set(std::string_view mask) {
  const auto cpus = read_cpu_mask(mask);
  if (!cpus) return cpus.error().message;
  std::string bits;
  for (std::int64_t cpu = 0; cpu < 8; ++cpu) {
    const auto without = read_cpu_mask(std::string(mask) + ",^" + std::to_string(cpu));
    bits += without->size() == cpus->size() ? '0' : '1';
  }
  return bits;
}

TEST(CpuMasks, NameRangesSingleCpusAndExclusions) {
  EXPECT_EQ(shown_set("0-3,^2,6"), "11010010");
  EXPECT_EQ(shown_set("^1, 0-2 ,,1"), "10100000");
  EXPECT_EQ(shown_set("0-7,^2-3,^3-5"), "11000011");
  EXPECT_EQ(shown_set(""), "00000000");
}

TEST(CpuMasks, AreRefusedInNovasWords) {
  EXPECT_EQ(shown_set("3-1"), "Invalid range expression '3-1'");
  EXPECT_EQ(shown_set("1, -2"), "Invalid range expression '-2'");
  EXPECT_EQ(shown_set("^"), "Invalid exclusion expression '^'");
  EXPECT_EQ(shown_set("x"), "Invalid inclusion expression 'x'");
}

TEST(CpuMasks, MayNameAnyNumberOfCpus) {
  const auto cpus = read_cpu_mask("0-99999999999999999999,^5");
  ASSERT_TRUE(cpus);
  EXPECT_FALSE(cpus->has_all_below(8));
  EXPECT_FALSE(cpus->is_below(std::int64_t{1} << 53));
}

TEST(TraitNames, AreThoseOfOsTraits) {
  EXPECT_TRUE(is_known_trait("COMPUTE_IMAGE_TYPE_QCOW2", zed_questions));
  EXPECT_TRUE(is_known_trait("HW_ARCH_X86_64", zed_questions));
  EXPECT_FALSE(is_known_trait("COMPUTE_VIOMMU_INTEL", zed_questions));
  EXPECT_FALSE(is_known_trait("", zed_questions));
}

TEST(Failures, NameNovasClassInTheirDetails) {
  const auto error = raised("NoValidHost", "No valid host was found. ");
  EXPECT_EQ(error.code, ErrorCode::no_valid_host);
  EXPECT_EQ(error.details, R"({"exception":"NoValidHost"})");
  EXPECT_EQ(exception_of(error), "NoValidHost");
  EXPECT_EQ(exception_of(Error{}), "");
  EXPECT_EQ(module_of("NoValidHost"), "nova.exception");
  EXPECT_EQ(module_of("ValueError"), "builtins");
}

}  // namespace
}  // namespace gantry::nova
