// SPDX-License-Identifier: Apache-2.0
#define BOOST_PROCESS_USE_STD_FS 1
#include "core/cli/agent/child_process.hpp"

#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/process.hpp>
#include <boost/process/extend.hpp>
#include <csignal>
#include <optional>

namespace gantry::cli::agent {

namespace {

namespace asio = boost::asio;
namespace process = boost::process;

// A child that closes its input early must not end this process.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    const timespec at_once{};
    while (::sigtimedwait(&pipe_, nullptr, &at_once) > 0) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

// Between fork and exec: what this process blocks, ignores and has open is not the child's concern.
struct CleanStart {
  int parent_signal;

  template <class Executor>
  void operator()(Executor& /*executor*/) const {
    ::setpgid(0, 0);
    if (parent_signal != 0) ::prctl(PR_SET_PDEATHSIG, parent_signal);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    ::signal(SIGHUP, SIG_DFL);
    ::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  }
};

class ChildRun {
 public:
  explicit ChildRun(const ChildRequest& request) : request_(request) {}

  Result<void> start() {
    std::error_code problem;
    const std::string path = request_.program.find('/') == std::string::npos
                                 ? process::search_path(request_.program).string()
                                 : request_.program;
    if (path.empty()) return Error{ErrorCode::not_found, request_.program + ": there is no such program in PATH", ""};
    process::environment environment = boost::this_process::environment();
    for (const auto& [name, value] : request_.environment) environment[name] = value;
    child_ = process::child(process::exe = path, process::args = request_.arguments,
                            process::start_dir = request_.directory.empty() ? "." : request_.directory, environment,
                            process::std_in<input_, process::std_out> output_.pipe, process::std_err > errors_.pipe,
                            process::extend::on_exec_setup = CleanStart{request_.parent_signal}, problem);
    if (problem) return Error{ErrorCode::not_found, path + ": cannot be run: " + problem.message(), ""};
    // sys/pidfd.h of Debian 12 lacks extern "C".
    const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, child_.id(), 0));
    if (descriptor < 0) {
      child_.terminate(problem);
      return Error{ErrorCode::internal, path + ": cannot be watched (pidfd_open)", ""};
    }
    end_.assign(descriptor);
    return {};
  }

  ChildResult finish(const std::stop_token& stop) {
    const WithoutPipeSignal guard;
    feed();
    read(output_, result_.output);
    read(errors_, result_.errors);
    await_end();
    timer_.expires_after(request_.timeout);
    timer_.async_wait([this](const boost::system::error_code& problem) {
      if (!problem) kill(result_.timed_out);
    });
    std::optional<std::stop_callback<std::function<void()>>> on_stop;
    on_stop.emplace(stop, [this] { asio::post(context_, [this] { kill(result_.stopped); }); });
    context_.run();
    on_stop.reset();
    if (!ended_) {
      result_.left_behind = child_.id();
      child_.detach();
      return std::move(result_);
    }
    std::error_code ignored;
    child_.wait(ignored);
    const int status = child_.native_exit_code();
    if (WIFSIGNALED(status))
      result_.signal = WTERMSIG(status);
    else
      result_.exit_status = WEXITSTATUS(status);
    return std::move(result_);
  }

 private:
  struct Stream {
    explicit Stream(asio::io_context& context) : pipe(context) {}
    process::async_pipe pipe;
    std::array<char, 16384> block{};
  };

  void feed() {
    asio::async_write(input_, asio::buffer(request_.input), [this](const boost::system::error_code&, std::size_t) {
      boost::system::error_code ignored;
      input_.close(ignored);
    });
  }

  void read(Stream& stream, std::string& into) {
    stream.pipe.async_read_some(asio::buffer(stream.block),
                                [this, &stream, &into](const boost::system::error_code& problem, std::size_t size) {
                                  into.append(stream.block.data(), size);
                                  if (into.size() > request_.most_output) {
                                    into.erase(0, into.size() - request_.most_output);
                                    result_.cut = result_.cut || &into == &result_.output;
                                  }
                                  if (!problem)
                                    read(stream, into);
                                  else if (--open_streams_ == 0 && ended_)
                                    context_.stop();
                                });
  }

  // Background processes of the program may hold its pipes open, so reading ends a moment after the program.
  void await_end() {
    end_.async_wait(asio::posix::descriptor_base::wait_read, [this](const boost::system::error_code&) {
      ended_ = true;
      if (open_streams_ == 0) context_.stop();
      timer_.expires_after(std::chrono::milliseconds(200));
      timer_.async_wait([this](const boost::system::error_code& problem) {
        if (!problem) context_.stop();
      });
    });
  }

  void kill(bool& reason) {
    if (ended_) return;
    reason = true;
    ::kill(-child_.id(), request_.end_signal);
    // A process that hangs in the kernel, on a dead file server say, must not hold up who waits for it.
    timer_.expires_after(request_.end_wait);
    timer_.async_wait([this](const boost::system::error_code& problem) {
      if (!problem) context_.stop();
    });
  }

  const ChildRequest& request_;
  asio::io_context context_;
  process::async_pipe input_{context_};
  Stream output_{context_};
  Stream errors_{context_};
  asio::posix::stream_descriptor end_{context_};
  asio::steady_timer timer_{context_};
  process::child child_;
  ChildResult result_;
  int open_streams_ = 2;
  bool ended_ = false;
};

}  // namespace

std::string ChildResult::how_it_ended(std::chrono::milliseconds timeout) const {
  if (timed_out)
    return "no end after " + std::to_string(static_cast<double>(timeout.count()) / 1000.0).substr(0, 5) + " s";
  if (stopped) return "stopped with the agent";
  if (signal != 0) return "killed by signal " + std::to_string(signal);
  return "exit status " + std::to_string(exit_status);
}

std::string last_line(const std::string& text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string::npos) return "";
  const std::size_t before = text.find_last_of('\n', last);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, last + 1 - begin);
}

Result<ChildResult> run_child(const ChildRequest& request, const std::stop_token& stop) {
  try {
    ChildRun run(request);
    if (auto started = run.start(); !started) return std::move(started).error();
    return run.finish(stop);
  } catch (const std::exception& problem) {
    return Error{ErrorCode::resource_exhausted, request.program + ": cannot be run: " + problem.what(), ""};
  }
}

bool has_ended(int left_behind) {
  return ::waitpid(left_behind, nullptr, WNOHANG) != 0;
}

}  // namespace gantry::cli::agent
