// SPDX-License-Identifier: Apache-2.0
//
// Nothing: what is compiled is driver.h, included by the command line and by itself once more.
#include <gantry/driver.h>
