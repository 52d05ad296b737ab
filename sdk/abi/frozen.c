// SPDX-License-Identifier: Apache-2.0
//
// The version of driver.h, and the layouts that drivers depend on: the files of each release in frozen/. The file must
// compile as C11 and as C++17. release.py writes the lines below.
#include <gantry/driver.h>

#include "frozen.h"

FROZEN(GANTRY_ABI_MAJOR == 1);
FROZEN(GANTRY_ABI_MINOR == 1);
FROZEN(__builtin_strcmp(GANTRY_ABI_TEXT, "1.1") == 0);

#include "frozen/1_0.c"
#include "frozen/1_0_extensions.c"
#include "frozen/1_1.c"
