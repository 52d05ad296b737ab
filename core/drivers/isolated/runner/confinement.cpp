// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner/confinement.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>

#include "core/drivers/isolated/runner/filter_writer.hpp"
#include "core/files/errno_text.hpp"

namespace gantry::drivers::isolated {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "core/drivers/isolated/runner/confinement.cpp: name the audit architecture of this processor"
#endif

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
    __NR_brk,
    __NR_mincore,
    __NR_msync,
    __NR_membarrier,
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
  to.begin_call(__NR_prctl, 6);
  to.load(argument(0));
  to.give_if(PR_SET_NAME, SECCOMP_RET_ALLOW);
  to.give_if(PR_GET_NAME, SECCOMP_RET_ALLOW);
  to.give(refused(EPERM));
  // A limit that the process sets could undo one that it was given: the new limit has to be NULL.
  to.begin_call(__NR_prlimit64, 7);
  to.load(argument(2));
  to.give_unless(0, refused(EPERM));
  to.load(argument(2) + sizeof(std::uint32_t));
  to.give_unless(0, refused(EPERM));
  to.give(SECCOMP_RET_ALLOW);
}

// For confine_further().
void allow_further_filters(FilterWriter& to) {
  to.begin_call(__NR_seccomp, 4);
  to.load(argument(0));
  to.give_if(SECCOMP_SET_MODE_FILTER, SECCOMP_RET_ALLOW);
  to.give(refused(EPERM));
}

// A waiter that another process moved to another futex would not be woken.
void allow_some_of_futex(FilterWriter& to) {
  to.begin_call(__NR_futex, 11);
  to.load(argument(1));
  to.keep_bits(FUTEX_CMD_MASK);
  for (const int command : {FUTEX_REQUEUE, FUTEX_CMP_REQUEUE, FUTEX_WAIT_REQUEUE_PI, FUTEX_CMP_REQUEUE_PI})
    to.give_if(static_cast<std::uint32_t>(command), refused(ENOSYS));
  to.give(SECCOMP_RET_ALLOW);
}

// The fleet's memory stays where it is.
void allow_some_of_madvise(FilterWriter& to) {
  to.begin_call(__NR_madvise, 6);
  to.load(argument(2));
  to.give_if(MADV_PAGEOUT, refused(EPERM));
  to.give_if(MADV_COLD, refused(EPERM));
  to.give(SECCOMP_RET_ALLOW);
}

void allow_some_of_fcntl(FilterWriter& to) {
  to.begin_call(__NR_fcntl, 10);
  to.load(argument(1));
  for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC})
    to.give_if(static_cast<std::uint32_t>(command), SECCOMP_RET_ALLOW);
  to.give(refused(EPERM));
}

// They open a file, or tell what is there. newfstatat and statx are how a C library looks at an open file, too; it does
// without.
constexpr std::array by_path{
    __NR_openat, __NR_newfstatat, __NR_statx, __NR_readlinkat,
#ifdef __x86_64__
    __NR_open,   __NR_stat,       __NR_lstat, __NR_readlink,   __NR_access,
#endif
};

// A service of root's has them all. A service without any, as under the unit, may not even call capset.
Result<void> drop_capabilities() {
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1; ++capability)
    ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> held{};
  ::syscall(SYS_capget, &header, held.data());
  if (std::ranges::all_of(held, [](const auto& part) { return (part.permitted | part.inheritable) == 0; })) return {};
  held = {};
  if (::syscall(SYS_capset, &header, held.data()) == 0) return {};
  return Error{ErrorCode::unavailable,
               "confining a driver's process: expected to drop its capabilities, found " + files::errno_text(errno),
               {}};
}

}  // namespace

Result<void> confine() {
  if (Result<void> dropped = drop_capabilities(); !dropped) return dropped;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return Error{ErrorCode::unavailable, "confining a driver's process: expected no_new_privs, found none", {}};
  FilterWriter filter;
  begin_filter(filter);
  for (const int call : allowed) filter.give_if(static_cast<std::uint32_t>(call), SECCOMP_RET_ALLOW);
  allow_reading_files(filter);
  allow_threads(filter);
  allow_own_signals(filter);
  allow_questions_and_names(filter);
  allow_further_filters(filter);
  allow_some_of_futex(filter);
  allow_some_of_madvise(filter);
  allow_some_of_fcntl(filter);
  filter.give(refused(EPERM));
  return filter.install();
}

Result<void> confine_further() {
  FilterWriter filter;
  begin_filter(filter);
  for (const int call : by_path) filter.give_if(static_cast<std::uint32_t>(call), refused(EACCES));
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

void limit_memory(std::uint64_t bytes, std::uint32_t threads) {
#ifdef GANTRY_SANITIZE
  bytes = 0;  // A sanitizer takes address space of its own.
#endif
  if (bytes == 0) return;
  // The heaps of threads reserve much more address space than they use.
  constexpr std::uint64_t enough_for_a_heap = std::uint64_t{256} << 20;
  ::mallopt(M_ARENA_MAX, static_cast<int>(std::clamp<std::uint64_t>(bytes / enough_for_a_heap, 1, 8)));
  std::size_t stack = 0;
  pthread_attr_t usual;
  if (::pthread_getattr_default_np(&usual) == 0) {
    ::pthread_attr_getstacksize(&usual, &stack);
    ::pthread_attr_destroy(&usual);
  }
  unsigned long long pages = 0;
  if (auto* const statm = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(statm, "%llu", &pages) != 1) pages = 0;
    std::fclose(statm);
  }
  const std::uint64_t now = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t limit = now + bytes + threads * (stack + (std::uint64_t{1} << 20));
  const rlimit address_space{limit, limit};
  ::setrlimit(RLIMIT_AS, &address_space);
}

}  // namespace gantry::drivers::isolated
