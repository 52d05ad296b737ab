// SPDX-License-Identifier: Apache-2.0
//
// Nova's own query client with packaging/nova-client in it: asks Gantry past the broker, and over RPC where Gantry is away.
#include <filesystem>
#include <fstream>

#include "core/nova/rpc/journal.hpp"
#include "tests/nova/serve/served_nova.hpp"
#include "tests/transport/test_certificate.hpp"

namespace gantry::nova {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class ServesPastTheBroker : public ServedNova {
 protected:
  void SetUp() override {
    ServedNova::SetUp();
    if (IsSkipped()) return;
    if (!client().is_installed()) GTEST_SKIP() << "python3-nova is not installed: packaging/install-packages --parity";
    std::filesystem::remove(socket());
    std::filesystem::create_symlink(gantry.directory() / "gantry.sock", socket());
    configure("candidates_reuse = 50\n");
  }
  void TearDown() override {
    if (!IsSkipped()) RealParts::all().placement.go_on();
    ServedNova::TearDown();
  }

  // Loading Nova takes seconds, so that all tests have one client, which finds the test's Gantry behind a link.
  static std::filesystem::path in_directory(const std::string& name) {
    return std::filesystem::path(RealParts::all().directory.path()) / name;
  }
  static std::filesystem::path socket() { return in_directory("direct.sock"); }
  // `options`: lines of [gantry] in nova.conf.
  static std::unique_ptr<Conductor> make_client(const std::string& options) {
    const auto file = in_directory("conductor.conf");
    std::ofstream(file) << "[DEFAULT]\ntransport_url = " << RealParts::all().broker->url()
                        << "\nrpc_response_timeout = 20\nlong_rpc_timeout = 120\n"
                        << "[placement]\nauth_type = admin_token\ntoken = admin\nendpoint = "
                        << RealParts::all().placement.url() << "\n[gantry]\nloss_wait = 8\n"
                        << options;
    return std::make_unique<Conductor>(
        std::vector<std::string>{GANTRY_NOVA_CLIENT_TEST, file.string(), GANTRY_NOVA_CLIENT, GANTRY_PYTHON_SDK});
  }
  static Conductor& client() {
    static const auto made = make_client("url = " + socket().string() + "\n");
    return *made;
  }
  std::future<Heard> begin_directly(const std::vector<std::string>& uuids, const json::object& changes = {}) {
    return client().call(request_for(uuids, changes));
  }
  Heard select_directly(const std::vector<std::string>& uuids, const json::object& changes = {}) {
    return heard_by(begin_directly(uuids, changes));
  }
  static Heard heard_by(std::future<Heard> call) {
    if (call.wait_for(seconds(150)) == std::future_status::ready) return call.get();
    ADD_FAILURE() << "the conductor heard nothing";
    return {{"result", json::array()}};
  }
  std::int64_t counted(const std::string& name) {
    const auto status = answer("status");
    for (const auto& counter : status.at("counters").as_array())
      if (counter.at("name") == json::value(name)) return counter.at("value").to_number<std::int64_t>();
    return 0;
  }
  // A request that holds a claim, of which Gantry does not know since it was killed before placement's answer.
  std::future<Heard> killed_at_the_claim(const std::string& uuid) {
    EXPECT_THAT(hosts_of(select_directly({next_uuid()})), ElementsAre("h1"));
    auto& placement = RealParts::all().placement;
    placement.pause();
    auto call = begin_directly({uuid});
    await_journal("\"claimed\"");
    EXPECT_TRUE(test::eventually([&] { return placement.has_unread_request(); })) << "the claim is on its way";
    gantry.kill();
    placement.go_on();
    EXPECT_TRUE(test::eventually([&] { return held(uuid).size() == 1; })) << "placement has done what was asked";
    return call;
  }
};

TEST_F(ServesPastTheBroker, GivesSelectionsAsTheRpcDoes) {
  serve_again();
  const auto uuid = next_uuid();
  const auto heard = select_directly({uuid});
  ASSERT_THAT(hosts_of(heard), ElementsAre("h1"));
  EXPECT_EQ(counted("nova_direct_calls"), 1);
  EXPECT_THAT(held(uuid), SizeIs(1));
  const auto other = select({next_uuid()});
  const auto& chosen = heard.at("result").at(0).as_array();
  const auto& over_rpc = other.at("result").at(0).as_array();
  ASSERT_EQ(chosen.size(), over_rpc.size());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    for (const auto* member : {"service_host", "nodename", "compute_node_uuid", "cell_uuid", "availability_zone",
                               "allocation_request", "allocation_request_version"})
      EXPECT_EQ(chosen[i].at("nova_object.data").at(member), over_rpc[i].at("nova_object.data").at(member)) << member;
}

TEST_F(ServesPastTheBroker, RaisesTheExceptionsThatTheRpcRaises) {
  serve_again();
  const auto request = json::object{{"flavor", flavor(9)}};
  const auto heard = select_directly({next_uuid()}, request);
  EXPECT_THAT(hosts_of(heard), ElementsAre(StartsWith("NoValidHost: No valid host was found.")));
  EXPECT_EQ(hosts_of(heard), hosts_of(select({next_uuid()}, request)));
  EXPECT_EQ(counted("nova_direct_calls"), 1);
}

TEST_F(ServesPastTheBroker, GoesOverRpcWhileGantryIsPaused) {
  serve_again();
  answer("pause_requests");
  auto call = begin_directly({next_uuid()});
  EXPECT_EQ(call.wait_for(seconds(1)), std::future_status::timeout) << "the broker keeps it";
  answer("resume_requests");
  EXPECT_THAT(hosts_of(heard_by(std::move(call))), ElementsAre("h1"));
  EXPECT_EQ(counted("nova_direct_calls"), 0);
}

TEST_F(ServesPastTheBroker, GoesOverRpcToTheOtherSchedulerOnceGantryIsKilled) {
  serve_again();
  test::RunningGantry other;
  configure(other, "host = \"other\"\n", "filter");
  other.start();
  EXPECT_THAT(hosts_of(select_directly({next_uuid()})), ElementsAre("h1"));
  gantry.kill();
  const auto uuid = next_uuid();
  EXPECT_THAT(hosts_of(select_directly({uuid})), ElementsAre("h1"));
  EXPECT_THAT(held(uuid), SizeIs(1));
  other.kill();
}

TEST_F(ServesPastTheBroker, AsksAgainAfterARestartAndLeavesNoSecondClaim) {
  serve_again();
  const auto uuid = next_uuid();
  auto call = killed_at_the_claim(uuid);
  serve_again();
  EXPECT_THAT(hosts_of(heard_by(std::move(call))), ElementsAre("h1"));
  EXPECT_THAT(held(uuid), SizeIs(1));
  EXPECT_EQ(held(uuid).at("h1").at("VCPU"), 1);
}

TEST_F(ServesPastTheBroker, GivesBackWhatAKilledProcessHadClaimedIfNobodyAsksAgain) {
  const auto uuid = next_uuid();
  const auto claim = R"({"allocations":{")" + uuid_of_host("h1") + R"(":{"resources":{"VCPU":1}}}})";
  occupy("h1", 1, uuid);
  {
    const auto journal = *Journal::open((gantry.directory() / "requests.journal").string(), telemetry::Logger::none());
    JournalEntry entry;
    entry.caller.unique_id = uuid;
    entry.is_direct = true;
    entry.request.emplace();
    const auto number = journal->take(entry);
    journal->ack(number);
    journal->claim(number, json::write(json::object{{"consumer", uuid}, {"allocation_request", claim}}));
  }
  serve_again();
  EXPECT_TRUE(test::eventually([&] { return held(uuid).empty(); }));
}

TEST_F(ServesPastTheBroker, FailsRatherThanClaimTwiceIfGantryStaysAway) {
  serve_again();
  const auto uuid = next_uuid();
  auto call = killed_at_the_claim(uuid);
  EXPECT_THAT(hosts_of(heard_by(std::move(call))), ElementsAre(HasSubstr(uuid + " holds allocations")));
  EXPECT_THAT(held(uuid), SizeIs(1));
}

TEST_F(ServesPastTheBroker, LeavesNoPasswordInItsFiles) {
  serve_again();
  select_directly({next_uuid()});
  EXPECT_EQ(journal().find("hushed-token"), std::string::npos);
}

// The same past the broker, but over TCP: a token of the role service, and an authority that the client trusts.
class ServesOverTls : public ServesPastTheBroker {
 protected:
  void SetUp() override {
    ServesPastTheBroker::SetUp();
    if (IsSkipped()) return;
    const auto files = gantry::testing::make_certificate(gantry.directory());
    settings_ = "server.listen = [\"127.0.0.1:0\"]\nserver.tls_certificate = \"" + files.chain +
                "\"\nserver.tls_key = \"" + files.key + "\"\n";
    configure("candidates_reuse = 50\n");
    serve_again();
    const auto log = gantry.log();
    const auto at = log.find("https://127.0.0.1:");
    ASSERT_NE(at, std::string::npos) << log;
    std::filesystem::copy_file(files.chain, ca_file(), std::filesystem::copy_options::overwrite_existing);
    client_ = make_client("url = " + log.substr(at, log.find_first_of(" \n", at) - at) +
                          "\ntoken_file = " + token_file().string() + "\nca_file = " + ca_file().string() + "\n");
    ASSERT_TRUE(client_->is_installed());
  }

