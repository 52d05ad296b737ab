// SPDX-License-Identifier: Apache-2.0
//
// Boost.JSON itself, so that the shared library brings its own, hidden copy and meets no other one in a program.
#include <boost/json/src.hpp>
