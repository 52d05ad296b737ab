// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include "core/conformance/bench.hpp"
#include "gantry/testing/json_check.hpp"

namespace gantry::conformance {

// The services that note something before the fake host serves them.
struct Host::Services {
  static Host& of(gantry_call* call) {
    return static_cast<Host&>(static_cast<testing::fake_host&>(*testing::fake_call::of(call).host));
  }

  static const gantry_column* column(gantry_call* call, const gantry_view* view, gantry_string name) {
    Host& host = of(call);
    const std::string asked(gantry::text(name));
    const bool is_own = gantry::text(view->topic) == host.topic();
    if (is_own && !host.declared_.contains(asked) && !asked.starts_with("claims.")) host.undeclared.insert(asked);
    const gantry_column* const found = testing::services::column(call, view, name);
    const auto empty = host.empty_.find(asked);
    return found != nullptr || !is_own || view->rows != 0 || empty == host.empty_.end() ? found : &empty->second;
  }
  static bool is_late(const Host& host) { return host.polls_until_stop && host.polls > *host.polls_until_stop; }
  static std::int32_t should_stop(gantry_call* call) {
    ++of(call).polls;
    return is_late(of(call)) ? 1 : testing::services::should_stop(call);
  }
  static std::int64_t time_left_ns(gantry_call* call) {
    ++of(call).polls;
    return is_late(of(call)) ? 0 : testing::services::time_left_ns(call);
  }
  static gantry_code claim(gantry_call* call, const gantry_claim* claim) {
    const Host& host = of(call);
    return host.loses_claim && host.loses_claim() ? GANTRY_CLAIM_LOST : testing::services::claim(call, claim);
  }
  static void* scratch(gantry_call* call, std::uint64_t size, std::uint64_t align) {
    return of(call).has_scratch ? testing::services::scratch(call, size, align) : nullptr;
  }
  static gantry_code pick(gantry_call* call, const gantry_pick* pick) {
    const gantry_code code = of(call).pick_code;
    return code == GANTRY_OK ? testing::services::pick(call, pick) : code;
  }
  static gantry_code alternate(gantry_call* call, const gantry_pick* pick) {
    const gantry_code code = of(call).pick_code;
    return code == GANTRY_OK ? testing::services::alternate(call, pick) : code;
  }
  // Threads of a rule share the home of an instance: lines and counts outside of a call are left out.
  static void log(const gantry_host*, const gantry_call* call, std::int32_t level, gantry_string message) {
    if (call == nullptr) return;
    Host& host = of(const_cast<gantry_call*>(call));
    ++host.lines;
    const bool is_good = level >= GANTRY_LOG_DEBUG && level <= GANTRY_LOG_ERROR && message.size != 0 &&
                         testing::is_utf8(gantry::text(message));
    if (!is_good)
      host.bad_line = "a line of level " + std::to_string(level) + " and " + std::to_string(message.size) + " bytes";
  }
  static void count(const gantry_host*, gantry_string, std::uint64_t) {}
};

Host::Host(const Unit& unit, const Subject& subject, std::vector<testing::host_row> rows)
    : fake_host(std::move(rows), subject.topic()), table_(testing::services::table(*this)) {
  if (topic() != "compute") set_rows("compute", fleet(unit, 1, 5));
  for (const drivers::ColumnUse& use : unit.needs) needs.push_back(use.name);
  for (const drivers::ColumnUse& use : unit.columns) {
    declared_.insert(use.name);
    if (use.type == 0) continue;
    // A column without rows still has its name, its type and memory that can be read.
    static constexpr std::array<std::uint64_t, 1024> nothing{};
    gantry_column& column = empty_[use.name];
    column.name = {use.name.data(), use.name.size()};
    column.type = use.type;
    column.struct_size = sizeof column;
    column.values = column.dictionary = column.elements = nothing.data();
  }
  context.remote_address = "10.1.2.3";
  seed = subject.seed();
  log_level = GANTRY_LOG_INFO;
  table_.column = Services::column;
  table_.should_stop = Services::should_stop;
  table_.time_left_ns = Services::time_left_ns;
  table_.claim = Services::claim;
  table_.scratch = Services::scratch;
  table_.pick = Services::pick;
  table_.alternate = Services::alternate;
  table_.log = Services::log;
  table_.count = Services::count;
}

// Free amounts follow from the others: claims take from them.
void Host::settle_free_amounts() {
  if (!declared_.contains("free_ram_mb") && !declared_.contains("free_disk_gb")) return;
  const auto settle = [](testing::host_row& row, const char* name, const auto& all, const auto& used,
                         const char* resource) {
    const auto column = row.columns.find(name);
    if (column == row.columns.end() || !all || !used) return;
    const auto claimed = row.claims.find(resource);
    column->second = static_cast<double>(*all) - *used - (claimed == row.claims.end() ? 0 : claimed->second);
  };
  for (testing::host_row& row : rows()) {
    settle(row, "free_ram_mb", row.memory_mb, row.memory_mb_used, "memory_mb");
    settle(row, "free_disk_gb", row.local_gb, row.local_gb_used, "disk_gb");
  }
}

void Host::prepare() {
  settle_free_amounts();
  const gantry_view& shown = view(topic())->raw();
  if (poison == 0) return;
  for (std::uint32_t index = 0; index < shown.column_count; ++index) {
    const gantry_column& column = shown.columns[index];
    if (column.validity == nullptr) continue;
    void* const values = const_cast<void*>(column.values);
    for (std::uint32_t row = 0; row < shown.rows; ++row) {
      if ((column.validity[row / 64] >> (row % 64) & 1) != 0) continue;
      switch (column.type) {
        case GANTRY_TYPE_I64: static_cast<std::int64_t*>(values)[row] = std::int64_t{1} << 40; break;
        case GANTRY_TYPE_F64: static_cast<double*>(values)[row] = column.name.size > 5 ? 1e12 : 0; break;
        case GANTRY_TYPE_STRING:
        case GANTRY_TYPE_SET: static_cast<std::uint32_t*>(values)[row] = 0; break;
        case GANTRY_TYPE_JSON: static_cast<gantry_json*>(values)[row] = {{"{}", 2}, 0}; break;
        case GANTRY_TYPE_UUIDS: static_cast<gantry_slice*>(values)[row] = {0, 0}; break;
        default: break;
      }
    }
  }
}

}  // namespace gantry::conformance
