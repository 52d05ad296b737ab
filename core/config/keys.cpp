// SPDX-License-Identifier: Apache-2.0
#include "core/config/keys.hpp"

#include <algorithm>
#include <array>

#include "core/files/installation.hpp"

namespace gantry::config {

namespace {

using Milliseconds = std::chrono::milliseconds;
using Texts = std::vector<std::string>;

constexpr std::array<std::string_view, 4> log_levels{"debug", "info", "warning", "error"};
constexpr std::array<std::string_view, 3> log_formats{"text", "json", "logfmt"};
constexpr std::array<std::string_view, 2> log_requests{"redacted", "full"};
constexpr std::array<std::string_view, 2> nova_modes{"serve", "shadow"};
constexpr std::array<std::string_view, 2> rebuild_hints{"honour", "refuse"};
constexpr double a_day = 86'400;

constexpr std::array all_keys{
    Key{.section = "",
        .name = "scheduler_driver",
        .field = +[](Settings& s) -> Texts& { return s.scheduler_driver; },
        .form = Form::driver_names,
        .help = "The driver that decides: its file is <name>.so in one of driver_directories, or the one that "
                "[driver.<name>] "
                "names. A list loads several, "
                "each for the topics that its manifest names. The first of a topic is its default; each further one "
                "needs a "
                "[[profile]] that names it, or is the fallback of another. Takes effect at a restart."},
    Key{.section = "",
        .name = "driver_directories",
        .field = +[](Settings& s) -> Texts& { return s.driver_directories; },
        .form = Form::absolute_paths,
        .help = "Where drivers are looked for, in this order. A directory and its drivers must belong to root or to "
                "the daemon's own user, and others must not be able to write there.",
        .written_default = "where the bundled drivers are installed, then /usr/local/lib/gantry/drivers"},
    Key{.section = "",
        .name = "seal_drivers",
        .field = +[](Settings& s) -> bool& { return s.seal_drivers; },
        .help = "Loads a private copy of each driver, so that overwriting its file cannot harm the running daemon. "
                "With false, "
                "whoever may write to the file while it is loaded has code run that was not judged."},

    Key{.section = "server",
        .name = "socket",
        .field = +[](Settings& s) -> std::string& { return s.server.socket; },
        .form = Form::absolute_path,
        .help = "The unix socket that the service listens on. At most 107 bytes."},
    Key{.section = "server",
        .name = "socket_mode",
        .field = +[](Settings& s) -> std::uint32_t& { return s.server.socket_mode; },
        .form = Form::file_mode,
        .maximum = 0777,
        .help = "Who may connect: the socket's permissions. Whoever may write to it is trusted as a caller."},
    Key{.section = "server",
        .name = "socket_group",
        .field = +[](Settings& s) -> std::string& { return s.server.socket_group; },
        .help =
            "The group that owns the socket. Empty: the daemon's own group. The daemon must be root or a member of it; "
            "under systemd, SupplementaryGroups= makes it one."},
    Key{.section = "server",
        .name = "socket_roles",
        .field = +[](Settings& s) -> Texts& { return s.server.socket_roles; },
        .form = Form::socket_roles,
        .help =
            "Roles of users and groups that call over the unix socket: \"user:nagios=reader\", "
            "\"group:cinder=service/volume\", \"user:gantry-agent=agent/node1\". The first entry that names a caller "
            "holds; \"other=reader\" names everybody whom none names. Without an entry each caller is an admin. With "
            "one, "
            "whoever no entry names is refused, but root and the daemon's own user. A token that a caller shows "
            "replaces "
            "the role."},
    Key{.section = "server",
        .name = "listen",
        .field = +[](Settings& s) -> Texts& { return s.server.listen; },
        .form = Form::listen_addresses,
        .help =
            "Addresses and ports for TCP beside the unix socket. Any but loopback needs TLS and tokens. Port 0: any "
            "that is free; the log says which."},
    Key{.section = "server",
        .name = "tls_certificate",
        .field = +[](Settings& s) -> std::string& { return s.server.tls_certificate; },
        .form = Form::absolute_path_or_none,
        .help = "The certificate chain for TCP, a PEM file, read anew by each reload. That TLS begins or ends needs a "
                "restart."},
    Key{.section = "server",
        .name = "tls_key",
        .field = +[](Settings& s) -> std::string& { return s.server.tls_key; },
        .form = Form::absolute_path_or_none,
        .help = "The certificate's private key, a PEM file without a passphrase that others may not read."},
    Key{.section = "server",
        .name = "require_tokens",
        .field = +[](Settings& s) -> bool& { return s.server.require_tokens; },
        .help = "Whether callers over TCP must bring a token, made by `gantry token create`. false is for loopback "
                "alone, and makes every user of the machine an admin."},
    Key{.section = "server",
        .name = "workers",
        .field = +[](Settings& s) -> std::uint32_t& { return s.server.workers; },
        .maximum = 1024,
        .help = "Threads that read requests and decide. 0: one for each processor, and at least 2."},
    Key{.section = "server",
        .name = "max_connections",
        .field = +[](Settings& s) -> std::uint32_t& { return s.server.max_connections; },
        .minimum = 1,
        .maximum = 1'000'000,
        .help =
            "Connections of the unix socket at one time, and as many again over TCP. A quarter is kept for callers "
            "who have shown who they are, and others of one address take a quarter at most: for one more, the oldest "
            "of these is closed. Where known callers take all of it, one more is answered 503 and closed."},
    Key{.section = "server",
        .name = "max_waiting_requests",
        .field = +[](Settings& s) -> std::uint32_t& { return s.server.max_waiting_requests; },
        .minimum = 1,
        .maximum = 1'000'000,
        .help = "Requests that have been read and wait for their answer. One more is answered 503. Those that wait for "
                "casts or events are not counted."},
    Key{.section = "server",
        .name = "max_unsent_bytes",
        .field = +[](Settings& s) -> std::uint64_t& { return s.server.max_unsent_bytes; },
        .minimum = 1024.0 * 1024,
        .maximum = 1024.0 * 1024 * 1024 * 1024,
        .help =
            "Bytes of all answers together that callers have not taken yet. Beyond it the connection is closed that "
            "has held most for longest. An answer of which less than 16 KiB a second are taken is given up after 30 "
            "seconds."},
    Key{.section = "server",
        .name = "max_header_bytes",
        .field = +[](Settings& s) -> std::uint64_t& { return s.server.max_header_bytes; },
        .minimum = 1024,
        .maximum = 1024.0 * 1024,
        .help =
            "The largest request line and headers together, or header of a chunk, or trailers. More is answered 431."},
    Key{.section = "server",
        .name = "idle_timeout",
        .field = +[](Settings& s) -> Milliseconds& { return s.server.idle_timeout; },
        .minimum = 0.001,
        .maximum = a_day,
        .help = "Seconds after which a connection without a request is closed."},
    Key{.section = "server",
        .name = "receive_timeout",
        .field = +[](Settings& s) -> Milliseconds& { return s.server.receive_timeout; },
        .minimum = 0.001,
        .maximum = a_day,
        .help = "Seconds from a request's first byte to its last. Then it is answered 408."},
    Key{.section = "server",
        .name = "request_timeout",
        .field = +[](Settings& s) -> Milliseconds& { return s.server.request_timeout; },
        .minimum = 0.001,
        .maximum = a_day,
        .help = "Seconds that a request, once it has been read, may take until its answer. A caller may ask for less."},
    Key{.section = "server",
        .name = "stop_timeout",
        .field = +[](Settings& s) -> Milliseconds& { return s.server.stop_timeout; },
        .minimum = 0.001,
        .maximum = a_day,
        .help = "Seconds that requests under way may take when the service is to end. Then it ends without them, and "
                "its exit status is 1."},
    Key{.section = "server",
        .name = "restart_timeout",
        .field = +[](Settings& s) -> Milliseconds& { return s.server.restart_timeout; },
        .minimum = 0.001,
        .maximum = a_day,
        .help = "Seconds that the new process of gantry restart may take until it can take over. Then the old one goes "
                "on, and the new one is ended."},
    Key{.section = "server",
        .name = "max_body_bytes",
        .field = +[](Settings& s) -> std::uint64_t& { return s.server.max_body_bytes; },
        .minimum = 1024,
        .maximum = 1024.0 * 1024 * 1024,
        .help = "The largest body that a request may have. More is answered 413."},

    Key{.section = "store",
        .name = "path",
        .field = +[](Settings& s) -> std::string& { return s.store.path; },
        .form = Form::absolute_path,
        .help = "The database file. It is made at the first start, readable by the daemon's user alone."},

    Key{.section = "decisions",
        .name = "keep",
        .field = +[](Settings& s) -> std::uint64_t& { return s.decisions.keep; },
        .maximum = 1e9,
        .help =
            "How many decisions are kept, for gantry decision, gantry why and gantry why-not. Older ones are removed. "
            "0: none is kept."},
    Key{.section = "decisions",
        .name = "max_age",
        .field = +[](Settings& s) -> Milliseconds& { return s.decisions.max_age; },
        .minimum = 3600,
        .maximum = 3650 * a_day,
        .help = "Seconds after which a decision is removed in any case, with the facts that it saw."},
    Key{.section = "decisions",
        .name = "facts_bytes",
        .field = +[](Settings& s) -> std::uint64_t& { return s.decisions.facts_bytes; },
        .minimum = 1 << 20,
        .maximum = 1e15,
        .help = "How many bytes the facts of hosts may take that decisions saw. With them, a decision is made again to "
                "tell why "
                "a host was not chosen. Older facts are removed."},
    Key{.section = "decisions",
        .name = "directory",
        .field = +[](Settings& s) -> std::string& { return s.decisions.directory; },
        .form = Form::absolute_path_or_none,
        .help = "Where decisions are kept. Empty: the directory decisions beside the store. It can be deleted at any "
                "time."},

    Key{.section = "scheduling",
        .name = "service_down_time",
        .field = +[](Settings& s) -> Milliseconds& { return s.scheduling.service_down_time; },
        .minimum = 0.001,
        .maximum = 365 * a_day,
        .help = "Seconds after its last heartbeat at which a service counts as down."},
    Key{.section = "scheduling",
        .name = "claim_max_age",
        .field = +[](Settings& s) -> Milliseconds& { return s.scheduling.claim_max_age; },
        .minimum = 0.001,
        .maximum = 365 * a_day,
        .help = "Seconds after which a claim ends that no report of its host has confirmed."},
    Key{.section = "scheduling",
        .name = "call_timeout",
        .field = +[](Settings& s) -> Milliseconds& { return s.scheduling.call_timeout; },
        .minimum = 0.001,
        .maximum = a_day,
        .help =
            "Seconds that one call into a driver may take: the deadline that the driver is given. A call that has not "
            "returned by then is answered 504."},
    Key{.section = "scheduling",
        .name = "max_attempts",
        .field = +[](Settings& s) -> std::uint32_t& { return s.scheduling.max_attempts; },
        .minimum = 1,
        .maximum = 101,
        .help = "How many hosts a caller may try for an instance: who asks for alternates and does not say how many is "
                "given one fewer than these."},
    Key{.section = "scheduling",
        .name = "avoid_failing_hosts",
        .field = +[](Settings& s) -> bool& { return s.scheduling.avoid_failing_hosts; },
        .help = "Whether a host that has failed three builds of one flavor or image within an hour is used last for "
                "such builds, until one succeeds there or `gantry host clear-failures` forgets them. Not where Gantry "
                "has the place of nova-scheduler: Nova decides without it."},
    Key{.section = "scheduling",
        .name = "profiles_required",
        .field = +[](Settings& s) -> bool& { return s.scheduling.profiles_required; },
        .help = "true: a request that no [[profile]] takes finds no host, in place of being decided by the default "
                "driver."},
    Key{.section = "scheduling",
        .name = "default_availability_zone",
        .field = +[](Settings& s) -> std::string& { return s.scheduling.default_availability_zone; },
        .help = "The zone of hosts that no aggregate puts into another."},
    Key{.section = "scheduling",
        .name = "cpu_allocation_ratio",
        .field = +[](Settings& s) -> double& { return s.scheduling.cpu_allocation_ratio; },
        .minimum = 0.001,
        .maximum = 1'000'000,
        .help = "Virtual processors for each real one, on hosts that report no ratio of their own."},
    Key{.section = "scheduling",
        .name = "ram_allocation_ratio",
        .field = +[](Settings& s) -> double& { return s.scheduling.ram_allocation_ratio; },
        .minimum = 0.001,
        .maximum = 1'000'000,
        .help = "Memory given out for each MiB that is there, on hosts that report no ratio of their own."},
    Key{.section = "scheduling",
        .name = "disk_allocation_ratio",
        .field = +[](Settings& s) -> double& { return s.scheduling.disk_allocation_ratio; },
        .minimum = 0.001,
        .maximum = 1'000'000,
        .help = "Disk given out for each GiB that is there, on hosts that report no ratio of their own."},

    Key{.section = "log",
        .name = "level",
        .field = +[](Settings& s) -> std::string& { return s.log.level; },
        .choices = log_levels,
        .help = "The least that is worth a line. `gantry log-level` changes it until the next start."},
    Key{.section = "log",
        .name = "format",
        .field = +[](Settings& s) -> std::string& { return s.log.format; },
        .choices = log_formats,
        .help = "text: lines for people. json: one JSON object a line. logfmt: key=value, for Loki and the like."},
    Key{.section = "log",
        .name = "file",
        .field = +[](Settings& s) -> std::string& { return s.log.file; },
        .form = Form::absolute_path_or_none,
        .help = "Where lines go. Empty: standard error, which is the journal under systemd. SIGHUP opens the file "
                "anew, for "
                "logrotate. A crash report goes to standard error as well. The file is made with mode 0640 at most."},
    Key{.section = "log",
        .name = "requests",
        .field = +[](Settings& s) -> std::string& { return s.log.requests; },
        .choices = log_requests,
        .help = "What the level debug shows of a request. redacted: without what users wrote, such as user_data, keys, "
                "metadata and hints. full: with all but passwords and tokens."},

    Key{.section = "nova",
        .name = "config_files",
        .field = +[](Settings& s) -> Texts& { return s.nova.config_files; },
        .form = Form::absolute_paths,
        .help =
            "The files of a Nova deployment whose scheduler Gantry is: nova.conf, or directories with *.conf; later "
            "ones win. They are the lowest layer of this configuration, and their options hold where nothing else "
            "sets a key. Empty: there is no deployment."},
    Key{.section = "nova",
        .name = "host",
        .field = +[](Settings& s) -> std::string& { return s.nova.host; },
        .help = "The name of this scheduler among Nova's services, as [DEFAULT] host. Empty: the machine's name."},
    Key{.section = "nova",
        .name = "transport_url",
        .field = +[](Settings& s) -> std::string& { return s.nova.transport_url; },
        .form = Form::secret,
        .help = "The message broker, as [DEFAULT] transport_url: \"rabbit://user:password@host:5672/\"."},
    Key{.section = "nova",
        .name = "database_connection",
        .field = +[](Settings& s) -> std::string& { return s.nova.database_connection; },
        .form = Form::secret,
        .help = "The database of cell0 or of the only cell, as [database] connection: "
                "\"mysql+pymysql://user:password@host/nova\"."},
    Key{.section = "nova",
        .name = "api_database_connection",
        .field = +[](Settings& s) -> std::string& { return s.nova.api_database_connection; },
        .form = Form::secret,
        .help = "The API database, as [api_database] connection."},
    Key{.section = "nova",
        .name = "placement_database_connection",
        .field = +[](Settings& s) -> std::string& { return s.nova.placement_database_connection; },
        .form = Form::secret,
        .help = "Placement's database, as [placement_database] connection of placement.conf, which may be one of "
                "config_files. Empty: placement is asked for candidates."},
    Key{.section = "nova",
        .name = "mirror",
        .field = +[](Settings& s) -> bool& { return s.nova.mirror; },
        .help = "Whether candidates are computed from placement's database, if that is named. Claims go through "
                "placement in any case."},
    Key{.section = "nova",
        .name = "mirror_audit",
        .field = +[](Settings& s) -> std::uint32_t& { return s.nova.mirror_audit; },
        .help = "One computed answer in so many is compared with placement's. Three differences within an hour, and "
                "placement is asked from then on. 0: none is compared."},
    Key{.section = "nova",
        .name = "mode",
        .field = +[](Settings& s) -> std::string& { return s.nova.mode; },
        .choices = nova_modes,
        .help = "serve: takes the requests of Nova and answers them. shadow: decides on a copy of each request, claims "
                "nothing, answers nobody, and counts where nova-scheduler chose another host."},
    Key{.section = "nova",
        .name = "shadow_kept",
        .field = +[](Settings& s) -> std::uint32_t& { return s.nova.shadow_kept; },
        .maximum = 10'000,
        .help = "How many differences of the shadow are kept with their facts, for gantry whatif, in the directory "
                "shadow beside the store. Later ones replace the oldest."},
    Key{.section = "nova",
        .name = "prefetch",
        .field = +[](Settings& s) -> std::uint16_t& { return s.nova.prefetch; },
        .minimum = 1,
        .maximum = 65'535,
        .help = "Requests that are taken from the broker at a time. The others stay there for other schedulers."},
    Key{.section = "nova",
        .name = "consumer_priority",
        .field = +[](Settings& s) -> std::uint32_t& { return s.nova.consumer_priority; },
        .maximum = 255,
        .help =
            "The broker gives requests to the scheduler of the highest priority that has room. nova-scheduler has 0. "
            "Schedulers of equal priority take turns."},
    Key{.section = "nova",
        .name = "candidates_reuse",
        .field = +[](Settings& s) -> Milliseconds& { return s.nova.candidates_reuse; },
        .maximum = 60,
        .help = "Seconds for which placement's answer serves equal questions. 0: each request asks anew."},
    Key{.section = "nova",
        .name = "wait_for_facts",
        .field = +[](Settings& s) -> Milliseconds& { return s.nova.wait_for_facts; },
        .maximum = a_day,
        .help = "Seconds that a request waits for a database that is away. Then it fails, and says which."},
    Key{.section = "nova",
        .name = "placement_patience",
        .field = +[](Settings& s) -> Milliseconds& { return s.nova.placement_patience; },
        .maximum = a_day,
        .help = "Seconds that a request waits for placement or Keystone when they are away. Then it fails."},
    Key{.section = "nova",
        .name = "claim_connections",
        .field = +[](Settings& s) -> std::uint32_t& { return s.nova.claim_connections; },
        .minimum = 1,
        .maximum = 1000,
        .help = "Connections to placement: how many questions and claims are under way at one time."},
    Key{.section = "nova",
        .name = "rebuild_hint",
        .field = +[](Settings& s) -> std::string& { return s.nova.rebuild_hint; },
        .choices = rebuild_hints,
        .help = "The hint _nova_check_type skips filters, candidates and claims, and an older nova-api takes it from "
                "users. honour: it counts on a request that forces one host and one node and has no id, as Nova's "
                "rebuild does; on another it is passed over. refuse: a request with it gets no host, so no server is "
                "rebuilt with "
                "another image."},
    Key{.section = "nova",
        .name = "journal",
        .field = +[](Settings& s) -> std::string& { return s.nova.journal; },
        .form = Form::absolute_path_or_none,
        .help = "The file of the requests under way, from which a restart answers them. Empty: requests.journal beside "
                "the socket."},
};

constexpr std::array all_driver_keys{
    DriverKey{"path", "an absolute path", "the file that `file` names", "The driver's file."},
    DriverKey{
        "file", "a file name such as \"filter.so\"", "<id>.so",
        "The driver's file by its name in driver_directories. Several drivers may have one file, each with a name and "
        "options of its own."},
    DriverKey{"required", "true or false", "true",
              "false: the daemon starts without this driver if it cannot be loaded, and says so."},
    DriverKey{"sha256", "64 hexadecimal digits", "not pinned",
              "The file's SHA-256. Any other content is refused; `sha256sum` prints it."},
    DriverKey{"libraries", "a list of file names such as \"site_filters.so\", each once", "none",
              "Files in driver_directories whose filters and weighers the driver may use, judged as drivers are. "
              "The options of one of them stand in a section of its own, [driver.<id>.options.<name>]."},
    DriverKey{"isolation", "\"none\", \"process\" or \"debug\"", "none, unless the driver's manifest says process",
              "process: the driver and its libraries run in a process of their own, which can neither write files nor "
              "use the network. If it crashes or hangs, its calls fail, and it is started again. debug: the same, but "
              "the process keeps all rights and the daemon's environment, for debuggers and sanitizers."},
    DriverKey{"fallback", "the id of a driver", "none",
              "The driver that decides where a decision of this one fails by its own fault, or cannot be asked of it. "
              "What it "
              "decides is marked with fallback_for and fallback_reason."},
    DriverKey{
        "memory_limit", "a number of MiB from 64 on", "2048",
        "With isolation: the memory that the driver's process may add to that which it starts with, and the most that "
        "it "
        "may write into the memory of its calls, which it shares with the service. What takes more is ended. 0: no "
        "limit; the kernel may end other processes then if memory runs out."},
    DriverKey{"cpu_limit", "a percentage of one processor", "0",
              "With isolation: the process is ended if it uses more for ten seconds. 0: no limit."},
};

}  // namespace

std::span<const Key> keys() {
  return all_keys;
}

std::span<const DriverKey> driver_keys() {
  return all_driver_keys;
}

std::vector<std::string_view> sections() {
  std::vector<std::string_view> names;
  for (const auto& key : all_keys)
    if (names.empty() || names.back() != key.section) names.push_back(key.section);
  return names;
}

const Key* find_key(std::string_view section, std::string_view name) {
  const auto* at = std::find_if(all_keys.begin(), all_keys.end(),
                                [&](const Key& key) { return key.section == section && key.name == name; });
  return at == all_keys.end() ? nullptr : &*at;
}

std::string full_name(const Key& key) {
  return key.section.empty() ? std::string(key.name) : std::string(key.section) + "." + std::string(key.name);
}

Settings default_settings() {
  Settings settings;
  settings.driver_directories = {files::bundled_driver_directory().string()};
  const std::string local = "/usr/local/lib/gantry/drivers";
  if (settings.driver_directories.front() != local) settings.driver_directories.push_back(local);
  return settings;
}

bool is_driver_id(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

}  // namespace gantry::config
