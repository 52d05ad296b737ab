// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/read_file.hpp"

#include <cerrno>
#include <fstream>
#include <istream>
#include <vector>

#include "core/files/errno_text.hpp"

namespace gantry::cli {

namespace {

Result<std::string> read_stream(std::istream& in, const std::string& name, std::size_t most_bytes) {
  std::string text;
  std::vector<char> block(std::size_t{64} << 10u);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_bytes)
      return Error{ErrorCode::invalid_argument,
                   name + ": longer than " + std::to_string(most_bytes >> 20U) + " MiB, expected at most that", ""};
  }
  if (in.bad()) return Error{ErrorCode::internal, name + ": cannot be read to its end", ""};
  return text;
}

}  // namespace

Result<std::string> read_file(Session& session, const std::string& name, std::size_t most_bytes) {
  if (name == "-") return read_stream(session.in(), "standard input", most_bytes);
  std::ifstream file(name, std::ios::binary);
  if (!file) {
    const int problem = errno;
    const ErrorCode code = problem == EACCES ? ErrorCode::permission_denied : ErrorCode::not_found;
    return Error{code, name + ": cannot be opened: " + files::errno_text(problem), ""};
  }
  return read_stream(file, name, most_bytes);
}

}  // namespace gantry::cli
