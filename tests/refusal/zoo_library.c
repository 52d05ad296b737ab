// SPDX-License-Identifier: Apache-2.0
//
// A library that a driver brings along.
__attribute__((visibility("default"))) int zoo_library(void);

int zoo_library(void) {
  return 7;
}
