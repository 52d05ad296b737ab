// SPDX-License-Identifier: Apache-2.0
//
// Stands for a library of the system's that needs another one.
int zoo_library(void);
int zoo_outer(void);
int zoo_outer(void) {
  return zoo_library();
}
