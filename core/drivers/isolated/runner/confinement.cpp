// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner/confinement.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace gantry::drivers::isolated {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "core/drivers/isolated/runner/confinement.cpp: name the audit architecture of this processor"
#endif

constexpr std::uint32_t refused(int error) {
  return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
}

// Memory, threads, time, its own descriptors, and giving up more.
constexpr std::array allowed{
    __NR_landlock_create_ruleset,
    __NR_landlock_add_rule,
    __NR_landlock_restrict_self,
    __NR_read,
    __NR_pread64,
    __NR_readv,
    __NR_write,
    __NR_writev,
    __NR_close,
    __NR_lseek,
    __NR_fstat,
    __NR_newfstatat,
    __NR_statx,
    __NR_getdents64,
    __NR_readlinkat,
    __NR_fadvise64,
    __NR_dup,
    __NR_getcwd,
    __NR_mmap,
    __NR_mprotect,
    __NR_munmap,
    __NR_mremap,
    __NR_madvise,
    __NR_brk,
    __NR_mincore,
    __NR_msync,
    __NR_membarrier,
    __NR_futex,
    __NR_set_robust_list,
    __NR_get_robust_list,
    __NR_rseq,
    __NR_set_tid_address,
    __NR_sched_yield,
    __NR_sched_getaffinity,
    __NR_sched_getparam,
    __NR_sched_getscheduler,
    __NR_getcpu,
    __NR_exit,
    __NR_exit_group,
    __NR_rt_sigaction,
    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,
    __NR_sigaltstack,
    __NR_restart_syscall,
    __NR_clock_gettime,
    __NR_clock_getres,
    __NR_clock_nanosleep,
    __NR_nanosleep,
    __NR_gettimeofday,
    __NR_times,
    __NR_getrusage,
    __NR_sysinfo,
    __NR_uname,
    __NR_getrandom,
    __NR_getpid,
    __NR_getppid,
    __NR_gettid,
    __NR_getuid,
    __NR_geteuid,
    __NR_getgid,
    __NR_getegid,
    __NR_getpriority,
    __NR_ppoll,
    // Waiting for a signal. Refused, it would make a loop that waits run without a pause.
    __NR_rt_sigsuspend,
    __NR_rt_sigtimedwait,
#ifdef __x86_64__
    __NR_arch_prctl,
    __NR_stat,
    __NR_lstat,
    __NR_readlink,
    __NR_time,
    __NR_access,
    __NR_poll,
    __NR_pause,
    __NR_getrlimit,
#endif
#ifdef GANTRY_SANITIZE
    // The sanitizer of undefined behaviour looks through a pipe whether an address can be read.
    __NR_pipe2,
#ifdef __x86_64__
    __NR_pipe,
#endif
#endif
};

// Adds instructions of the filter. A jump counts the instructions that it passes over.
class FilterWriter {
 public:
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
  void give(std::uint32_t verdict) { add(BPF_RET | BPF_K, verdict); }
  void give_if(std::uint32_t value, std::uint32_t verdict) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    give(verdict);
  }
  void give_unless(std::uint32_t value, std::uint32_t verdict) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    give(verdict);
  }
  void give_if_bit(std::uint32_t bits, std::uint32_t verdict) {
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    give(verdict);
  }
  // The following `instructions` hold for this system call alone. They have to end with a verdict.
  void begin_call(std::uint32_t number, std::uint8_t instructions) {
    add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, instructions);
  }

  Result<void> install() {
    sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0) return {};
    return Error{ErrorCode::unavailable,
                 std::string("confining a driver's process: expected seccomp, found ") + std::strerror(errno),
                 {}};
  }

 private:
  void add(int code, std::uint32_t value, std::uint8_t yes = 0, std::uint8_t no = 0) {
    code_.push_back({static_cast<std::uint16_t>(code), yes, no, value});
  }
  std::vector<sock_filter> code_;
};

constexpr std::size_t argument(std::size_t number) {
  return offsetof(seccomp_data, args) + number * sizeof(std::uint64_t);
}

void begin_filter(FilterWriter& to) {
  to.load(offsetof(seccomp_data, arch));
  to.give_unless(architecture, SECCOMP_RET_KILL_PROCESS);
  to.load(offsetof(seccomp_data, nr));
}

