// SPDX-License-Identifier: Apache-2.0
//
// Variables of a database server that decide what becomes of Nova's transactions.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gantry::nova {

// The variables' names, for SHOW GLOBAL VARIABLES: "'wsrep_on', ...".
std::string judged_variables();

// Returns a sentence for each setting under which Nova or Gantry can lose a change, or be refused one. A server lacks the
// variables that its release does not have.
std::vector<std::string> remarks_on(const std::map<std::string, std::string>& variables);

}  // namespace gantry::nova
