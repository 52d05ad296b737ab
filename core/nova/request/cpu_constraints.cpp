// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/cpu_constraints.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "core/nova/request/cpu_set.hpp"
#include "core/nova/request/failure.hpp"
#include "core/nova/request/python_text.hpp"

namespace gantry::nova {

namespace {

using Texts = std::span<const std::string_view>;

constexpr std::string_view cpu_policies[] = {"dedicated", "shared", "mixed"};
constexpr std::string_view thread_policies[] = {"prefer", "isolate", "require"};
constexpr std::string_view emulator_policies[] = {"share", "isolate"};

bool is_one_of(Texts texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// Returns the texts as Python shows a tuple.
std::string shown_tuple(Texts texts) {
  std::string all;
  for (const auto text : texts) all += (all.empty() ? "'" : ", '") + std::string(text) + "'";
  return "(" + all + ")";
}

bool is_set(const OptionalText& text) {
  return text && !text->empty();
}

struct Kind {
  std::string_view exception;
  std::string_view name;
  Texts known;
};

Error unknown_policy(const Kind& kind, std::string_view source, const std::string& found) {
  return raised(kind.exception, std::string(kind.name) + " requested from '" + std::string(source) +
                                    "' is invalid, given: '" + found + "', available: '" + shown_tuple(kind.known) +
                                    "'.");
}

Result<void> check_known(const Kind& kind, const OptionalText& of_flavor, const OptionalText& of_image) {
  if (is_set(of_flavor) && !is_one_of(kind.known, *of_flavor))
    return unknown_policy(kind, "flavor extra specs", *of_flavor);
  if (is_set(of_image) && !is_one_of(kind.known, *of_image)) return unknown_policy(kind, "image properties", *of_image);
  return {};
}

Result<OptionalText> cpu_policy(const Flavor& flavor, const Image& image) {
  const auto of_flavor = flavor.extra_spec("hw:cpu_policy");
  const auto of_image = image.property("hw_cpu_policy");
  auto known = check_known({"InvalidCPUAllocationPolicy", "CPU policy", cpu_policies}, of_flavor, of_image);
  if (!known) return std::move(known).error();
  const bool forbidden = (of_flavor == "mixed" && of_image == "dedicated") ||
                         (of_flavor == "shared" && (of_image == "mixed" || of_image == "dedicated"));
  if (forbidden)
    return raised("ImageCPUPinningForbidden",
                  "Image property 'hw_cpu_policy' is not permitted to override CPU pinning policy set against the "
                  "flavor");
  return is_set(of_flavor) ? of_flavor : of_image;
}

Result<OptionalText> thread_policy(const Flavor& flavor, const Image& image) {
  const auto of_flavor = flavor.extra_spec("hw:cpu_thread_policy");
  const auto of_image = image.property("hw_cpu_thread_policy");
  auto known =
      check_known({"InvalidCPUThreadAllocationPolicy", "CPU thread policy", thread_policies}, of_flavor, of_image);
  if (!known) return std::move(known).error();
  if (!of_flavor) return of_image;
  if (of_flavor != "prefer" && is_set(of_image) && of_image != of_flavor)
    return raised("ImageCPUThreadPolicyForbidden",
                  "Image property 'hw_cpu_thread_policy' is not permitted to override CPU thread pinning policy set "
                  "against the flavor");
  return of_flavor;
}

Result<OptionalText> emulator_policy(const Flavor& flavor) {
  auto policy = flavor.extra_spec("hw:emulator_threads_policy");
  if (!is_set(policy)) return OptionalText();
  if (!is_one_of(emulator_policies, *policy))
    return raised("InvalidEmulatorThreadsPolicy", "CPU emulator threads option requested is invalid, given: '" +
                                                      *policy + "', available: '" + shown_tuple(emulator_policies) +
                                                      "'.");
  return policy;
}

// Returns 0 if the flavor has no mask of dedicated CPUs.
Result<std::int64_t> dedicated_by_mask(const Flavor& flavor, std::int64_t vcpus) {
  const auto mask = flavor.extra_spec("hw:cpu_dedicated_mask");
  if (!is_set(mask)) return 0;
  const auto cpus = read_guest_cpu_mask(*mask, vcpus);
  if (!cpus) return cpus.error();
  if (cpus->is_empty() || cpus->has_all_below(vcpus))
    return raised("InvalidMixedInstanceDedicatedMask",
                  "Mixed instance must have at least 1 pinned vCPU and 1 unpinned vCPU. See "
                  "'hw:cpu_dedicated_mask'.");
  if (!cpus->is_below(vcpus))
    return raised("InvalidMixedInstanceDedicatedMask",
                  "Mixed instance dedicated vCPU(s) mask is not a subset of vCPUs in the flavor. See "
                  "\"hw:cpu_dedicated_mask\"");
  return cpus->size();
}

Error invalid_realtime_mask() {
  return raised("RealtimeMaskNotFoundOrInvalid",
                "Use of realtime CPUs requires either one or more non-realtime CPU(s) or offloaded emulator threads.");
}

// Returns 0 if the flavor is not for realtime.
Result<std::int64_t> realtime_cpus(const Flavor& flavor, const Image& image, std::int64_t vcpus) {
  if (!python_bool(flavor.extra_spec("hw:cpu_realtime").value_or(""))) return 0;
  const auto of_flavor = flavor.extra_spec("hw:cpu_realtime_mask");
  const auto of_image = image.property("hw_cpu_realtime_mask");
  const auto mask = is_set(of_image) ? of_image : of_flavor;
  const auto cpus = is_set(mask) ? read_guest_cpu_mask(*mask, vcpus) : CpuSet::up_to(vcpus);
  if (!cpus) return cpus.error();
  if (cpus->is_empty()) return invalid_realtime_mask();
  const auto emulator = emulator_policy(flavor);
  if (!emulator) return emulator.error();
  if (cpus->has_all_below(vcpus) && cpus->is_below(vcpus) && !*emulator) return invalid_realtime_mask();
  if (!cpus->is_below(vcpus))
    return raised("RealtimeMaskNotFoundOrInvalid",
                  "Realtime policy vCPU(s) mask is configured with RT vCPUs that are not a subset of the vCPUs in the "
                  "flavor. See hw:cpu_realtime_mask or hw_cpu_realtime_mask");
  return cpus->size();
}

// Returns the error for a flavor without a number of CPUs. Nova reads most masks before it looks for the number.
Error without_vcpus(const Flavor& flavor, bool is_mixed) {
  const auto mask = flavor.extra_spec("hw:cpu_dedicated_mask").value_or("");
  if (is_mixed && !python_strip(mask).starts_with('^')) {
    if (auto read = read_cpu_mask(mask); !read) return std::move(read).error();
  }
  return unset_in_flavor("vcpus");
}

// Sets how many CPUs are dedicated, and how many are shared beside them.
Result<void> count_cpus(const Flavor& flavor, const Image& image, PinnedCpus& pinned) {
  if (!flavor.vcpus) return without_vcpus(flavor, pinned.is_mixed);
  pinned.dedicated = *flavor.vcpus;
  if (!pinned.is_mixed) return {};
  const auto by_mask = dedicated_by_mask(flavor, *flavor.vcpus);
  if (!by_mask) return by_mask.error();
  const auto realtime = realtime_cpus(flavor, image, *flavor.vcpus);
  if (!realtime) return realtime.error();
  pinned.dedicated = *by_mask != 0 ? *by_mask : *realtime;
  pinned.shared = *flavor.vcpus - pinned.dedicated;
  return {};
}

}  // namespace

Result<PinnedCpus> pinned_cpus(const Flavor& flavor, const Image& image) {
  const auto policy = cpu_policy(flavor, image);
  if (!policy) return policy.error();
  const auto threads = thread_policy(flavor, image);
  if (!threads) return threads.error();
  const auto emulator = emulator_policy(flavor);
  if (!emulator) return emulator.error();
  PinnedCpus pinned;
  pinned.is_mixed = *policy == "mixed";
  pinned.is_requested = pinned.is_mixed || *policy == "dedicated";
  if (*threads == "isolate") pinned.hyperthreading_trait_type = "forbidden";
  if (*threads == "require") pinned.hyperthreading_trait_type = "required";
  if (!pinned.is_requested) return pinned;
  if (auto counted = count_cpus(flavor, image, pinned); !counted) return std::move(counted).error();
  if (*emulator == "isolate") ++pinned.dedicated;
  return pinned;
}

}  // namespace gantry::nova
