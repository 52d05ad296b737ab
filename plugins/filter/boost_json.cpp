// SPDX-License-Identifier: Apache-2.0
//
// Boost.JSON, compiled into the driver: its shared library is none of the system's that every machine has.
#include <boost/json/src.hpp>
