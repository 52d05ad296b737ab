// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/judge/driver_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "core/drivers/file/elf_file.hpp"
#include "core/drivers/file/file_content.hpp"
#include "core/drivers/file/link_rules.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/drivers/file/trusted_file.hpp"
#include "core/drivers/judge/library_trust.hpp"
#include "core/drivers/judge/symbol_check.hpp"
#include "core/encoding/sha256.hpp"

namespace gantry::drivers {
namespace {

Result<void> check_pin(const std::string& path, const std::string& pinned, const std::string& found) {
  if (pinned.empty()) return {};
  const bool same = std::equal(pinned.begin(), pinned.end(), found.begin(), found.end(), [](char left, char right) {
    return std::tolower(static_cast<unsigned char>(left)) == right;
  });
  if (same) return {};
  return refuse(path, {"sha256", pinned + ", as the configuration pins it", found,
                       "if the new file is meant, write its sha256 into the configuration"});
}

Result<Manifest> read_manifest(const ElfFile& elf, const std::string& path) {
  if (!elf.manifest) {
    return refuse(path, {"manifest", "a section .gantry.manifest", "none",
                         "use GANTRY_MANIFEST of driver.h in one of the sources, and do not strip sections"});
  }
  const std::string_view section = *elf.manifest;
  const std::size_t end = std::min(section.find('\0'), section.size());
  // Two sources with a manifest leave two texts in the one section.
  if (section.find_first_not_of('\0', end) != std::string_view::npos) {
    return refuse(path, {"manifest", "one text in section .gantry.manifest", "another behind it",
                         "use GANTRY_MANIFEST in one source only"});
  }
  Result<Manifest> manifest = parse_manifest(section.substr(0, end));
  if (!manifest) return std::move(manifest).error().within(path);
  return manifest;
}

FileKind kind_by_exports(const ElfFile& elf) {
  const bool is_library = std::any_of(elf.exported.begin(), elf.exported.end(),
                                      [](const ElfSymbol& symbol) { return symbol.name == offers_entry_symbol; });
  return is_library ? FileKind::library : FileKind::driver;
}

Result<void> check_kind(FileKind kind, const Manifest& manifest, const std::string& path) {
  if (manifest.is_library == (kind == FileKind::library)) return {};
  const bool is_driver = kind == FileKind::driver;
  return refuse(
      path, {"manifest",
             is_driver ? "topics, for it exports gantry_driver_entry" : "[offers], for it exports gantry_offers_entry",
             is_driver ? "[offers]" : "topics", "let the manifest and the entry agree"});
}

// Returns an error for each fault that keeps ld.so from loading the file, and for a needed library that is not trusted.
std::vector<Error> load_problems(const std::string& path, const ElfFile& elf, std::vector<std::string> system) {
  const LibrarySearch search = process_search(std::move(system));
  std::vector<Error> problems = link_problems(elf, path);
  if (Result<void> checked = check_libraries(path, elf.libraries, search); !checked) {
    problems.push_back(std::move(checked).error());
  } else if (Result<void> defined = check_symbols(path, elf, search); !defined) {
    problems.push_back(std::move(defined).error());
  }
  return problems;
}

}  // namespace

std::optional<Error> trust_problem(const std::string& path) {
  const std::string absolute = std::filesystem::absolute(path).lexically_normal().string();
  auto trusted = open_trusted(absolute, LastLink::refused);
  if (trusted) return std::nullopt;
  return std::move(trusted).error();
}

std::vector<Error> linkage_problems(const std::string& path) {
  const std::string absolute = std::filesystem::absolute(path).lexically_normal().string();
  const Result<files::Descriptor> opened = open_untrusted(absolute);
  if (!opened) return {};
  const Result<std::vector<std::byte>> content = read_content(opened->number(), absolute);
  const Result<ElfFile> elf = content ? read_elf(*content, absolute) : Result<ElfFile>(content.error());
  if (!elf) return {};
  return load_problems(absolute, *elf, {});
}

Result<DriverFile> open_driver_file(const std::string& path, const FileRules& rules) {
  Result<files::Descriptor> opened =
      rules.check_owner_and_mode ? open_trusted(path, LastLink::refused) : open_untrusted(path);
  if (!opened) return std::move(opened).error();
  const Result<std::vector<std::byte>> content = read_content(opened->number(), path);
  if (!content) return content.error();

  DriverFile file;
  file.path = path;
  Result<std::string> digest = sha256_of(*content);
  if (!digest) return std::move(digest).error();
  file.sha256 = *std::move(digest);
  if (Result<void> checked = check_pin(path, rules.sha256, file.sha256); !checked) return std::move(checked).error();

  Result<ElfFile> elf = read_elf(*content, path);
  if (!elf) return std::move(elf).error();
  if (Result<void> checked = check_brings_nothing(*elf, path); !checked) return std::move(checked).error();
  file.kind = rules.kind.value_or(kind_by_exports(*elf));
  const std::string_view entry = file.kind == FileKind::driver ? driver_entry_symbol : offers_entry_symbol;
  if (Result<void> checked = check_exports(*elf, path, entry); !checked) return std::move(checked).error();
  if (rules.check_owner_and_mode) {
    const auto problems = load_problems(path, *elf, rules.system_library_directories);
    if (!problems.empty()) return joined(problems);
  }
  Result<Manifest> manifest = read_manifest(*elf, path);
  if (!manifest) return std::move(manifest).error();
  if (Result<void> checked = check_kind(file.kind, *manifest, path); !checked) return std::move(checked).error();

  file.descriptor = *std::move(opened);
  file.build_id = std::move(elf->build_id);
  file.libraries = std::move(elf->libraries);
  file.manifest = *std::move(manifest);
  return file;
}

Result<DriverFile> reopen_driver_file(files::Descriptor descriptor, const std::string& path, const std::string& sha256,
                                      FileKind kind) {
  const Result<std::vector<std::byte>> content = read_content(descriptor.number(), path);
  if (!content) return content.error();
  DriverFile file;
  file.kind = kind;
  file.path = path;
  Result<std::string> digest = sha256_of(*content);
  if (!digest) return std::move(digest).error();
  file.sha256 = *std::move(digest);
  if (Result<void> checked = check_pin(path, sha256, file.sha256); !checked) return std::move(checked).error();
  const Result<ElfFile> elf = read_elf(*content, path);
  if (!elf) return elf.error();
  Result<Manifest> manifest = read_manifest(*elf, path);
  if (!manifest) return std::move(manifest).error();
  file.libraries = elf->libraries;
  file.manifest = *std::move(manifest);
  file.descriptor = std::move(descriptor);
  return file;
}

}  // namespace gantry::drivers
