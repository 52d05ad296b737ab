// SPDX-License-Identifier: Apache-2.0
#include "tests/nova/facts/server/mariadb.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/nova/facts/database/connection.hpp"

namespace gantry::nova {

namespace {

constexpr const char* server_program = "/usr/sbin/mariadbd";
constexpr const char* install_program = "/usr/bin/mariadb-install-db";

// The process ends with the test program, even if that one crashes.
pid_t started(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> arguments;
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error("cannot start " + command.front());
  if (process > 0) return process;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  ::execv(arguments.front(), arguments.data());
  ::_exit(127);
}

void run(const std::vector<std::string>& command, const std::string& log) {
  int status = 0;
  ::waitpid(started(command, log), &status, 0);
  if (status != 0) throw std::runtime_error(command.front() + " failed; see " + log);
}

std::string content(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

bool MariaDb::is_installed() {
  return ::access(server_program, X_OK) == 0 && ::access(install_program, X_OK) == 0;
}

MariaDb& MariaDb::server() {
  static MariaDb server;
  return server;
}

MariaDb::MariaDb() {
  run({install_program, "--no-defaults", "--datadir=" + directory_.path("data"),
       "--auth-root-authentication-method=normal", "--skip-test-db",
       ::geteuid() == 0 ? "--user=root" : "--skip-name-resolve"},
      directory_.path("log"));
  make_certificates();
  start();
}

MariaDb::~MariaDb() {
  stop();
}

void MariaDb::make_certificates() const {
  const std::string openssl = "/usr/bin/openssl";
  const auto file = [this](const char* name) { return directory_.path(name); };
  for (const std::string name : {"ca", "other"})
    run({openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=" + name, "-days", "2", "-keyout",
         directory_.path(name + ".key"), "-out", directory_.path(name + ".pem")},
        file("log"));
  run({openssl, "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", file("server.key"), "-out",
       file("server.csr")},
      file("log"));
  run({openssl, "x509", "-req", "-in", file("server.csr"), "-CA", file("ca.pem"), "-CAkey", file("ca.key"),
       "-CAcreateserial", "-days", "2", "-out", file("server.pem")},
      file("log"));
}

void MariaDb::start() {
  process_ = started(
      {server_program, "--no-defaults", "--datadir=" + directory_.path("data"), "--socket=" + directory_.path("socket"),
       "--pid-file=" + directory_.path("pid"), "--skip-networking", "--ssl-cert=" + directory_.path("server.pem"),
       "--ssl-key=" + directory_.path("server.key"), "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0",
       "--innodb-flush-method=nosync", "--debug-no-sync", "--innodb-fast-shutdown=2", "--sync-frm=0",
       "--max-allowed-packet=128M", "--character-set-server=utf8mb3", "--loose-innodb-snapshot-isolation=OFF",
       ::geteuid() == 0 ? "--user=root" : "--skip-name-resolve"},
      directory_.path("log"));
  const auto url = parse_database_url(this->url("mysql"));
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(3);
  while (!url || !Connection::open(*url)) {
    if (std::chrono::steady_clock::now() > give_up || ::waitpid(process_, nullptr, WNOHANG) != 0)
      throw std::runtime_error("mariadbd did not start:\n" + content(directory_.path("log")));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void MariaDb::stop() {
  if (process_ == 0) return;
  ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
  process_ = 0;
}

std::string MariaDb::url(const std::string& database, const std::string& user, const std::string& password) const {
  return "mysql+pymysql://" + user + ":" + password + "@localhost/" + database +
         "?charset=utf8&unix_socket=" + directory_.path("socket");
}

}  // namespace gantry::nova
