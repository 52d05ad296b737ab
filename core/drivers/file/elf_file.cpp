// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/file/elf_file.hpp"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "core/drivers/file/elf_dynamic.hpp"
#include "core/drivers/file/elf_reader.hpp"
#include "core/drivers/file/file_content.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/encoding/sha256.hpp"

namespace gantry::drivers {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half host_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half host_machine = EM_AARCH64;
#elif defined(__riscv)
constexpr Elf64_Half host_machine = EM_RISCV;
#else
constexpr Elf64_Half host_machine = EM_PPC64;
#endif

constexpr std::string_view copy_again = "copy the file again from where it was built";

std::string machine_name(Elf64_Half machine) {
  switch (machine) {
    case EM_386: return "x86 (32 bits)";
    case EM_X86_64: return "x86-64";
    case EM_AARCH64: return "AArch64";
    case EM_ARM: return "ARM (32 bits)";
    case EM_RISCV: return "RISC-V";
    case EM_PPC64: return "POWER";
    default: return "machine " + std::to_string(machine);
  }
}

std::string type_name(Elf64_Half type) {
  switch (type) {
    case ET_REL: return "an object file (.o)";
    case ET_EXEC: return "a program";
    case ET_CORE: return "a core dump";
    default: return "type " + std::to_string(type);
  }
}

Error truncated(std::string_view path, std::string_view part, std::uint64_t end, std::uint64_t size) {
  return refuse(path, {"complete file", std::string(part) + " inside the file, up to byte " + std::to_string(end),
                       "a file of " + std::to_string(size) + " bytes: it is truncated", copy_again});
}

Result<void> check_header(const Elf64_Ehdr& header, std::string_view path) {
  if (header.e_ident[EI_CLASS] != ELFCLASS64) {
    return refuse(path, {"ELF class", "64 bits", header.e_ident[EI_CLASS] == ELFCLASS32 ? "32 bits" : "neither",
                         "build the driver for this machine"});
  }
  if (header.e_ident[EI_DATA] != ELFDATA2LSB) {
    return refuse(path, {"ELF byte order", "little-endian", "another", "build the driver for this machine"});
  }
  if (header.e_machine != host_machine) {
    return refuse(path, {"ELF machine", machine_name(host_machine), machine_name(header.e_machine),
                         "build the driver for this machine"});
  }
  if (header.e_type != ET_DYN) {
    return refuse(path, {"ELF type", "a shared object", type_name(header.e_type), "link it with -shared"});
  }
  if (header.e_ident[EI_VERSION] != EV_CURRENT || header.e_phentsize != sizeof(Elf64_Phdr) ||
      (header.e_shnum != 0 && header.e_shentsize != sizeof(Elf64_Shdr))) {
    return refuse(path, {"ELF header", "version 1 with program headers of 56 and section headers of 64 bytes",
                         "other sizes", copy_again});
  }
  return {};
}

void read_build_id(std::span<const std::byte> notes, ElfFile& file) {
  const ElfReader reader(notes);
  std::uint64_t at = 0;
  while (const auto note = reader.at<Elf64_Nhdr>(at)) {
    const std::uint64_t name = at + sizeof(Elf64_Nhdr);
    const std::uint64_t content = name + ((std::uint64_t{note->n_namesz} + 3) & ~std::uint64_t{3});
    if (!reader.contains(content, note->n_descsz)) return;
    if (note->n_type == NT_GNU_BUILD_ID && reader.text(name, content) == "GNU") {
      file.build_id = to_hexadecimal(reader.bytes(content, note->n_descsz));
      return;
    }
    at = content + ((std::uint64_t{note->n_descsz} + 3) & ~std::uint64_t{3});
  }
}

// ld.so maps one segment over the other where they share a page, so the checked bytes would not be the bytes that run.
Result<void> check_order(const Elf64_Phdr& segment, std::uint64_t& mapped_to, std::string_view path) {
  static const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t begin = segment.p_vaddr / page * page;
  std::uint64_t end = 0;
  const bool wraps = __builtin_add_overflow(segment.p_vaddr, std::max(segment.p_memsz, segment.p_filesz), &end) ||
                     __builtin_add_overflow(end, page - 1, &end);
  if (wraps || begin < mapped_to) {
    return refuse(
        path, {"ELF load segments", "rising addresses and no page in two of them",
               "one at " + std::to_string(segment.p_vaddr) +
                   (wraps ? " that reaches beyond all addresses" : " behind one up to " + std::to_string(mapped_to)),
               copy_again});
  }
  mapped_to = end / page * page;
  return {};
}

// Also finds out whether all of what ld.so would map is there: it would die of SIGBUS instead of saying so.
Result<std::optional<Elf64_Phdr>> read_segments(ElfReader& reader, const Elf64_Ehdr& header, std::string_view path,
                                                ElfFile& file) {
  std::optional<Elf64_Phdr> dynamic;
  std::uint64_t mapped_to = 0;
  file.has_executable_stack = true;  // as on most machines without PT_GNU_STACK
  for (std::uint64_t index = 0; index < header.e_phnum; ++index) {
    const std::uint64_t at = header.e_phoff + index * sizeof(Elf64_Phdr);
    const auto segment = header.e_phoff <= reader.size() ? reader.at<Elf64_Phdr>(at) : std::nullopt;
    if (!segment) return truncated(path, "each program header", at + sizeof(Elf64_Phdr), reader.size());
    if (!reader.contains(segment->p_offset, segment->p_filesz)) {
      return truncated(path, "each segment", segment->p_offset + segment->p_filesz, reader.size());
    }
    if (segment->p_type == PT_LOAD) {
      if (Result<void> checked = check_order(*segment, mapped_to, path); !checked) return std::move(checked).error();
      reader.add_segment(*segment);
    }
    if (segment->p_type == PT_DYNAMIC) dynamic = *segment;
    if (segment->p_type == PT_GNU_STACK) file.has_executable_stack = (segment->p_flags & PF_X) != 0;
    if (segment->p_type == PT_NOTE && file.build_id.empty()) {
      read_build_id(reader.bytes(segment->p_offset, segment->p_filesz), file);
    }
  }
  return dynamic;
}

Result<void> read_sections(const ElfReader& reader, const Elf64_Ehdr& header, std::string_view path, ElfFile& file) {
  if (header.e_shnum == 0) return {};
  const std::uint64_t table_size = std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  if (!reader.contains(header.e_shoff, table_size)) {
    return truncated(path, "the section table", header.e_shoff + table_size, reader.size());
  }
  if (header.e_shstrndx >= header.e_shnum) return {};
  const auto section = [&](std::uint64_t index) {
    return reader.at<Elf64_Shdr>(header.e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto names = section(header.e_shstrndx);
  if (!names || !reader.contains(names->sh_offset, names->sh_size)) {
    return truncated(path, "the names of sections", names ? names->sh_offset + names->sh_size : 0, reader.size());
  }
  for (std::uint64_t index = 1; index < header.e_shnum; ++index) {
    const auto found = section(index);
    if (!found || found->sh_type == SHT_NULL || found->sh_type == SHT_NOBITS || found->sh_name >= names->sh_size)
      continue;
    if (reader.text(names->sh_offset + found->sh_name, names->sh_offset + names->sh_size) != ".gantry.manifest")
      continue;
    if (!reader.contains(found->sh_offset, found->sh_size)) {
      return truncated(path, "section .gantry.manifest", found->sh_offset + found->sh_size, reader.size());
    }
    if (file.manifest) return refuse(path, {"manifest", "one section .gantry.manifest", "two"});
    const auto bytes = reader.bytes(found->sh_offset, found->sh_size);
    file.manifest.emplace(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return {};
}

}  // namespace

Result<ElfFile> read_elf(std::span<const std::byte> content, std::string_view path) {
  ElfReader reader(content);
  constexpr std::string_view magic(ELFMAG, SELFMAG);
  const auto start = reader.bytes(0, std::min<std::uint64_t>(SELFMAG, content.size()));
  if (std::string_view(reinterpret_cast<const char*>(start.data()), start.size()) != magic) {
    return refuse(path, {"ELF file", "a shared object (first bytes 7f454c46)", "first bytes " + to_hexadecimal(start),
                         "name the built .so file"});
  }
  const auto header = reader.at<Elf64_Ehdr>(0);
  if (!header) return truncated(path, "the ELF header", sizeof(Elf64_Ehdr), content.size());
  if (Result<void> checked = check_header(*header, path); !checked) return std::move(checked).error();

  ElfFile file;
  Result<std::optional<Elf64_Phdr>> dynamic = read_segments(reader, *header, path, file);
  if (!dynamic) return std::move(dynamic).error();
  if (!*dynamic) {
    return refuse(path, {"ELF dynamic section", "a shared object's", "none", "link it with -shared"});
  }
  if (Result<void> read = read_sections(reader, *header, path, file); !read) return std::move(read).error();
  if (Result<void> read = read_dynamic(reader, **dynamic, path, file); !read) return std::move(read).error();
  return file;
}

Result<void> check_brings_nothing(const ElfFile& file, std::string_view path) {
  if (!file.search_path.empty()) {
    return refuse(path, {"library search path", "no RUNPATH and no RPATH", file.search_path,
                         "link without -rpath (in CMake: set SKIP_BUILD_RPATH), so that only the system says where "
                         "libraries come from"});
  }
  if (!file.other_objects.empty()) {
    return refuse(path, {"filter and audit objects", "none", file.other_objects, "link without -f, -F, --audit"});
  }
  return {};
}

Result<void> check_exports(const ElfFile& file, std::string_view path, std::string_view entry) {
  const bool is_driver = entry == driver_entry_symbol;
  const std::string_view other_entry = is_driver ? offers_entry_symbol : driver_entry_symbol;
  const std::string header = is_driver ? "driver.h" : "ext/offers.h";
  std::string others;
  std::size_t count = 0;
  bool has_entry = false;
  for (const auto& [name, type] : file.exported) {
    if (name == entry) {
      has_entry = true;
      if (type != STT_FUNC) {
        return refuse(path, {"entry symbol", std::string(entry) + " to be a function",
                             type == STT_OBJECT ? "data" : "a symbol of type " + std::to_string(type),
                             "define it as " + header + " declares it"});
      }
    } else if (++count <= 5) {
      others.append(others.empty() ? "" : ", ").append(name);
    }
  }
  if (!has_entry) {
    const std::string advice =
        others != other_entry ? "define " + std::string(entry) + " as " + header + " declares it, with C linkage"
        : is_driver           ? "it offers filters and weighers: name it in libraries of the driver that is to use them"
                              : "it is a driver: name it in scheduler_driver";
    return refuse(path, {"exported symbols", std::string(entry), file.exported.empty() ? "none" : others, advice});
  }
  if (count == 0) return {};
  if (count > 5) others.append(" and ").append(std::to_string(count - 5)).append(" more");
  return refuse(path, {"exported symbols", std::string(entry) + " and nothing else", "also " + others,
                       "compile with -fvisibility=hidden and link with the version script of the SDK: "
                       "-Wl,--version-script=" +
                           std::string(is_driver ? "gantry_driver.map" : "gantry_offers.map")});
}

}  // namespace gantry::drivers
