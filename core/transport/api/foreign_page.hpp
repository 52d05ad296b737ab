// SPDX-License-Identifier: Apache-2.0
//
// Requests that a web page of another origin lets its reader's browser send. Where no token is required, the browser on
// the same machine may do everything, and any page that it shows could use it.
#pragma once

#include <string_view>

namespace gantry::transport {

// Returns whether a request comes from a page that this service did not serve. `origin` and `host` are the values of the
// headers of these names. A browser sends an origin with each POST; an empty one is that of another program. An origin
// whose name is not one of this machine counts as foreign, too: its owner may let the name point here.
bool is_from_foreign_page(std::string_view origin, std::string_view host);

// Returns whether `host`, the value of the header, names this machine: a loopback address or localhost, with or without
// a port. A page whose owner lets another name point here asks for that name, and its browser sends no origin with what
// it reads.
bool is_name_of_this_machine(std::string_view host);

}  // namespace gantry::transport
