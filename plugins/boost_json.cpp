// SPDX-License-Identifier: Apache-2.0
//
// Boost.JSON as a source. CMakeLists.txt says why.
#include <boost/json/src.hpp>
