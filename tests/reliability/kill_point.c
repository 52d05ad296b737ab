/* SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into gantryd: counts the system calls that touch the store's files and ends the process, as kill -9 does,
 * before or after the one whose number it was given.
 *
 * KILL_POINT_FILES: what the paths of the store's files begin with.  KILL_POINT_CALL: the calls that count: open, write,
 * sync, truncate, unlink or rename; all if it is not set.  KILL_POINT_AT: the number of the call, from 1 on.
 * KILL_POINT_SIDE: before or after.  KILL_POINT_NOTE: a file for one line that says where it ended the process. */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { most_files = 4096 };

static _Atomic(char*) names[most_files]; /* of open files of the store, by descriptor; NULL: another file */
static atomic_long calls;
static const char* files;
static const char* counted;
static const char* note;
static long at;
static int after;

static void* next(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

__attribute__((constructor)) static void read_environment(void) {
  const char* number = getenv("KILL_POINT_AT");
  const char* side = getenv("KILL_POINT_SIDE");
  files = getenv("KILL_POINT_FILES");
  counted = getenv("KILL_POINT_CALL");
  note = getenv("KILL_POINT_NOTE");
  at = number == NULL ? 0 : strtol(number, NULL, 10);
  after = side != NULL && strcmp(side, "after") == 0;
  unsetenv("LD_PRELOAD");
}

static int is_watched(const char* path) {
  return files != NULL && path != NULL && strncmp(path, files, strlen(files)) == 0;
}

static const char* name_of(int file) {
  return file >= 0 && file < most_files ? atomic_load(&names[file]) : NULL;
}

static void end(const char* call, const char* name) {
  ssize_t (*put)(int, const void*, size_t) = next("write");
  int (*make)(const char*, int, ...) = next("open");
  char line[PATH_MAX];
  const char* base = strrchr(name, '/');
  const int size =
      snprintf(line, sizeof line, "%s %s of %s\n", after ? "after" : "before", call, base == NULL ? name : base + 1);
  const int file = note == NULL ? -1 : make(note, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0 && size > 0 && put(file, line, (size_t)size) < 0) _exit(99);
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* The number of this call; 0 if it is none of the store's. */
static long begin(const char* call, const char* name) {
  if (name == NULL || (counted != NULL && strcmp(counted, call) != 0)) return 0;
  const long number = atomic_fetch_add(&calls, 1) + 1;
  if (number == at && !after) end(call, name);
  return number;
}

static void finish(long number, const char* call, const char* name) {
  if (number != 0 && number == at && after) end(call, name);
}

static int opened(int file, const char* path) {
  if (file < 0 || file >= most_files || !is_watched(path)) return file;
  free(atomic_exchange(&names[file], strdup(path)));
  return file;
}

static mode_t mode_of(int flags, va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

static int open_as(const char* symbol, const char* path, int flags, mode_t mode) {
  int (*real)(const char*, int, ...) = next(symbol);
  const char* name = is_watched(path) ? path : NULL;
  const long number = begin("open", name);
  const int file = opened(real(path, flags, mode), path);
  finish(number, "open", name);
  return file;
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_as("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_as("open64", path, flags, mode);
}

int close(int file) {
  int (*real)(int) = next("close");
  if (name_of(file) != NULL) free(atomic_exchange(&names[file], NULL));
  return real(file);
}

ssize_t write(int file, const void* bytes, size_t size) {
  ssize_t (*real)(int, const void*, size_t) = next("write");
  const long number = begin("write", name_of(file));
  const ssize_t written = real(file, bytes, size);
  finish(number, "write", name_of(file));
  return written;
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  ssize_t (*real)(int, const void*, size_t, off_t) = next("pwrite");
  const long number = begin("write", name_of(file));
  const ssize_t written = real(file, bytes, size, offset);
  finish(number, "write", name_of(file));
  return written;
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset) {
  ssize_t (*real)(int, const void*, size_t, off64_t) = next("pwrite64");
  const long number = begin("write", name_of(file));
  const ssize_t written = real(file, bytes, size, offset);
  finish(number, "write", name_of(file));
  return written;
}

int fsync(int file) {
  int (*real)(int) = next("fsync");
  const long number = begin("sync", name_of(file));
  const int result = real(file);
  finish(number, "sync", name_of(file));
  return result;
}

int fdatasync(int file) {
  int (*real)(int) = next("fdatasync");
  const long number = begin("sync", name_of(file));
  const int result = real(file);
  finish(number, "sync", name_of(file));
  return result;
}

int ftruncate(int file, off_t size) {
  int (*real)(int, off_t) = next("ftruncate");
  const long number = begin("truncate", name_of(file));
  const int result = real(file, size);
  finish(number, "truncate", name_of(file));
  return result;
}

int ftruncate64(int file, off64_t size) {
  int (*real)(int, off64_t) = next("ftruncate64");
  const long number = begin("truncate", name_of(file));
  const int result = real(file, size);
  finish(number, "truncate", name_of(file));
  return result;
}

int unlink(const char* path) {
  int (*real)(const char*) = next("unlink");
  const char* name = is_watched(path) ? path : NULL;
  const long number = begin("unlink", name);
  const int result = real(path);
  finish(number, "unlink", name);
  return result;
}

int rename(const char* from, const char* to) {
  int (*real)(const char*, const char*) = next("rename");
  const char* name = is_watched(from) ? from : NULL;
  const long number = begin("rename", name);
  const int result = real(from, to);
  finish(number, "rename", name);
  return result;
}