  static std::filesystem::path token_file() { return in_directory("nova.token"); }
  static std::filesystem::path ca_file() { return in_directory("ca.pem"); }
  // The client's token becomes a new one of the role.
  void give_token(const std::string& role) {
    std::filesystem::remove(token_file());
    const auto made = gantry.gantry({"token", "create", "--role", role, "--token-out", token_file().string(), role});
    ASSERT_EQ(made.exit_status, 0) << made.err;
  }
  void revoke_tokens() {
    for (const auto& each : gantry.list({"token", "list"}))
      ASSERT_EQ(gantry.gantry({"token", "revoke", std::string(each.at("id").as_string())}).exit_status, 0);
  }
  // The chosen hosts of a request by this client. Each way leaves one claim.
  std::vector<std::string> hosts_over_tls() {
    const auto uuid = next_uuid();
    const auto heard = heard_by(client_->call(request_for({uuid})));
    EXPECT_THAT(held(uuid), SizeIs(1));
    return hosts_of(heard);
  }

  std::unique_ptr<Conductor> client_;
};

TEST_F(ServesOverTls, WithATokenOfTheRoleServiceAndGoesOverRpcWithoutOne) {
  give_token("service");
  EXPECT_THAT(hosts_over_tls(), ElementsAre("h1"));
  EXPECT_EQ(counted("nova_direct_calls"), 1);

  revoke_tokens();
  EXPECT_THAT(hosts_over_tls(), ElementsAre("h1")) << "the kept connection has a token that is gone";
  EXPECT_EQ(counted("nova_direct_calls"), 1);

  give_token("reader");
  EXPECT_THAT(hosts_over_tls(), ElementsAre("h1"));
  EXPECT_EQ(counted("nova_direct_calls"), 1);

  give_token("service");
  EXPECT_THAT(hosts_over_tls(), ElementsAre("h1")) << "the file is read again";
  EXPECT_EQ(counted("nova_direct_calls"), 2);
}

TEST_F(ServesOverTls, SendsNothingToAServerThatTheAuthoritiesDoNotKnow) {
  give_token("service");
  const auto other = gantry::testing::make_certificate(gantry.directory(), 30, "other");
  std::filesystem::copy_file(other.chain, ca_file(), std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(hosts_over_tls(), ElementsAre("h1"));
  EXPECT_EQ(counted("nova_direct_calls"), 0);
}

}  // namespace
}  // namespace gantry::nova
