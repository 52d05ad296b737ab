// SPDX-License-Identifier: Apache-2.0
#include "service_under_test.hpp"

#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "core/encoding/json.hpp"
#include "service_load.hpp"
#include "service_requests.hpp"

namespace gantry::bench {

namespace fs = std::filesystem;

namespace {

fs::path home_directory() {
  const char* home = std::getenv("HOME");
  return home != nullptr ? home : "/root";
}

}  // namespace

RunDirectory::RunDirectory() : directory_(home_directory(), "gantry-bench-"), path_(directory_.path()) {
  umask(022);
  for (const auto& built : fs::directory_iterator(GANTRY_BUILT_DRIVERS)) {
    const auto copy = path_ / built.path().filename();
    fs::copy_file(built.path(), copy);
    fs::permissions(copy, fs::perms(0644));
  }
}

void await_socket(const Child& child, const std::string& socket) {
  while (!answers(socket)) {
    if (!child.running()) give_up("the server for " + socket + " ended at once");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

ServiceUnderTest::ServiceUnderTest(const fs::path& directory, const std::string& driver, std::size_t hosts,
                                   unsigned workers)
    : directory_(directory), socket_((directory / "gantry.sock").string()) {
  fs::create_directory(directory);
  const auto config = (directory / "gantry.toml").string();
  // A log to a file and hosts that stay up, otherwise the defaults.
  std::ofstream(config) << "scheduler_driver = \"" << driver << "\"\ndriver_directories = [\""
                        << directory.parent_path().string() << "\"]\n[server]\nsocket = \"" << socket_
                        << "\"\nworkers = " << workers << "\nmax_body_bytes = 67108864\n[store]\npath = \""
                        << store_path() << "\"\n[scheduling]\nservice_down_time = 86400\n[log]\nfile = \""
                        << (directory / "gantry.log").string() << "\"\n";
  daemon_ = std::make_unique<Child>(std::vector<std::string>{GANTRY_BIN "/gantryd", "--config", config},
                                    (directory / "errors.log").string());
  await_socket(*daemon_, socket_);
  ask(socket_, http_request("import", fleet_body(hosts)));
}

ServiceUnderTest::Commits ServiceUnderTest::commits() const {
  const auto answer = json::parse_object(ask(socket_, http_request("status", "{}")));
  if (!answer) give_up("status: " + answer.error().message);
  Commits commits;
  for (const auto& counter : answer->at("result").at("counters").as_array()) {
    const auto& name = counter.at("name").as_string();
    const auto value = counter.at("value").to_number<std::uint64_t>();
    if (name == "store_transactions") commits.transactions = value;
    if (name == "store_batches") commits.batches = value;
  }
  return commits;
}

}  // namespace gantry::bench
