// SPDX-License-Identifier: Apache-2.0
//
// Health: /readyz, `gantry status` and the log of a service that cannot serve, or soon will not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/transport/raw_connection.hpp"
#include "tests/transport/test_certificate.hpp"

namespace gantry::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A file system of two megabytes.
class SmallDisk {
 public:
  explicit SmallDisk(std::filesystem::path path) : path_(std::move(path)) {
    std::filesystem::create_directory(path_);
    mounted_ = mount("tmpfs", path_.c_str(), "tmpfs", 0, "size=2m,mode=0700") == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool is_mounted() const { return mounted_; }
  std::string path(const std::string& name) const { return path_ / name; }
  void fill() const {
    std::ofstream ballast(path("ballast"));
    const std::string page(4096, 'x');
    while (ballast << page << std::flush) {
    }
  }
  void make_room() const { std::filesystem::remove(path("ballast")); }

 private:
  std::filesystem::path path_;
  bool mounted_ = false;
};

class HealthOfTheService : public ::testing::Test {
 protected:
  std::string readiness() const {
    gantry::testing::RawConnection connection(gantry.socket_path());
    connection.send("GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n");
    const auto answer = connection.answer();
    if (!answer) return "none";
    EXPECT_EQ(answer->status, answer->body == R"({"status":"ok"})" ? 200 : 503);
    return answer->body;
  }
  int answer_to(const std::string& method, const std::string& args, const std::string& headers = {}) const {
    gantry::testing::RawConnection connection(gantry.socket_path());
    connection.send(gantry::testing::post(method, R"({"args":)" + args + "}", headers));
    const auto answer = connection.answer();
    return answer ? answer->status : 0;
  }
  std::string told() const {
    const auto ran = gantry.gantry({"status"});
    EXPECT_EQ(ran.exit_status, 0);
    return ran.err;
  }
  void serve_with(const std::vector<std::string>& environment) {
    gantry.launch(environment);
    ASSERT_TRUE(eventually([&] { return gantry.gantry({"status"}).exit_status == 0; }));
  }

  RunningGantry gantry;
};

TEST_F(HealthOfTheService, IsNotReadyWhileTheStoreRefusesAndIsReadyAgainByItself) {
  const SmallDisk disk(gantry.directory() / "disk");
  if (!disk.is_mounted()) GTEST_SKIP() << "may not mount a file system here";
  gantry.configure("\"simple\"");
  serve_with({"GANTRY_STORE__PATH=" + disk.path("db")});
  gantry.simulate("[[hosts]]\nname = \"h1\"\nvcpus = 64\nmemory_mb = 65536\nlocal_gb = 1000\n");
  ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 1; }));
  gantry.end_simulation();
  EXPECT_EQ(readiness(), R"({"status":"ok"})");

  disk.fill();
  const auto refused = gantry.gantry({"server", "create", "--no-wait", "--count", "20", "--flavor", "m1.tiny", "web"});
  EXPECT_THAT(refused.err, HasSubstr("nothing was changed"));
  EXPECT_THAT(readiness(), HasSubstr(R"({"status":"not ready","reasons":["the store cannot keep changes)"));
  EXPECT_THAT(told(), HasSubstr("gantry: not ready: the store cannot keep changes"));
  const auto examined = gantry.gantry({"doctor"});
  EXPECT_EQ(examined.exit_status, 4);
  EXPECT_THAT(examined.out, HasSubstr("one that keeps changes"));
  EXPECT_THAT(gantry.log(), HasSubstr("WARNING not scheduled"));
  EXPECT_THAT(gantry.log(), Not(HasSubstr("INFO scheduled")));

  disk.make_room();
  EXPECT_TRUE(eventually([&] { return readiness() == R"({"status":"ok"})"; }));
  EXPECT_TRUE(eventually([&] { return told().empty(); })) << told();
}

TEST_F(HealthOfTheService, WarnsOfATopicWithoutAHostThatIsUpAndServesOn) {
  gantry.configure("\"simple\"", "scheduling.service_down_time = 1\n");
  gantry.start();
  gantry.simulate("[[hosts]]\nname = \"h1\"\nvcpus = 4\nmemory_mb = 8192\nlocal_gb = 100\n");
  ASSERT_TRUE(eventually([&] { return gantry.list({"host", "list"}).size() == 1; }));
  gantry.end_simulation();
  const std::string warning = "topic 'compute': none of its hosts is up";
  ASSERT_TRUE(eventually([&] { return gantry.log().find("WARNING " + warning) != std::string::npos; }));
  EXPECT_TRUE(eventually([&] { return told().find("gantry: warning: " + warning) != std::string::npos; }));
  EXPECT_EQ(readiness(), R"({"status":"ok"})") << "agents must reach it, or their hosts stay down";
}

