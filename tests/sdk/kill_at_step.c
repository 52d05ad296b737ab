/* SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into a program: kills it at its KILL_AT-th change of a file or directory, as kill -9 at that moment would.
 * The programs that it runs are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int steps_left = -1;

__attribute__((constructor)) static void begin(void) {
  const char* text = getenv("KILL_AT");
  if (text != NULL) steps_left = atoi(text);
  unsetenv("KILL_AT");
  unsetenv("LD_PRELOAD");
}

static void step(void) {
  if (steps_left > 0 && --steps_left == 0) kill(getpid(), SIGKILL);
}

#define STEP(result, name, parameters, arguments)                             \
  result name parameters {                                                    \
    result(*next) parameters = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
    step();                                                                   \
    return next arguments;                                                    \
  }

STEP(int, mkdir, (const char* path, mode_t mode), (path, mode))
STEP(int, fchmod, (int file, mode_t mode), (file, mode))
STEP(int, fsync, (int file), (file))
STEP(int, rename, (const char* from, const char* to), (from, to))
STEP(int, unlink, (const char* path), (path))
STEP(int, unlinkat, (int directory, const char* path, int flags), (directory, path, flags))
STEP(int, remove, (const char* path), (path))
STEP(int, rmdir, (const char* path), (path))