void allow_reading_files(FilterWriter& to) {
  constexpr std::uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
  to.begin_call(__NR_openat, 4);
  to.load(argument(2));
  to.give_if_bit(writing, refused(EACCES));
  to.give(SECCOMP_RET_ALLOW);
#ifdef __x86_64__
  to.begin_call(__NR_open, 4);
  to.load(argument(1));
  to.give_if_bit(writing, refused(EACCES));
  to.give(SECCOMP_RET_ALLOW);
#endif
}

// Threads, but no processes. The C library falls back to clone, whose flags can be seen.
void allow_threads(FilterWriter& to) {
  to.give_if(__NR_clone3, refused(ENOSYS));
  to.begin_call(__NR_clone, 4);
  to.load(argument(0));
  to.give_if_bit(CLONE_THREAD, SECCOMP_RET_ALLOW);
  to.give(refused(EPERM));
}

// To itself: abort() sends a signal so.
void allow_own_signals(FilterWriter& to) {
  to.begin_call(__NR_tgkill, 4);
  to.load(argument(0));
  to.give_if(static_cast<std::uint32_t>(::getpid()), SECCOMP_RET_ALLOW);
  to.give(refused(EPERM));
}

void allow_questions_and_names(FilterWriter& to) {
  to.begin_call(__NR_prctl, 8);
  to.load(argument(0));
  to.give_if(PR_SET_NAME, SECCOMP_RET_ALLOW);
  to.give_if(PR_GET_NAME, SECCOMP_RET_ALLOW);
  to.give_if(PR_SET_SECCOMP, SECCOMP_RET_ALLOW);
  to.give(refused(EPERM));
  // A limit that the process sets could undo one that it was given: the new limit has to be NULL.
  to.begin_call(__NR_prlimit64, 7);
  to.load(argument(2));
  to.give_unless(0, refused(EPERM));
  to.load(argument(2) + sizeof(std::uint32_t));
  to.give_unless(0, refused(EPERM));
  to.give(SECCOMP_RET_ALLOW);
}

void allow_some_of_fcntl(FilterWriter& to) {
  to.begin_call(__NR_fcntl, 10);
  to.load(argument(1));
  for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC})
    to.give_if(static_cast<std::uint32_t>(command), SECCOMP_RET_ALLOW);
  to.give(refused(EPERM));
}

}  // namespace

Result<void> confine() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return Error{ErrorCode::unavailable, "confining a driver's process: expected no_new_privs, found none", {}};
  FilterWriter filter;
  begin_filter(filter);
  for (const int call : allowed) filter.give_if(static_cast<std::uint32_t>(call), SECCOMP_RET_ALLOW);
  allow_reading_files(filter);
  allow_threads(filter);
  allow_own_signals(filter);
  allow_questions_and_names(filter);
  allow_some_of_fcntl(filter);
  filter.give(refused(EPERM));
  return filter.install();
}

Result<void> confine_further() {
  FilterWriter filter;
  begin_filter(filter);
  filter.give_if(__NR_openat, refused(EACCES));
#ifdef __x86_64__
  filter.give_if(__NR_open, refused(EACCES));
#endif
  // No new code either.
  for (const int call : {__NR_mmap, __NR_mprotect}) {
    filter.begin_call(static_cast<std::uint32_t>(call), 4);
    filter.load(argument(2));
    filter.give_if_bit(PROT_EXEC, refused(EACCES));
    filter.give(SECCOMP_RET_ALLOW);
  }
  filter.give(SECCOMP_RET_ALLOW);
  return filter.install();
}

void limit_memory(std::uint64_t bytes) {
  if (bytes == 0) return;
  // Heaps of threads reserve much more address space than they use.
  ::mallopt(M_ARENA_MAX, 1);
  unsigned long long pages = 0;
  if (auto* const statm = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(statm, "%llu", &pages) != 1) pages = 0;
    std::fclose(statm);
  }
  const std::uint64_t limit = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + bytes;
  const rlimit address_space{limit, limit};
  ::setrlimit(RLIMIT_AS, &address_space);
}

}  // namespace gantry::drivers::isolated
