// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <optional>
#include <ostream>
#include <sstream>
#include <utility>

#include "core/cli/agent/stop_signal.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/commands/stats_text.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/screen.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli {

namespace {

using Clock = std::chrono::steady_clock;

// The counts that grow from look to look.
struct Sample {
  Clock::time_point at;
  std::int64_t decisions = 0;
  std::int64_t calls = 0;
  std::int64_t commits = 0;
};

std::int64_t whole_at(const json::object& object, const char* path) {
  const auto* value = at_path(object, path);
  if (value == nullptr || !value->is_number()) return 0;
  return value->is_double() ? static_cast<std::int64_t>(value->get_double()) : value->to_number<std::int64_t>();
}

Sample sample_of(const json::object& stats) {
  Sample sample{Clock::now()};
  for (const char* outcome : {"decisions.placed", "decisions.no_valid_host", "decisions.failed"})
    sample.decisions += whole_at(stats, outcome);
  if (const auto* methods = json::find_array(stats, "methods")) {
    for (const auto& method : *methods)
      if (method.is_object()) sample.calls += whole_at(method.get_object(), "calls");
  }
  sample.commits = whole_at(stats, "store.commits");
  return sample;
}

std::string rate_text(std::int64_t now, std::int64_t before, double seconds) {
  std::array<char, 32> text{};
  // A reset in between has made the count small.
  const auto more = now < before ? now : now - before;
  std::snprintf(text.data(), text.size(), "%.1f/s", seconds > 0 ? static_cast<double>(more) / seconds : 0);
  return text.data();
}

std::string rates_text(const Sample& now, const Sample& before) {
  const double seconds = std::chrono::duration<double>(now.at - before.at).count();
  return rate_text(now.decisions, before.decisions, seconds) + " decisions, " +
         rate_text(now.calls, before.calls, seconds) + " calls, " + rate_text(now.commits, before.commits, seconds) +
         " commits";
}

void print_texts(std::ostream& out, const json::object& stats, const char* member, const char* words) {
  if (const auto* texts = json::find_array(stats, member)) {
    for (const auto& text : *texts) out << words << printable(cell_text(&text)) << '\n';
  }
}

void print_table_into(std::ostream& out, const TextTable& table, bool colour) {
  if (table.empty()) return;
  out << '\n';
  table.print(out, colour);
}

// `before`: nullptr at the first look, which knows no rates.
std::string view_text(const json::object& stats, const Sample& now, const Sample* before, bool colour) {
  const auto at = [&stats](const char* path) { return cell_text(at_path(stats, path)); };
  std::ostringstream out;
  const auto* reasons = json::find_array(stats, "unready_reasons");
  const bool is_ready = reasons == nullptr || reasons->empty();
  out << "gantry top  " << at("now") << "  " << (is_ready ? "ready" : "NOT READY") << "  since " << at("since") << '\n';
  out << decisions_text(stats) << (before == nullptr ? "" : "; " + rates_text(now, *before)) << '\n';
  out << "hosts of topic compute: " << host_states_text(stats) << '\n';
  out << at("calls_under_way") << " calls under way, " << at("store.waiting") << " changes wait for the store, "
      << at("casts.waiting") << " casts wait (the oldest for " << at("casts.oldest_age") << " s), " << at("claims")
      << " claims\n";
  print_texts(out, stats, "unready_reasons", "not ready: ");
  print_texts(out, stats, "warnings", "warning: ");
  for (const auto& table : {driver_table(stats), refusal_table(stats), busiest_table(stats), part_table(stats)})
    print_table_into(out, table, colour);
  return out.str();
}

Result<json::object> ask(Session& session, const Arguments& arguments) {
  auto answer = session.call("stats", {{"busiest", arguments.integer("hosts").value_or(0)}});
  if (!answer) return std::move(answer).error();
  if (!answer->is_object()) return Error{ErrorCode::internal, "stats: expected an object as answer", ""};
  return std::move(answer->get_object());
}

Result<int> show_once(Session& session, const Arguments& arguments) {
  auto stats = ask(session, arguments);
  if (!stats) return std::move(stats).error();
  if (session.format() == OutputFormat::json)
    print_json(session, *stats);
  else
    session.out() << view_text(*stats, sample_of(*stats), nullptr, session.colour());
  return 0;
}

// Waits for a key or the end of the interval. Returns whether the view ends.
bool is_over(const std::stop_token& stop, std::chrono::milliseconds interval) {
  constexpr std::chrono::milliseconds step{100};
  const auto end = Clock::now() + interval;
  while (!stop.stop_requested() && Clock::now() < end) {
    const auto key = Screen::wait_for_key(step);
    if (key == 'q' || key == 'Q') return true;
    if (key) return false;  // any other key: look at once
  }
  return stop.stop_requested();
}

Result<int> show_again_and_again(Session& session, const Arguments& arguments) {
  auto stats = ask(session, arguments);  // an absent daemon is told before the screen changes
  if (!stats) return std::move(stats).error();
  const agent::StopSignal signal;
  const auto interval = arguments.seconds("interval").value_or(std::chrono::milliseconds(2000));
  Screen screen(session.out());
  std::optional<Sample> before;
  do {
    if (stats) {
      const auto now = sample_of(*stats);
      screen.draw(view_text(*stats, now, before ? &*before : nullptr, session.colour()) + "\nq ends");
      before = now;
    } else if (may_pass(stats.error().code)) {
      screen.draw("gantry top: " + printable(stats.error().message) + "\nasking again\n\nq ends");
    } else {
      return std::move(stats).error();
    }
    if (is_over(signal.token(), interval)) return 0;
    stats = ask(session, arguments);
  } while (session.out());
  return 0;
}

Result<int> top(Session& session, const Arguments& arguments) {
  const bool is_view = session.environment().out_is_terminal && session.format() == OutputFormat::table;
  return is_view && !arguments.flag("once") ? show_again_and_again(session, arguments) : show_once(session, arguments);
}

}  // namespace

std::vector<Command> top_commands() {
  return {{.path = "top",
           .summary = "Watches the daemon: rates, times, refusals by step, the fullest hosts",
           .description =
               "Draws the view anew every few seconds, until q or Ctrl-C. Any other key draws at once. Where standard "
               "output is no terminal, or with -o json, it shows one look and ends, as --once does.",
           .options = {{.name = "once", .help = "One look, without the rates, which need two"},
                       {.name = "interval",
                        .kind = ValueKind::number,
                        .value_name = "SECONDS",
                        .help = "Time between two looks",
                        .fallback = "2",
                        .minimum = 0.1,
                        .maximum = 3600},
                       {.name = "hosts",
                        .kind = ValueKind::integer,
                        .value_name = "N",
                        .help = "How many of the fullest hosts",
                        .fallback = "5",
                        .minimum = 0,
                        .maximum = 100}},
           .examples = {{"gantry top", "until q"}, {"gantry top --once", "one look"}},
           .run = top}};
}

}  // namespace gantry::cli
