// SPDX-License-Identifier: Apache-2.0
//
// The twin of probe/src/lib.rs: uses each part of the SDK and answers with all that it has seen.
#include <gantry/driver.hpp>
#include <gantry/driver/capacity.hpp>
#include <sstream>

namespace {

class dice {
 public:
  dice(gantry::call& call, const gantry::request& request)
      : found_(narrowed(call, request)), choice_(call, found_.rows()), alternates_(request.alternates()) {}

  gantry::code place(std::uint32_t instance) { return choice_.place(instance, alternates_); }
  std::string reason() const { return found_.emptied_by(); }

 private:
  static gantry::narrowing narrowed(gantry::call& call, const gantry::request& request) {
    const gantry::text_column racks = request.view().texts("stats.rack");
    const auto wanted = request.hint("rack");
    gantry::narrowing found = gantry::candidates(call, request);
    if (!wanted.empty()) {
      found.rows().keep_if([&](std::uint32_t row) { return racks.has(row) && racks[row] == gantry::text(wanted[0]); });
      found.step("rack", "they are in " + gantry::texts_of(request.complete(), request.view(), "stats.rack"),
                 [racks](std::uint32_t row) { return "in rack " + gantry::quoted(racks[row]); });
    }
    found.explain_all();
    return found;
  }

  gantry::narrowing found_;
  gantry::random_choice choice_;
  std::uint32_t alternates_;
};

std::string number(bool has, std::int64_t value) {
  return has ? std::to_string(value) : "null";
}

const char* word(bool value) {
  return value ? "true" : "false";
}

gantry::code reply(gantry::call& call, const std::ostringstream& said) {
  return call.reply('"' + said.str() + '"');
}

gantry::code numbers(gantry::call& call) {
  std::ostringstream said;
  said << call.random();
  for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{10},
                                    std::uint64_t{1} << 33, (std::uint64_t{1} << 63) + 1, UINT64_MAX}) {
    said << ' ' << call.random_below(bound);
  }
  said << " at " << call.now();
  return reply(call, said);
}

gantry::code claim(gantry::call& call, std::string_view args) {
  const gantry::code claimed = call.claim(1, "consumer", {{"gpu", 1, 2}, {"fpga", 0.5}});
  if (claimed != gantry::code::ok && claimed != gantry::code::claim_lost) return claimed;
  const bool held = claimed == gantry::code::ok;
  const gantry::code cast = call.cast(1, "attach", args, held ? "consumer" : "");
  if (cast != gantry::code::ok) return cast;
  std::ostringstream said;
  said << word(held) << ' ';
  if (const auto at = call.locate("11111111-1111-4111-8111-111111111111")) {
    said << at->row << ' ' << gantry::text(at->host) << ' ' << gantry::text(at->flavor) << ' ' << at->vcpus << ' '
         << at->memory_mb << ' ' << at->disk_gb;
  } else {
    said << "nowhere";
  }
  const bool nowhere = !call.locate("22222222-2222-4222-8222-222222222222");
  said << ' ' << word(nowhere) << ' ' << gantry::text(call.context().user_id);
  return reply(call, said);
}

gantry::code read(gantry::call& call, const gantry::view& view) {
  std::ostringstream said;
  said << view.topic() << ' ' << view.rows();
  const auto hosts = view.texts("host"), racks = view.texts("stats.rack");
  const auto up = view.flags("up");
  const auto vcpus = view.integers("vcpus");
  const auto used = view.reals("vcpus_used");
  const auto sets = view.sets("aggregates");
  const auto lists = view.uuids("instances");
  const auto notes = view.documents("numa_topology");
  for (std::uint32_t row = 0; row < view.rows(); ++row) {
    said << " | " << hosts[row] << ' ' << word(up.has(row) && up[row]) << ' ' << number(vcpus.has(row), vcpus[row])
         << ' ' << number(used.has(row), used.has(row) ? static_cast<std::int64_t>(used[row] * 1000.0) : 0);
    for (const std::uint32_t index : sets[row]) {
      const gantry_aggregate& aggregate = view.aggregate(index);
      std::string_view zone = "none";
      for (const gantry_pair& pair : gantry::each(aggregate.metadata)) {
        if (gantry::text(pair.key) == "zone") zone = gantry::text(pair.value);
      }
      said << ' ' << gantry::text(aggregate.name) << ' ' << zone;
    }
    for (const gantry_uuid& uuid : lists[row]) said << ' ' << int{uuid.bytes[15]};
    said << ' ' << (racks.has(row) ? racks[row] : "null") << ' ' << (notes.has(row) ? notes[row].text.size : 0);
  }
  const bool other_type = !view.find<gantry::column<double>>("vcpus") && !view.find<gantry::text_column>("no such");
  said << ' ' << word(other_type);
  return reply(call, said);
}

