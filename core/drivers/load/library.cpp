// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/library.hpp"

#include <fcntl.h>

#include <cerrno>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "core/drivers/file/elf_file.hpp"
#include "core/drivers/file/file_content.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/drivers/load/loaded_code.hpp"
#include "core/drivers/load/sealed_copy.hpp"
#include "core/encoding/sha256.hpp"
#include "core/files/errno_text.hpp"

namespace gantry::drivers {
namespace {

// The loaded libraries by SHA-256. Global state, as the link map of ld.so is: both last as long as the process.
struct Registry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Library>> libraries;
};

Registry& registry() {
  // Never destroyed: that would unload code that other destructors may still run.
  static Registry& only = *std::make_unique<Registry>().release();
  return only;
}

Result<files::Descriptor> duplicate(int descriptor, const std::string& path) {
  files::Descriptor copy(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
  if (!copy.is_open()) return refuse(path, {"load", "a free file descriptor", files::errno_text(errno)});
  return copy;
}

// The descriptor to load from: the bytes in it are those that were judged.
Result<files::Descriptor> source_of(const DriverFile& file, bool seal, telemetry::Logger& logger) {
  const Result<std::vector<std::byte>> content = read_content(file.descriptor.number(), file.path);
  if (!content) return content.error();
  const Result<std::string> digest = sha256_of(*content);
  if (!digest) return digest.error();
  if (*digest != file.sha256) {
    return refuse(file.path, {"unchanged file", "sha256 " + file.sha256 + ", as when it was judged", *digest,
                              "something writes to it: install drivers by renaming"});
  }
  if (!seal) return duplicate(file.descriptor.number(), file.path);
  Result<files::Descriptor> copy = make_sealed_copy(*content, file.manifest.id);
  if (copy || copy.error().code != ErrorCode::unsupported) return copy;
  logger.write(
      telemetry::Level::warning,
      "The driver is loaded from its file, not from a sealed copy: replace it by renaming only, never in place",
      {{"driver", file.manifest.id}, {"path", file.path}, {"reason", copy.error().message}});
  return duplicate(file.descriptor.number(), file.path);
}

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The words of ld.so alone. Boost puts its own around them, and an errno that has nothing to do with the failure.
std::string reason_of(std::string text, const std::string& loaded_from, const std::string& path) {
  constexpr std::string_view before = "dlerror system message: ";
  const std::size_t begin = text.find(before);
  const std::size_t end = text.rfind("): ");
  if (begin != std::string::npos && end != std::string::npos && end > begin + before.size())
    text = text.substr(begin + before.size(), end - begin - before.size());
  return replace_all(std::move(text), loaded_from, path);
}

Error cannot_load(const std::string& path, const std::string& reason) {
  const bool is_symbol = reason.find("undefined symbol") != std::string::npos;
  return refuse(path, {"load", "a library that the dynamic linker loads", reason,
                       is_symbol ? "link it with -Wl,-z,defs to find what is missing when it is built" : ""});
}

// Lets a crash report find the code by the driver's name. Several drivers may have one file.
void note_code(const DriverFile& file, const Library& library) {
  if (loaded_code_of(file.manifest.id) != nullptr) return;
  const void* const code = file.kind == FileKind::driver ? reinterpret_cast<const void*>(library.entry)
                                                         : reinterpret_cast<const void*>(library.offers_entry);
  add_loaded_code(code, file.manifest.id, file.path);
}

Result<std::unique_ptr<Library>> open_library(const DriverFile& file, files::Descriptor source) {
  const std::string loaded_from = "/proc/self/fd/" + std::to_string(source.number());
  auto library = std::make_unique<Library>();
  library->descriptor = std::move(source);
  try {
    // The overload that throws: the other one drops dlerror's text.
    library->object.load(loaded_from, boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
    if (file.kind == FileKind::driver) {
      library->entry = &library->object.get<Library::Entry>(std::string(driver_entry_symbol));
    } else {
      library->offers_entry = &library->object.get<Library::OffersEntry>(std::string(offers_entry_symbol));
    }
    note_code(file, *library);
  } catch (const std::exception& error) {
    return cannot_load(file.path, reason_of(error.what(), loaded_from, file.path));
  }
  return library;
}

}  // namespace

Result<const Library*> load_library(const DriverFile& file, bool seal, telemetry::Logger& logger) {
  Registry& loaded = registry();
  const std::lock_guard lock(loaded.mutex);
  const auto found = loaded.libraries.find(file.sha256);
  if (found != loaded.libraries.end()) {
    note_code(file, *found->second);
    return static_cast<const Library*>(found->second.get());
  }
  Result<files::Descriptor> source = source_of(file, seal, logger);
  if (!source) return std::move(source).error();
  Result<std::unique_ptr<Library>> library = open_library(file, *std::move(source));
  if (!library) return std::move(library).error();
  const Library* const kept = library->get();
  loaded.libraries.emplace(file.sha256, *std::move(library));
  return kept;
}

}  // namespace gantry::drivers
