// SPDX-License-Identifier: Apache-2.0
//
// The headers of the Lua that is built as C++. Debian 12's library exports C names. That of Debian 13 exports the names
// of C++, so that its headers stand without the extern "C" that lua.hpp puts around these.
#pragma once

#ifdef GANTRY_LUA_EXPORTS_CXX_NAMES
#include <lua.h>

#include <lauxlib.h>
#include <lualib.h>
#else
#include <lua.hpp>
#endif