gantry::code derive(gantry::call& call, const gantry::view& view) {
  const gantry_uuid uuid = *gantry::parse_uuid("6f70656e-7374-4163-8b00-000000000007");
  const gantry::view derived = call.derive(view);
  call.write<std::int64_t>(derived, "vcpus")[0] = 3;
  call.write<double>(derived, "vcpus_used")[1] += 2.5;
  call.append(derived, "instances", 0, uuid);
  const double grown = derived.reals("vcpus_used")[1] - view.reals("vcpus_used")[1];
  std::ostringstream said;
  said << derived.integers("vcpus")[0] << ' ' << grown << ' '
       << derived.uuids("instances")[0].size() - view.uuids("instances")[0].size() << ' ' << derived.generation();
  return reply(call, said);
}

class probe final : public gantry::driver {
 public:
  explicit probe(std::string greeting) : greeting_(std::move(greeting)) {}
  static std::unique_ptr<probe> create(gantry::call& call, const gantry::options& options) {
    std::ostringstream line;
    line << options.real("factor") << " of " << word(options.boolean("on"));
    call.log(gantry::level::info, line.str());
    std::string greeting = std::string(options.string("greeting")) + ' ';
    bool first = true;
    for (const gantry_string name : gantry::each(options.strings("names"))) {
      greeting += (first ? "" : "+") + std::string(gantry::text(name));
      first = false;
    }
    greeting += ' ';
    first = true;
    for (const gantry_pair& pair : gantry::each(options.table("table"))) {
      greeting +=
          (first ? "" : "+") + std::string(gantry::text(pair.key)) + '=' + std::string(gantry::text(pair.value));
      first = false;
    }
    return std::make_unique<probe>(greeting);
  }

  gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
    dice placer(call, request);
    return gantry::place_all(call, request, placer);
  }
  gantry::code schedule_run_instance(gantry::call& call, const gantry::request& request) override {
    dice placer(call, request);
    return gantry::place_each(call, request, placer);
  }
  gantry::code call_method(gantry::call& call, const gantry::method_call& method) override {
    call.host().count(method.method(), 2);
    if (method.method() == "numbers") return numbers(call);
    if (method.method() == "claim") return claim(call, method.args());
    if (method.method() == "read") return read(call, method.view());
    if (method.method() == "derive") return derive(call, method.view());
    return call.fail(gantry::code::invalid_argument, greeting_ + ": no method " + gantry::quoted(method.method()));
  }
  gantry::code hosts_up(gantry::call& call, const gantry::view& view, gantry::bitmap& rows) override {
    gantry::rows_up(call, view).for_each([&](std::uint32_t row) {
      if (row % 2 == 0) rows.set(row);
    });
    return gantry::code::ok;
  }
  gantry::code group_hosts(gantry::call&, const gantry_group& group, const gantry::view&,
                           gantry::bitmap& rows) override {
    for (std::uint64_t at = 0; at < group.member_row_count; ++at) rows.set(group.member_rows[at]);
    return gantry::code::ok;
  }
  gantry::code update_service_capabilities(gantry::call& call, std::string_view service, std::string_view host,
                                           std::string_view capabilities) override {
    return call.reply(R"({"from": ")" + std::string(service) + ' ' + std::string(host) + R"(", "all": )" +
                      std::string(capabilities) + '}');
  }
  gantry::code count_capacity(gantry::call& call, const gantry::request& request, gantry::row_counts counts) {
    if (!request.carries(GANTRY_REQUEST_VCPUS)) return call.fail(gantry::code::unsupported, "the request has no vcpus");
    const auto vcpus = request.view().integers("vcpus");
    const auto used = request.view().reals("vcpus_used");
    gantry::candidates(call, request).rows().for_each([&](std::uint32_t row) {
      counts[row] =
          gantry::claims_that_fit(used[row], static_cast<double>(request.vcpus()), static_cast<double>(vcpus[row]));
    });
    return gantry::code::ok;
  }
  const void* extension(std::string_view id) noexcept override { return gantry::capacity_extension<probe>(id); }

 private:
  std::string greeting_;
};

}  // namespace

GANTRY_DRIVER(probe, R"(
id = 'probe'
version = '0.1.0'
description = 'uses each part of the SDK'
)");
