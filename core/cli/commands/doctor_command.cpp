// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli {

namespace {

// "2 hosts", "1 host"
std::string counted_text(const json::object& checked, std::string_view name) {
  auto text = cell_text(json::find(checked, name)) + " ";
  if (json::find_integer(checked, name) == 1) name.remove_suffix(1);
  return text.append(name);
}

void print_findings(Session& session, const json::object& answer, const char* member, const std::string& title) {
  const json::array* findings = json::find_array(answer, member);
  if (findings == nullptr || findings->empty()) return;
  session.out() << title << ":\n";
  for (const json::value& value : *findings) {
    if (!value.is_object()) continue;
    const json::object& finding = value.get_object();
    const auto text = [&finding](const char* key) { return printable(cell_text(json::find(finding, key))); };
    session.out() << "  " << text("rule") << ": " << text("what") << "\n    expected: " << text("expected")
                  << "\n    found:    " << text("found") << '\n';
  }
}

void print_summary(Session& session, const json::object& answer, bool sound) {
  const json::object* checked = json::find_object(answer, "checked");
  const json::object none;
  const json::object& counts = checked == nullptr ? none : *checked;
  const json::object* documents = json::find_object(counts, "documents");
  std::int64_t all = 0;
  if (documents != nullptr)
    for (const auto& member : *documents) all += json::find_integer(*documents, member.key()).value_or(0);
  session.out() << (sound ? "sound: " : "checked ") << counted_text(counts, "hosts") << ", "
                << counted_text(counts, "instances") << ", " << counted_text(counts, "claims") << ", "
                << counted_text(counts, "casts") << "; " << all << (all == 1 ? " document" : " documents")
                << " the same in store and memory" << (sound ? "" : ", but for what is above") << '\n';
}

Result<int> doctor(Session& session, const Arguments& /*arguments*/) {
  auto answer = session.call("doctor", {});
  if (!answer) return std::move(answer).error();
  if (!answer->is_object()) return Error{ErrorCode::internal, "doctor: expected an object as answer", ""};
  const json::object& found = answer->get_object();
  const bool sound = json::find_bool(found, "sound").value_or(false);
  const int status = sound ? exit_code::success : exit_code::unsound;
  if (session.format() == OutputFormat::json) {
    print_json(session, *answer);
    return status;
  }
  if (session.format() == OutputFormat::value) {
    const json::array* findings = json::find_array(found, "findings");
    print_list(session, findings == nullptr ? json::array() : *findings,
               {{"RULE", "rule"}, {"WHAT", "what"}, {"EXPECTED", "expected"}, {"FOUND", "found"}});
    return status;
  }
  const auto in_all = json::find_integer(found, "findings_in_all").value_or(0);
  print_findings(session, found, "findings", std::to_string(in_all) + (in_all == 1 ? " finding" : " findings"));
  print_findings(session, found, "remarks", "remarks, which are no fault of gantryd");
  if (const auto undecided = json::find_integer(found, "undecided").value_or(0); undecided > 0)
    session.out() << undecided << " undecided, as calls were under way all the time (a driver may hang): ask again\n";
  print_summary(session, found, sound);
  return status;
}

}  // namespace

std::vector<Command> doctor_commands() {
  return {
      {.path = "doctor",
       .summary = "Examines the running daemon: whether what it holds is sound",
       .description =
           "No host over the limits of its claims, no durable claim without its instance, no claim that waits for a "
           "cast that is not there, no placed instance without a host, no launch without its instance, and store "
           "and memory the same. Changes go on meanwhile; what they explain is not found. The exit status is 0 if "
           "all is sound and 4 if not.",
       .examples = {{"gantry doctor", "is all well?"}, {"gantry -o json doctor", "with every name, for programs"}},
       .run = doctor}};
}

}  // namespace gantry::cli
