// SPDX-License-Identifier: Apache-2.0
//
// A driver in a process of its own that does at a request's wish all that a driver should not.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/end_to_end/site_driver.hpp"

namespace gantry::test {

// The memory that a request wants tells the driver what to do.
enum Wish {
  decide = 100,
  crash,
  leave,
  hang,
  eat,
  garble,
  escape,
  shout,
  tell_what_it_read,
  tell_of_its_thread,
  scribble,
  fill_lanes,
  log_much,
  claim_little,
  fault
};

// Where the cells of views lie (core/fleet/cells/cell_memory.cpp). The lanes follow.
#ifdef GANTRY_SANITIZE_THREAD
inline constexpr std::string_view cells = "0x4000000000";
#else
inline constexpr std::string_view cells = "0x200000000000";
#endif

inline constexpr std::string_view misdeeds = R"(
static char said[4096];
static void say(const char *what, long result) {
  snprintf(said + strlen(said), sizeof said - strlen(said), "%s=%ld ", what, result < 0 ? -(long)errno : result);
}
static void try_to_escape(void) {
  said[0] = 0;
  say("socket", socket(AF_INET, SOCK_STREAM, 0));
  say("socketpair", syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0}));
  char *const words[] = {"/bin/true", NULL};
  say("execve", execve(words[0], words, words + 1));
  say("fork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  say("write", open("/tmp/gantry-runner-was-here", O_WRONLY | O_CREAT, 0600));
  say("read", open("/etc/passwd", O_RDONLY));
  say("unlink", unlink("/etc/passwd"));
  say("ptrace", syscall(SYS_ptrace, 16, getppid(), 0, 0));
  say("peek", syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
  say("kill", kill(getppid(), 0));
  say("cells", mprotect((void *)CELLS, 4096, PROT_READ | PROT_WRITE));
}
static long reads(const char *path) {
  const int file = open(path, O_RDONLY);
  char c;
  const long got = file < 0 ? -errno : read(file, &c, 1);
  if (file >= 0) close(file);
  return got;
}
static char read_at_create[200];
static void read_files(gantry_string given) {
  char service[64];
  snprintf(service, sizeof service, "/proc/%d/environ", getppid());
  char own[200];
  snprintf(own, sizeof own, "%.*s", (int)given.size, given.data);
  snprintf(read_at_create, sizeof read_at_create, "passwd=%ld configuration=%ld service=%ld own=%ld libraries=%ld ",
           reads("/etc/passwd"), reads(CONFIGURATION), reads(service), reads(own), reads("/etc/ld.so.cache"));
}
static void send_garbage(void) {
  /* The second lane: the first one serves start and end. */
  volatile uint64_t *lane = (uint64_t *)(CELLS + ((uint64_t)64 << 30) + (128 << 20));
  lane[1] = 1 << 20;
  memset((char *)lane + 4096 + (80 << 20), 0xee, 1 << 20);
  *(volatile uint32_t *)lane = 0;
  syscall(SYS_futex, lane, 1, 1, NULL, NULL, 0);
  for (;;) pause();
}
static void *scribble(void *unused) {
  (void)unused;
  for (;;)
    for (int lane = 0; lane < 2; ++lane) {
      volatile char *begin = (char *)(CELLS + ((uint64_t)64 << 30) + (uint64_t)lane * (128 << 20));
      for (int at = 4096; at < 4096 + 1024; ++at) begin[at] = 0x10;
      for (int at = 0; at < 256; ++at) begin[4096 + (64 << 20) + at] = 0x10;
    }
}
static void fill_lanes(void) {
  memset((char *)(CELLS + ((uint64_t)64 << 30) + 4096), 1, 255 << 20);
}
static char said_by_thread[200];
static void *look_around(void *unused) {
  (void)unused;
  sleep(1);
  struct stat found;
  char link[10];
  const long file = reads("/etc/ld.so.cache");
  const int look = stat("/etc/ld.so.cache", &found) == 0 ? 0 : -errno;
  const int linked = readlink("/proc/self/exe", link, sizeof link) < 0 ? -errno : 0;
  const int code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
                       ? -errno
                       : 0;
  const int pages = madvise((void *)CELLS, 4096, 21) == 0 ? 0 : -errno;
  snprintf(said_by_thread, sizeof said_by_thread, "file=%ld look=%d link=%d code=%d pages=%d ", file, look, linked, code,
           pages);
  return NULL;
}
static void eat(void) {
  for (;;) {
    char *memory = malloc(16 << 20);
    if (memory == NULL) abort();
    memset(memory, 1, 16 << 20);
  }
}
)";

