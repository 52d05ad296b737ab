// SPDX-License-Identifier: Apache-2.0
//
// Boost.JSON, compiled into this driver so that it needs no further library where it runs.
#include <boost/json/src.hpp>
