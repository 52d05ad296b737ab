// SPDX-License-Identifier: Apache-2.0
//
// `gantry ui`: where the web page of the daemon is.
#include <ostream>
#include <utility>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/terminal/machine_name.hpp"
#include "core/config/listen_address.hpp"

namespace gantry::cli {

namespace {

constexpr std::string_view token_advice = "gantry token create --role reader page";

struct PageAddress {
  std::string url;
  std::string ssh;  // how another machine comes there; empty: as it is
};

struct PageAddresses {
  std::vector<PageAddress> addresses;
  bool requires_token = true;
};

std::string page_url(std::string base) {
  while (base.ends_with('/')) base.pop_back();
  return base + "/ui/";
}

std::string bracketed(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

PageAddress page_address(const config::ListenAddress& listen, std::string_view scheme) {
  const bool is_any = listen.address == "0.0.0.0" || listen.address == "::";
  const std::string host = is_any ? machine_name() : bracketed(listen.address);
  const std::string port = std::to_string(listen.port);
  PageAddress page{page_url(std::string(scheme) + "://" + host + ":" + port), ""};
  if (listen.is_loopback) page.ssh = "ssh -L " + port + ":" + host + ":" + port + " " + machine_name();
  return page;
}

Error no_address(const std::string& file) {
  return {ErrorCode::failed_precondition,
          "gantryd listens on its unix socket alone, and a browser needs an address: set server.listen = "
          "[\"127.0.0.1:8774\"] in " +
              file + " and restart gantryd",
          ""};
}

// The daemon that the user named must be the one whose configuration is read.
Result<void> check_socket(const std::string& url, const std::string& socket) {
  constexpr std::string_view scheme = "unix://";
  const auto path = url.starts_with(scheme) ? url.substr(scheme.size()) : url;
  if (path.empty() || path == socket) return {};
  return Error{ErrorCode::failed_precondition,
               "the configuration that was read is that of another daemon: expected server.socket = " + path +
                   ", found " + socket + "; name the configuration of that daemon with --config",
               ""};
}

Result<PageAddresses> configured_pages(const Session& session, const std::string& url) {
  config::Sources sources = session.sources();
  // A reader of the page may lack the right to read nova.conf.
  sources.reads_nova = false;
  auto loaded = config::load(sources);
  if (!loaded) return std::move(loaded).error();
  const auto& server = loaded->settings.server;
  if (auto same = check_socket(url, server.socket); !same) return std::move(same).error();
  if (server.listen.empty()) return no_address(sources.file);
  PageAddresses pages{{}, server.require_tokens};
  for (const std::string& text : server.listen) {
    auto listen = config::parse_listen_address(text);
    if (!listen) return std::move(listen).error();
    pages.addresses.push_back(page_address(*listen, server.tls_certificate.empty() ? "http" : "https"));
  }
  return pages;
}

Result<PageAddresses> pages_of(const Session& session) {
  auto url = session.url();
  if (!url) return std::move(url).error();
  if (url->starts_with("http://") || url->starts_with("https://")) return PageAddresses{{{page_url(*url), ""}}, true};
  return configured_pages(session, *url);
}

json::object as_json(const PageAddresses& pages) {
  json::array addresses;
  for (const PageAddress& page : pages.addresses)
    addresses.emplace_back(
        json::object{{"url", page.url}, {"ssh", page.ssh.empty() ? json::value() : json::value(page.ssh)}});
  return {{"addresses", std::move(addresses)},
          {"requires_token", pages.requires_token},
          {"token", pages.requires_token ? json::value(token_advice) : json::value()}};
}

Result<int> show_page_addresses(Session& session, const Arguments& /*arguments*/) {
  auto pages = pages_of(session);
  if (!pages) return std::move(pages).error();
  if (session.format() == OutputFormat::json) {
    print_json(session, as_json(*pages));
    return 0;
  }
  for (const PageAddress& page : pages->addresses) {
    session.out() << page.url << '\n';
    if (session.format() == OutputFormat::value || session.quiet()) continue;
    if (!page.ssh.empty()) session.out() << "  from another machine first: " << page.ssh << '\n';
  }
  if (session.format() == OutputFormat::table && !session.quiet() && pages->requires_token)
    session.out() << "It asks for a token with the role reader: " << token_advice << '\n';
  return 0;
}

}  // namespace

std::vector<Command> page_commands() {
  return {{.path = "ui",
           .summary = "Shows where the web page of the daemon is",
           .description =
               "The page shows health, fleet, decisions and why they were made, and tries requests; it only reads. A "
               "browser reaches it at the addresses of server.listen, of which there is none by default. The "
               "addresses are those of --url, or of the configuration.",
           .examples = {{"gantry ui", "what to open, and how to come there"},
                        {"xdg-open \"$(gantry ui -o value | head -n 1)\"", "open it"}},
           .run = show_page_addresses}};
}

}  // namespace gantry::cli
