// SPDX-License-Identifier: Apache-2.0
#include <elf.h>

#include <cstring>

#include "tests/refusal/zoo_test.hpp"

namespace gantry::drivers {
namespace {

class ElfRefusal : public ZooTest {
 protected:
  // zoo.so with its n-th segment of a type changed.
  template <class Change>
  std::string put_with_segment(Elf64_Word type, std::size_t nth, const Change& change) const {
    std::string content = read_file(built("plain.so"));
    Elf64_Ehdr header;
    std::memcpy(&header, content.data(), sizeof header);
    for (std::size_t index = 0; index < header.e_phnum; ++index) {
      const std::size_t at = header.e_phoff + index * sizeof(Elf64_Phdr);
      Elf64_Phdr segment;
      std::memcpy(&segment, content.data() + at, sizeof segment);
      if (segment.p_type != type || nth-- != 0) continue;
      change(segment, content);
      std::memcpy(content.data() + at, &segment, sizeof segment);
      return directory_.write("zoo.so", content);
    }
    ADD_FAILURE() << "no such segment";
    return {};
  }

  // zoo.so with one entry more at the end of its dynamic section, where the linker leaves room.
  std::string put_with_dynamic(Elf64_Sxword tag, std::uint64_t value) const {
    return put_with_segment(PT_DYNAMIC, 0, [&](const Elf64_Phdr& segment, std::string& content) {
      for (std::size_t at = segment.p_offset; at < segment.p_offset + segment.p_filesz; at += sizeof(Elf64_Dyn)) {
        Elf64_Dyn entry;
        std::memcpy(&entry, content.data() + at, sizeof entry);
        if (entry.d_tag != DT_NULL) continue;
        entry = {tag, {value}};
        std::memcpy(content.data() + at, &entry, sizeof entry);
        return;
      }
    });
  }

