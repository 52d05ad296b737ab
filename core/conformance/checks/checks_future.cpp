// SPDX-License-Identifier: Apache-2.0
//
// Rules about hosts of the future: the additions of a later minor change no decision.
#include <cstring>

#include "core/conformance/bench.hpp"
#include "core/conformance/checks/checks.hpp"

namespace gantry::conformance {
namespace {

using testing::fake_request;

constexpr std::size_t more_bytes = 48;  // added to a struct by a later minor

// An array of structs, each with further bytes behind what this minor knows.
template <class T>
std::vector<std::byte> longer_array(const T* items, std::size_t count, std::size_t stride) {
  std::vector<std::byte> bytes((sizeof(T) + more_bytes) * (count + 1), std::byte{0xA5});
  for (std::size_t at = 0; at < count; ++at)
    std::memcpy(bytes.data() + at * (sizeof(T) + more_bytes), reinterpret_cast<const char*>(items) + at * stride,
                sizeof(T));
  return bytes;
}

// Decides each scene as usual and as a later host would ask, each time with a new instance.
Verdict decides_alike(Subject& subject, const Instance::Bend& bend) {
  return each_decider(subject, [&](const Unit& unit) {
    for (const Scene& scene : scenes(unit, subject.seed())) {
      std::string texts[2];
      for (const bool later : {false, true}) {
        const auto instance = Instance::create(unit, subject, options_for(subject, unit));
        Host host(unit, subject, scene.rows);
        const Instance::Bend none = [](gantry_request& request, gantry_view&) { return &request; };
        texts[later ? 1 : 0] = text_of(instance->select_bent(host, scene.request, later ? bend : none));
      }
      if (texts[0] == texts[1] || unit.decides_from_history) continue;
      return failed("the decision of this host (" + scene.name + "): " + texts[0].substr(0, 120),
                    texts[1].substr(0, 120));
    }
    return Verdict{};
  });
}

Verdict later_column(Subject& subject) {
  std::vector<gantry_column> columns;
  return decides_alike(subject, [&columns](gantry_request& request, gantry_view& view) {
    columns.assign(view.columns, view.columns + view.column_count);
    gantry_column later = {};
    later.name = {"later", 5};
    later.type = 99;
    later.struct_size = sizeof later;
    columns.insert(columns.begin(), later);
    view.columns = columns.data();
    view.column_count = static_cast<std::uint32_t>(columns.size());
    return &request;
  });
}

Verdict later_bits(Subject& subject) {
  return decides_alike(subject, [](gantry_request& request, gantry_view&) {
    request.present |= 0xFFFF0000u;
    return &request;
  });
}

Verdict longer_structs(Subject& subject) {
  std::vector<std::byte> asked;
  std::vector<std::byte> columns;
  std::vector<std::byte> aggregates;
  std::vector<std::byte> hints;
  return decides_alike(subject, [&](gantry_request& request, gantry_view& view) {
    // For several instances a driver derives a view, and the bench derives from columns as they are.
    if (request.instances == 1) {
      columns = longer_array(view.columns, view.column_count, view.column_stride);
      view.columns = reinterpret_cast<const gantry_column*>(columns.data());
      view.column_stride = sizeof(gantry_column) + more_bytes;
    }
    aggregates = longer_array(view.aggregates, view.aggregate_count, view.aggregate_stride);
    view.aggregates = reinterpret_cast<const gantry_aggregate*>(aggregates.data());
    view.aggregate_stride = sizeof(gantry_aggregate) + more_bytes;
    hints = longer_array(request.hints, request.hint_count, request.hint_stride);
    request.hints = reinterpret_cast<const gantry_hint*>(hints.data());
    request.hint_stride = sizeof(gantry_hint) + more_bytes;
    request.struct_size = sizeof(gantry_request) + more_bytes;
    asked = longer_array(&request, 1, sizeof request);
    return reinterpret_cast<const gantry_request*>(asked.data());
  });
}

Verdict later_minor(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    drivers::Options options(unit.options, options_for(subject, unit));
    std::string texts[2];
    for (const bool later : {false, true}) {
      Host host(unit, subject, fleet(unit, subject.seed(), 30));
      host.prepare();
      auto table = static_cast<const testing::services::host_table&>(host.table());
      if (later) table.abi_minor = 99;
      testing::fake_call call(1);
      call.host = &host;
      call.context = host.context.raw(call.memory);
      gantry_driver* created = nullptr;
      if (unit.driver->create(&table, call.raw(), options.table(), &created) != GANTRY_OK)
        return failed("an instance for a host of a later minor", call.result.sentence);
      testing::fake_driver driver(host, *unit.driver, created);
      fake_request request = small_request(2);
      request.spec = whole_spec(request);
      texts[later ? 1 : 0] = text_of(driver.select_destinations(request));
    }
    return texts[0] == texts[1] || unit.decides_from_history ? Verdict{}
                                                             : failed("the decision of this host", texts[1]);
  });
}

}  // namespace

std::vector<Rule> future_rules() {
  const char* const growth = "driver.h, convention 3";
  return {
      {"later-column-type", Grade::silver, "A column of an unknown type disturbs nobody",
       "A later host has more columns, and more types.", "abort() in the default of a switch over column->type", growth,
       later_column},
      {"later-bits", Grade::silver, "Unknown bits of a request are passed over", "A later host sets more bits.",
       "if (request->present != all_known) return GANTRY_INVALID_ARGUMENT;", growth, later_bits},
      {"longer-structs", Grade::bronze, "Longer structs and longer strides are read by their sizes",
       "A later host appends members: arrays are walked by their stride.", "request->hints[1] without hint_stride",
       growth, longer_structs},
      {"later-minor", Grade::bronze, "A host of a later minor is a host like this one",
       "A file is built once and loaded for years.",
       "if (host->abi_minor != GANTRY_ABI_MINOR) return GANTRY_UNSUPPORTED;", "driver.h, convention 9", later_minor},
  };
}

}  // namespace gantry::conformance
