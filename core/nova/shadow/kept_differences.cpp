// SPDX-License-Identifier: Apache-2.0
#include "core/nova/shadow/kept_differences.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"
#include "core/files/write_all.hpp"

namespace gantry::nova {

namespace {

constexpr std::string_view fleet_suffix = ".fleet.json";
constexpr std::string_view request_suffix = ".request.json";

// Requests name users and projects: other users may not read them.
Result<void> write_file(const std::string& path, const std::string& text) {
  const files::Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (file.is_open() && files::write_all(file.number(), text)) return {};
  return Error{ErrorCode::unavailable, path + ": " + files::errno_text(errno), {}};
}

}  // namespace

std::string facts_of_decision(fleet::Document document, const HostStandings& seen) {
  std::erase_if(document.hosts, [&seen](const fleet::DocumentHost& host) {
    return host.topic != "compute" || !seen.contains(shown_host(host.host, host.node));
  });
  return fleet::write_document(document);
}

Result<std::string> KeptDifferences::keep(const std::string& name, const std::string& fleet,
                                          const std::string& request) const {
  if (most_ == 0) return std::string();
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (!error) std::filesystem::permissions(directory_, std::filesystem::perms::owner_all, error);
  if (error) return Error{ErrorCode::unavailable, directory_ + ": " + error.message(), {}};
  const auto path = directory_ + "/" + name;
  if (auto done = write_file(path + std::string(request_suffix), request); !done) return std::move(done).error();
  if (auto done = write_file(path + std::string(fleet_suffix), fleet); !done) return std::move(done).error();
  remove_oldest();
  return path + std::string(fleet_suffix);
}

// Names begin with the time.
void KeptDifferences::remove_oldest() const {
  std::vector<std::string> kept;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(directory_, error)) {
    auto path = file.path().string();
    if (!path.ends_with(fleet_suffix)) continue;
    path.resize(path.size() - fleet_suffix.size());
    kept.push_back(std::move(path));
  }
  std::ranges::sort(kept);
  for (std::size_t i = 0; i + most_ < kept.size(); ++i)
    for (const auto suffix : {fleet_suffix, request_suffix})
      std::filesystem::remove(kept[i] + std::string(suffix), error);
}

}  // namespace gantry::nova
