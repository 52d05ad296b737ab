// SPDX-License-Identifier: Apache-2.0
//
// An HTTP server whose answers a test writes down, byte by byte, plain or over TLS.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gantry::nova::testing {

class ScriptedServer {
 public:
  // The reaction of the server to a request: the bytes that it sends, and whether it ends the connection.
  struct Reply {
    std::string bytes = {};
    bool ends = false;
    bool hangs = false;           // sends nothing until the server ends
    std::size_t repetitions = 1;  // how often the bytes are sent
  };
  using Answer = std::function<Reply(const std::string& request)>;

  // `chain` and `key`: PEM files. Empty: no TLS.
  explicit ScriptedServer(Answer answer, const std::string& chain = "", const std::string& key = "");
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::string url(const std::string& path = "") const;
  unsigned short port() const { return port_; }
  int connections() const { return connections_; }
  std::vector<std::string> requests() const;

  static std::string answer(int status, const std::string& body, const std::string& headers = "");

 private:
  void serve();
  template <class Stream>
  void serve_connection(Stream& stream);

  struct Parts;
  std::unique_ptr<Parts> parts_;
  Answer answer_;
  unsigned short port_ = 0;
  std::atomic<int> connections_ = 0;
  std::atomic<bool> is_ending_ = false;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::vector<std::thread> sessions_;
  std::thread thread_;
};

}  // namespace gantry::nova::testing