class RiskyDriver : public ::testing::Test {
 protected:
  void serve(const std::string& keys = {}, const std::string& create = {}, const std::string& isolation = "process") {
    build({.id = "risky",
           .threads = "serial",
           .manifest = "[options.table]\\ntype = 'string'\\ndefault = ''\\nhelp = 'a file'\\n",
           .top = "#define CELLS " + std::string(cells) + "\n#define CONFIGURATION \"" + gantry.config_file() +
                  "\"\n#include <errno.h>\n#include <fcntl.h>\n#include <stdio.h>\n#include <string.h>\n"
                  "#include <pthread.h>\n#include <sys/mman.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n"
                  "#include <sys/syscall.h>\n" +
                  std::string(misdeeds),
           .create = "read_files(options->options[0].string); pthread_t made; pthread_create(&made, NULL, look_around, "
                     "NULL);" +
                     create,
           .begin = R"(
  switch (request->memory_mb) {
    case 101:
      signal(SIGSEGV, SIG_DFL); /* a sanitizer makes an exit of it */
      raise(SIGSEGV);
      break;
    case 102: _exit(3);
    case 103: for (;;) pause();
    case 104: eat(); break;
    case 105: send_garbage(); break;
    case 106:
      try_to_escape();
      return host->fail(call, GANTRY_INTERNAL, (gantry_string){said, strlen(said)});
    case 107:
      host->log(host, call, GANTRY_LOG_WARNING, (gantry_string){"from the driver", 15});
      host->count(host, (gantry_string){"shouts", 6}, 2);
      fprintf(stderr, "printed by the driver\n");
      break;
    case 108: return host->fail(call, GANTRY_INTERNAL, (gantry_string){read_at_create, strlen(read_at_create)});
    case 109:
      while (said_by_thread[0] == 0 && !host->should_stop(call)) usleep(10000);
      return host->fail(call, GANTRY_INTERNAL, (gantry_string){said_by_thread, strlen(said_by_thread)});
    case 110: {
      pthread_t made;
      pthread_create(&made, NULL, scribble, NULL);
      break;
    }
    case 111:
      fill_lanes();
      for (;;) pause();
    case 112:
      for (int line = 0; line < 30000; ++line) host->log(host, call, GANTRY_LOG_WARNING, (gantry_string){"and again", 9});
      break;
    case 113: {
      gantry_claim_item item = {.resource = {"gpu", 3}, .amount = 1, .limit = 5, .present = GANTRY_CLAIM_LIMIT};
      gantry_pick pick = {.struct_size = sizeof pick, .items = &item, .item_count = 1, .item_stride = sizeof item};
      return host->pick(call, &pick);
    }
    case 114: *(volatile int *)8 = 1; break;
    default: break;
  })"},
          gantry);
    gantry.configure("[\"risky\", \"volume\"]",
                     "scheduling.call_timeout = 1\n[driver.risky]\nisolation = \"" + isolation + "\"\n" + keys);
    gantry.start();
    gantry.simulate(
        "[[hosts]]\nname = \"h1\"\nvcpus = 4\nmemory_mb = 8192\nlocal_gb = 100\n"
        "[[hosts]]\nname = \"v1\"\ntopic = \"volume\"\nstats = { free_capacity_gb = 50 }\n");
    for (const std::string topic : {"compute", "volume"})
      ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", topic}).size() == 1; }));
  }

  std::string select(Wish wish, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"select", "--vcpus", "1", "--memory-mb", std::to_string(wish)};
    words.insert(words.end(), more.begin(), more.end());
    const auto ran = gantry.gantry(words);
    return ran.exit_status == 0 ? ran.out : ran.err;
  }
  json::object driver() const {
    const auto status = gantry.ask({"status"});
    for (const auto& each : status.at("drivers").as_array())
      if (each.at("id") == "risky") return each.as_object();
    return {};
  }
  // The memory of the lanes, as the kernel counts.
  std::int64_t lane_bytes() const {
    std::int64_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(gantry.pid()) + "/fd")) {
      std::error_code none;
      struct stat file {};
      if (std::filesystem::read_symlink(entry, none).string().find("gantry-lanes") == std::string::npos) continue;
      if (::stat(entry.path().c_str(), &file) == 0) bytes += file.st_blocks * 512;
    }
    return bytes;
  }
  int lines_with(const std::string& words) const {
    std::istringstream lines(gantry.log());
    int count = 0;
    for (std::string line; std::getline(lines, line);) count += line.find(words) != std::string::npos ? 1 : 0;
    return count;
  }
  std::int64_t process() const { return driver().at("process").at("pid").as_int64(); }
  void expect_healthy() const {
    EXPECT_THAT(select(decide), ::testing::HasSubstr("h1"));
    EXPECT_EQ(gantry.gantry({"hosts-up", "volume"}).exit_status, 0);
  }

  RunningGantry gantry;
};

}  // namespace gantry::test
