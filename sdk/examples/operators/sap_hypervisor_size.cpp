// SPDX-License-Identifier: Apache-2.0
//
// SAP's rules about the size of the hypervisors of a vSphere cluster: the memory of one of its nodes. SAP asks placement
// for it (the max_unit of MEMORY_MB); here the cluster's agent reports it as hypervisor_memory_mb.
#include <gantry/filter.hpp>
#include <gantry/weigher.hpp>

#include "operators.hpp"
#include "sap.hpp"

namespace operators {
namespace {

// sapcc/nova, nova/scheduler/filters/vm_size_threshold_filter.py
class vm_size_threshold final : public gantry::host_filter {
 public:
  explicit vm_size_threshold(const gantry::options& options)
      : vm_mb_(options.integer("vm_size_threshold_vm_size_mb")),
        hv_mb_(options.integer("vm_size_threshold_hv_size_mb")) {}
  bool passes(const gantry::host_row_view& host, const gantry::request& request) const override {
    if (!sap::is_for_vmware(request) || request.memory_mb() < vm_mb_) return true;
    return host.integer(sap::hypervisor_memory_mb).value_or(-1) >= hv_mb_;
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"their hypervisors are too small for an instance of this size"};
  }

 private:
  std::int64_t vm_mb_;
  std::int64_t hv_mb_;
};

// sapcc/nova, nova/scheduler/filters/bigvm_filter.py. Half of the requested memory is free on the average node.
class big_vm_cluster_utilization final : public gantry::host_filter {
 public:
  explicit big_vm_cluster_utilization(const gantry::options& options) : bigvm_mb_(options.integer("bigvm_mb")) {}
  bool passes(const gantry::host_row_view& host, const gantry::request& request) const override {
    if (!sap::is_for_vmware(request) || !sap::is_big_vm(request, bigvm_mb_)) return true;
    const auto size = static_cast<double>(host.integer(sap::hypervisor_memory_mb).value_or(0));
    const auto total = static_cast<double>(*host.integer("memory_mb"));
    const double used_percent = (total - *host.real("free_ram_mb")) / total * 100;
    return size > 0 && used_percent <= (size - static_cast<double>(request.memory_mb()) / 2) / size * 100;
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"their memory is used too much for a big VM"};
  }

 private:
  std::int64_t bigvm_mb_;
};

// Returns the share that a text such as 1/2 or 0.5 names. nullopt: none from 0 to 1.
std::optional<double> share_of(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto part = number_of<double>(text.substr(0, slash));
  const auto whole = slash == text.npos ? 1.0 : number_of<double>(text.substr(slash + 1));
  if (!part || !whole || *whole == 0 || *part / *whole < 0 || *part / *whole > 1) return std::nullopt;
  return *part / *whole;
}

bool requires_numa_size(const gantry::request& request) {
  for (const gantry_pair& spec : gantry::each(request.extra_specs())) {
    constexpr std::string_view prefix = "trait:CUSTOM_NUMASIZE_";
    if (gantry::text(spec.key).substr(0, prefix.size()) == prefix && gantry::text(spec.value) == "required")
      return true;
  }
  return false;
}

// sapcc/nova, nova/scheduler/filters/bigvm_filter.py. The instance fills a share of a node, up to a tenth less.
class big_vm_flavor_host_size final : public gantry::host_filter {
 public:
  explicit big_vm_flavor_host_size(const gantry::options& options) : bigvm_mb_(options.integer("bigvm_mb")) {}
  bool passes(const gantry::host_row_view& host, const gantry::request& request) const override {
    if (!sap::is_for_vmware(request) || !sap::is_big_vm(request, bigvm_mb_)) return true;
    const auto size = host.integer(sap::hypervisor_memory_mb);
    if (!size || requires_numa_size(request)) return size.has_value();
    const auto wanted = static_cast<double>(request.memory_mb());
    return any_word(request.extra_spec("host_fraction").value_or(""), [&](std::string_view word) {
      const double most = share_of(word).value_or(0) * static_cast<double>(*size);
      return wanted <= most && wanted >= most - most * 10 / 100;
    });
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"the big VM fills no share of their hypervisors that host_fraction names"};
  }

 private:
  std::int64_t bigvm_mb_;
};

// The weight of each class, by the most memory of a hypervisor of the class, in MiB.
std::map<std::int64_t, double> classes_of(gantry_pairs gib_and_weight) {
  std::map<std::int64_t, double> classes;
  for (const gantry_pair& pair : gantry::each(gib_and_weight)) {
    const auto gib = number_of<std::int64_t>(gantry::text(pair.key));
    const auto weight = number_of<double>(gantry::text(pair.value));
    if (!gib || !weight) {
      throw gantry::failure(gantry::code::invalid_argument,
                            "hv_ram_class_weights_gib: expected GiB = 'weight', found " +
                                std::string(gantry::text(pair.key)) + " = '" + std::string(gantry::text(pair.value)) +
                                "'");
    }
    classes[*gib * 1024] = *weight;
  }
  return classes;
}

// sapcc/nova, nova/scheduler/weights/hv_ram_class.py. The scale ends at the greatest weight, not at the first.
class hv_ram_class final : public gantry::weigher {
 public:
  // cppcheck-suppress duplInheritedMember ; that is how a weigher names its option
  static constexpr std::string_view multiplier_name = "hv_ram_class_weight_multiplier";
  explicit hv_ram_class(const gantry::options& options)
      : classes_(classes_of(options.table("hv_ram_class_weights_gib"))) {
    for (const auto& [memory_mb, weight] : classes_) most_ = std::max(most_, weight);
  }
  gantry::code weigh(gantry::call&, const gantry::weigher_run& run) override {
    const auto sizes = run.view().find<gantry::column<std::int64_t>>(sap::hypervisor_memory_mb);
    run.minval(0);
    run.maxval(most_);
    run.rows().for_each([&](std::uint32_t row) {
      const bool known = sap::is_for_vmware(run.request()) && sizes && sizes->has(row) && (*sizes)[row] != 0;
      const auto found = known ? classes_.lower_bound((*sizes)[row]) : classes_.end();
      run.score(row, found == classes_.end() ? 0 : found->second);
    });
    return gantry::code::ok;
  }

 private:
  std::map<std::int64_t, double> classes_;
  double most_ = 0;
};

}  // namespace

gantry_offer vm_size_threshold_filter() {
  return gantry::offer_filter<vm_size_threshold>("VmSizeThresholdFilter");
}

gantry_offer big_vm_cluster_utilization_filter() {
  return gantry::offer_filter<big_vm_cluster_utilization>("BigVmClusterUtilizationFilter");
}

gantry_offer big_vm_flavor_host_size_filter() {
  return gantry::offer_filter<big_vm_flavor_host_size>("BigVmFlavorHostSizeFilter");
}

gantry_offer hv_ram_class_weigher() {
  return gantry::offer_weigher<hv_ram_class>("HvRamClassWeigher");
}

}  // namespace operators