  // zoo.so with one byte of its header changed.
  std::string put_patched(std::size_t at, char byte) const {
    std::string content = read_file(built("plain.so"));
    content.at(at) = byte;
    return directory_.write("zoo.so", content);
  }
};

TEST_F(ElfRefusal, RefusesAFileThatIsNotElf) {
  const std::string path = directory_.write("zoo.so", "#!/bin/sh\necho hello\n");
  EXPECT_THAT(check(), mentions({path, "ELF file", "expected a shared object", "found first bytes 23212f62"}));
}

TEST_F(ElfRefusal, RefusesAnEmptyFile) {
  const std::string path = directory_.write("zoo.so", "");
  EXPECT_THAT(check(), mentions({path, "size", "expected 1 to", "found 0"}));
}

TEST_F(ElfRefusal, RefusesAFileOf32Bits) {
  const std::string path = put_patched(EI_CLASS, ELFCLASS32);
  EXPECT_THAT(check(), mentions({path, "ELF class", "expected 64 bits", "found 32 bits"}));
}

TEST_F(ElfRefusal, RefusesAnotherByteOrder) {
  const std::string path = put_patched(EI_DATA, ELFDATA2MSB);
  EXPECT_THAT(check(), mentions({path, "ELF byte order", "expected little-endian"}));
}

TEST_F(ElfRefusal, RefusesAnotherMachine) {
  const std::string path = put_patched(offsetof(Elf64_Ehdr, e_machine), static_cast<char>(EM_S390));
  EXPECT_THAT(check(), mentions({path, "ELF machine", "expected ", "found machine 22"}));
}

TEST_F(ElfRefusal, RefusesAProgram) {
  const std::string path = put_patched(offsetof(Elf64_Ehdr, e_type), ET_EXEC);
  EXPECT_THAT(check(), mentions({path, "ELF type", "expected a shared object", "found a program", "-shared"}));
  EXPECT_NE(directory_.add("/bin/true", "zoo.so"), "");
  EXPECT_THAT(check(), mentions({path, "ELF type", "PIE"}));
}

TEST_F(ElfRefusal, RefusesAFileThatIsTruncatedAnywhere) {
  const std::string content = read_file(built("plain.so"));
  for (std::size_t length = 1; length < content.size(); length += content.size() / 97) {
    const std::string path = directory_.write("zoo.so", content.substr(0, length));
    const std::string message = check();
    EXPECT_THAT(message, mentions({path, "expected", "found"})) << length;
    if (length < SELFMAG) continue;
    EXPECT_THAT(message, mentions({"truncated", "copy the file again"})) << length;
  }
  directory_.write("zoo.so", content.substr(0, content.size() - 1));
  EXPECT_THAT(check(), mentions({"truncated", std::to_string(content.size() - 1) + " bytes"}));
}

TEST_F(ElfRefusal, RefusesAnExportedSymbolBesideTheEntry) {
  const std::string path = put("extra_export");
  EXPECT_THAT(check(), mentions({path, "exported symbols", "expected gantry_driver_entry and nothing else",
                                 "found also zoo_extra", "-fvisibility=hidden"}));
}

TEST_F(ElfRefusal, RefusesALibraryThatIsNotADriver) {
  const std::string path = directory_.add(built("libzoo_library.so"), "zoo.so");
  EXPECT_THAT(check(), mentions({path, "exported symbols", "expected gantry_driver_entry", "found zoo_library"}));
}

TEST_F(ElfRefusal, RefusesADynamicSectionThatIsNotWhereLdSoReadsIt) {
  std::string path = put_with_segment(PT_DYNAMIC, 0, [](Elf64_Phdr& segment, std::string&) { segment.p_offset -= 16; });
  EXPECT_THAT(check(), mentions({path, "ELF dynamic section's place", "where ld.so reads it", "found offset"}));
  path = put_with_segment(PT_DYNAMIC, 0, [](Elf64_Phdr& segment, std::string&) { segment.p_vaddr += 1 << 30; });
  EXPECT_THAT(check(), mentions({path, "ELF dynamic section's place", "found nothing of the file there"}));
}

TEST_F(ElfRefusal, RefusesADynamicSectionThatGoesOnBehindItsEnd) {
  const std::string path = put_with_segment(
      PT_DYNAMIC, 0, [](Elf64_Phdr& segment, std::string&) { segment.p_filesz = 2 * sizeof(Elf64_Dyn); });
  EXPECT_THAT(check(), mentions({path, "ELF dynamic section's end", "expected DT_NULL within its 32 bytes", "none"}));
}

TEST_F(ElfRefusal, RefusesLoadSegmentsThatOverlapOrFall) {
  std::string path = put_with_segment(PT_LOAD, 1, [](Elf64_Phdr& segment, std::string&) { segment.p_vaddr = 0; });
  EXPECT_THAT(check(), mentions({path, "ELF load segments", "expected rising addresses", "found one at 0 behind"}));
  path = put_with_segment(PT_LOAD, 0, [](Elf64_Phdr& segment, std::string&) { segment.p_memsz += 1 << 20; });
  EXPECT_THAT(check(), mentions({path, "ELF load segments", "no page in two of them", "behind one up to"}));
  path = put_with_segment(PT_LOAD, 1, [](Elf64_Phdr& segment, std::string&) { segment.p_memsz = ~0ULL - 64; });
  EXPECT_THAT(check(), mentions({path, "ELF load segments", "reaches beyond all addresses"}));
}

TEST_F(ElfRefusal, RefusesAnEntryThatIsNotAFunction) {
  const std::string path = put("entry_data");
  EXPECT_THAT(check(), mentions({path, "entry symbol", "expected gantry_driver_entry to be a function", "found data"}));
}

TEST_F(ElfRefusal, RefusesTextRelocations) {
  const std::string path = put_with_dynamic(DT_TEXTREL, 0);
  EXPECT_THAT(check(), mentions({path, "text relocations", "expected none", "DT_TEXTREL", "-fPIC", "-Wl,-z,text"}));
  put_with_dynamic(DT_FLAGS, DF_TEXTREL);
  EXPECT_THAT(check(), mentions({path, "text relocations"}));
}

TEST_F(ElfRefusal, RefusesAnExecutableStack) {
  const auto words = mentions({"zoo.so", "executable stack", "PT_GNU_STACK", "-Wl,-z,noexecstack"});
  put_with_segment(PT_GNU_STACK, 0, [](Elf64_Phdr& segment, std::string&) { segment.p_flags |= PF_X; });
  EXPECT_THAT(check(), words);
  put_with_segment(PT_GNU_STACK, 0, [](Elf64_Phdr& segment, std::string&) { segment.p_type = PT_NULL; });
  EXPECT_THAT(check(), words);
}

TEST_F(ElfRefusal, RefusesStaticTls) {
  const std::string path = put_with_dynamic(DT_FLAGS, DF_STATIC_TLS);
  EXPECT_THAT(check(), mentions({path, "static TLS", "DF_STATIC_TLS", "-ftls-model=initial-exec"}));
}

TEST_F(ElfRefusal, RefusesAFileThatWouldReachBeyondItself) {
  EXPECT_NE(put_with_dynamic(DT_FLAGS_1, DF_1_GLOBAL), "");
  EXPECT_THAT(check(), mentions({"scope", "DF_1_GLOBAL", "link without -z global"}));
  EXPECT_NE(put_with_dynamic(DT_FLAGS_1, DF_1_INITFIRST), "");
  EXPECT_THAT(check(), mentions({"order of constructors", "DF_1_INITFIRST", "link without -z initfirst"}));
}

TEST_F(ElfRefusal, ShowsEachFaultOfTheLinking) {
  put_with_dynamic(DT_FLAGS, DF_STATIC_TLS | DF_TEXTREL);
  EXPECT_THAT(check(), mentions({"text relocations", "\n", "static TLS"}));
}

TEST_F(ElfRefusal, RefusesASearchPathOfEitherKind) {
  for (const char* name : {"runpath", "rpath"}) {
    const std::string path = put(name);
    EXPECT_THAT(check(), mentions({path, "library search path", "expected no RUNPATH", "found /opt/zoo/lib"}));
  }
}

}  // namespace
}  // namespace gantry::drivers