TEST_F(HealthOfTheService, WarnsOfACertificateThatEndsSoonUntilANewOneIsRead) {
  const auto files = gantry::testing::make_certificate(gantry.directory(), 5);
  gantry.configure("\"simple\"", "server.listen = [\"127.0.0.1:0\"]\nserver.tls_certificate = \"" + files.chain +
                                     "\"\nserver.tls_key = \"" + files.key + "\"\n");
  gantry.start();
  EXPECT_THAT(told(), HasSubstr("warning: the TLS certificate ends soon, in "));
  EXPECT_TRUE(
      eventually([&] { return gantry.log().find("WARNING the TLS certificate ends soon") != std::string::npos; }));
  EXPECT_EQ(readiness(), R"({"status":"ok"})");
  gantry::testing::make_certificate(gantry.directory(), 100);
  gantry.signal(SIGHUP);
  EXPECT_TRUE(eventually([&] { return gantry.log().find("the TLS certificate is read anew") != std::string::npos; }));
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(HealthOfTheService, BelievesAfterAStartThoseThatWereUpWhenItWasKilledUntilTheyShouldHaveBeenHeard) {
  gantry.configure("\"simple\"", "scheduling.service_down_time = 2\n");
  gantry.start();
  gantry.simulate("[[hosts]]\nname = \"h{1..3}\"\nvcpus = 4\nmemory_mb = 8192\nlocal_gb = 100\n");
  const auto hosts_up = [&] { return gantry.list({"hosts-up", "compute"}).size(); };
  ASSERT_TRUE(eventually([&] { return hosts_up() == 3; }));
  gantry.end_simulation();
  gantry.kill();
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));  // longer than service_down_time
  gantry.start();
  EXPECT_EQ(gantry.gantry({"select", "--flavor", "m1.tiny"}).exit_status, 0);
  EXPECT_THAT(told(), HasSubstr("3 services that were up before the start, not heard since"));
  EXPECT_THAT(gantry.log(), HasSubstr("believed_up=3"));
  EXPECT_TRUE(eventually([&] { return hosts_up() == 0; }));
  EXPECT_THAT(told(), HasSubstr("none of its hosts is up"));
}

// Interposes the system clock of a program: it is stepped by the seconds in the file $CLOCK_STEP.
constexpr auto stepped_clock = R"(#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec* time) {
  const int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (clock != CLOCK_REALTIME || getenv("CLOCK_STEP") == NULL) return result;
  char text[32] = {0};
  const int file = open(getenv("CLOCK_STEP"), O_RDONLY | O_CLOEXEC);
  if (file >= 0 && read(file, text, sizeof text - 1) > 0) time->tv_sec += atol(text);
  if (file >= 0) close(file);
  return result;
}
)";

TEST_F(HealthOfTheService, AStepOfTheSystemClockTakesNoHostDownEndsNoClaimAndLeavesTheUptimeTrue) {
  const auto source = gantry.directory() / "clock.c";
  const auto library = gantry.directory() / "clock.so";
  const auto step = gantry.directory() / "step";
  std::ofstream(source) << stepped_clock;
  ASSERT_EQ(run_program({GANTRY_C_COMPILER, "-shared", "-fPIC", source, "-o", library}).exit_status, 0);
  gantry.configure("\"simple\"");
  serve_with({"LD_PRELOAD=" + library.string(), "CLOCK_STEP=" + step.string()});
  gantry.simulate("[[hosts]]\nname = \"h{1..3}\"\nvcpus = 4\nmemory_mb = 8192\nlocal_gb = 100\n");
  const auto hosts_up = [&] { return gantry.list({"hosts-up", "compute"}).size(); };
  ASSERT_TRUE(eventually([&] { return hosts_up() == 3; }));
  gantry.end_simulation();
  const auto request = R"({"request_spec": {"num_instances": 1, "flavor": {"vcpus": 1, "memory_mb": 64},)"
                       R"( "instance_uuids": ["0d0d0d0d-0000-4000-8000-000000000001"]}})";
  ASSERT_EQ(answer_to("select_destinations", request), 200);
  // The second call of a key gets the answer of the first, or it would fail, since the aggregate exists.
  const auto create = [&] { return answer_to("create_aggregate", R"({"name": "ssd"})", "Idempotency-Key: once\r\n"); };
  ASSERT_EQ(create(), 200);
  ASSERT_EQ(gantry.list({"claim", "list"}).size(), 1U);
  for (const auto* seconds : {"3600", "-300"}) {
    std::ofstream(step) << seconds;
    std::this_thread::sleep_for(std::chrono::milliseconds(2200));  // two rounds of housekeeping
    EXPECT_EQ(hosts_up(), 3U) << seconds;
    EXPECT_EQ(gantry.list({"claim", "list"}).size(), 1U) << seconds;
    EXPECT_EQ(create(), 200) << seconds;
    EXPECT_GE(gantry.ask({"status"}).at("uptime_seconds").as_int64(), 0) << seconds;
    EXPECT_LT(gantry.ask({"status"}).at("uptime_seconds").as_int64(), 300) << seconds;
    EXPECT_THAT(gantry.log(), Not(HasSubstr("service down")));
  }
}

}  // namespace
}  // namespace gantry::test
