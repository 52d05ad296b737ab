// SPDX-License-Identifier: Apache-2.0
#include "fault_file_system.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>

namespace gantry::fault {

namespace {

constexpr std::uint64_t sector = 512;
constexpr int half_done = -1;  // of a write, where else an errno stands

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(std::string& content, std::uint64_t offset, std::string_view bytes) {
  if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size());
  content.replace(offset, bytes.size(), bytes);
}

// Holds the real file behind it.
struct File {
  sqlite3_file base;
  std::string* path;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

File& of(sqlite3_file* file) {
  return *reinterpret_cast<File*>(file);
}

sqlite3_vfs* real_vfs() {
  static sqlite3_vfs* const found = sqlite3_vfs_find("unix");
  return found;
}

}  // namespace

// What SQLite calls.
struct Hooks {
  static FaultFileSystem& system() { return FaultFileSystem::installed(); }
  static int full_or(int code, int number) { return number == ENOSPC ? SQLITE_FULL : code; }

  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* flags_out) {
    file->pMethods = nullptr;
    const std::string path = name != nullptr ? name : "";
    if (system().meet("open", path) != 0) return SQLITE_CANTOPEN;
    const bool was_there = std::filesystem::exists(path);
    auto& made = of(file);
    const int code = real_vfs()->xOpen(real_vfs(), name, made.real(), flags, flags_out);
    if (code != SQLITE_OK) return code;
    made.path = new std::string(path);
    file->pMethods = methods();
    system().opened(path, was_there, flags);
    return SQLITE_OK;
  }
  static int close(sqlite3_file* file) {
    auto& closed = of(file);
    const int code = closed.real()->pMethods->xClose(closed.real());
    delete closed.path;
    file->pMethods = nullptr;
    return code;
  }
  static int read(sqlite3_file* file, void* into, int size, sqlite3_int64 offset) {
    if (system().meet("read", *of(file).path) != 0) return SQLITE_IOERR_READ;
    return of(file).real()->pMethods->xRead(of(file).real(), into, size, offset);
  }
  static int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
    const auto& path = *of(file).path;
    const int number = system().meet("write", path);
    const bool is_short = number == half_done;
    if (number != 0 && !is_short) return full_or(SQLITE_IOERR_WRITE, number);
    const int given = is_short ? size / 2 : size;
    const int code = of(file).real()->pMethods->xWrite(of(file).real(), from, given, offset);
    if (code == SQLITE_OK)
      system().written(path, static_cast<std::uint64_t>(offset),
                       {static_cast<const char*>(from), static_cast<std::size_t>(given)});
    return is_short ? SQLITE_IOERR_WRITE : code;
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    if (system().meet("truncate", *of(file).path) != 0) return SQLITE_IOERR_TRUNCATE;
    const int code = of(file).real()->pMethods->xTruncate(of(file).real(), size);
    if (code == SQLITE_OK) system().truncated(*of(file).path, static_cast<std::uint64_t>(size));
    return code;
  }
  static int sync(sqlite3_file* file, int) {
    if (system().meet("sync", *of(file).path) != 0) return SQLITE_IOERR_FSYNC;
    system().synced(*of(file).path);
    return SQLITE_OK;
  }
  static int file_size(sqlite3_file* file, sqlite3_int64* size) {
    return of(file).real()->pMethods->xFileSize(of(file).real(), size);
  }
  static int lock(sqlite3_file* file, int level) {
    if (system().meet("lock", *of(file).path) != 0) return SQLITE_IOERR_LOCK;
    return of(file).real()->pMethods->xLock(of(file).real(), level);
  }
  static int unlock(sqlite3_file* file, int level) {
    return of(file).real()->pMethods->xUnlock(of(file).real(), level);
  }
  static int check_reserved(sqlite3_file* file, int* found) {
    return of(file).real()->pMethods->xCheckReservedLock(of(file).real(), found);
  }
  static int control(sqlite3_file* file, int operation, void* argument) {
    return of(file).real()->pMethods->xFileControl(of(file).real(), operation, argument);
  }
  static int sector_size(sqlite3_file* file) { return of(file).real()->pMethods->xSectorSize(of(file).real()); }
  static int characteristics(sqlite3_file* file) {
    return of(file).real()->pMethods->xDeviceCharacteristics(of(file).real());
  }
  static int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** mapped) {
    if (system().meet("map shared memory of", *of(file).path) != 0) return SQLITE_IOERR_SHMMAP;
    return of(file).real()->pMethods->xShmMap(of(file).real(), page, size, extend, mapped);
  }
  static int shm_lock(sqlite3_file* file, int offset, int count, int flags) {
    if ((flags & SQLITE_SHM_LOCK) != 0 && system().meet("lock shared memory of", *of(file).path) != 0)
      return SQLITE_IOERR_SHMLOCK;
    return of(file).real()->pMethods->xShmLock(of(file).real(), offset, count, flags);
  }
  static void shm_barrier(sqlite3_file* file) { of(file).real()->pMethods->xShmBarrier(of(file).real()); }
  static int shm_unmap(sqlite3_file* file, int remove) {
    return of(file).real()->pMethods->xShmUnmap(of(file).real(), remove);
  }
  static int remove(sqlite3_vfs*, const char* name, int sync_directory) {
    if (system().meet("remove", name) != 0) return SQLITE_IOERR_DELETE;
    const int code = real_vfs()->xDelete(real_vfs(), name, 0);
    if (code == SQLITE_OK) system().removed(name, sync_directory != 0);
    return code;
  }
  static int access(sqlite3_vfs*, const char* name, int flags, int* result) {
    return real_vfs()->xAccess(real_vfs(), name, flags, result);
  }
  static int full_path(sqlite3_vfs*, const char* name, int size, char* into) {
    return real_vfs()->xFullPathname(real_vfs(), name, size, into);
  }
  static int randomness(sqlite3_vfs*, int size, char* into) { return real_vfs()->xRandomness(real_vfs(), size, into); }
  static int sleep(sqlite3_vfs*, int microseconds) { return microseconds; }
  static int current_time(sqlite3_vfs*, double* now) { return real_vfs()->xCurrentTime(real_vfs(), now); }
  static int last_error(sqlite3_vfs*, int size, char* text) {
    const std::lock_guard lock(system().mutex_);
    if (system().last_error_ != 0) return system().last_error_;
    return real_vfs()->xGetLastError(real_vfs(), size, text);
  }
  static int current_time_64(sqlite3_vfs*, sqlite3_int64* now) {
    return real_vfs()->xCurrentTimeInt64(real_vfs(), now);
  }

  static const sqlite3_io_methods* methods() {
    static const sqlite3_io_methods table = {
        2,         close,          read,    write,       truncate,        sync,    file_size, lock,
        unlock,    check_reserved, control, sector_size, characteristics, shm_map, shm_lock,  shm_barrier,
        shm_unmap, nullptr,        nullptr};
    return &table;
  }
  static sqlite3_vfs made() {
    sqlite3_vfs vfs{};
    vfs.iVersion = 2;
    vfs.szOsFile = static_cast<int>(sizeof(File)) + real_vfs()->szOsFile;
    vfs.mxPathname = real_vfs()->mxPathname;
    vfs.zName = "fault";
    vfs.xOpen = open;
    vfs.xDelete = remove;
    vfs.xAccess = access;
    vfs.xFullPathname = full_path;
    vfs.xRandomness = randomness;
    vfs.xSleep = sleep;
    vfs.xCurrentTime = current_time;
    vfs.xGetLastError = last_error;
    vfs.xCurrentTimeInt64 = current_time_64;
    return vfs;
  }
};

FaultFileSystem& FaultFileSystem::installed() {
  static FaultFileSystem system;
  static sqlite3_vfs vfs = Hooks::made();
  [[maybe_unused]] static const int code = sqlite3_vfs_register(&vfs, 1);
  return system;
}

void FaultFileSystem::arm(const Fault& fault) {
  const std::lock_guard lock(mutex_);
  only_what_takes_space_ = false;
  fault_ = fault;
  operations_ = 0;
  struck_.clear();
  last_error_ = 0;
}

void FaultFileSystem::fail_only_what_takes_space() {
  const std::lock_guard lock(mutex_);
  only_what_takes_space_ = true;
}

void FaultFileSystem::disarm() {
  const std::lock_guard lock(mutex_);
  fault_ = {};
  only_what_takes_space_ = false;
  watches_power_ = false;
  images_.clear();
  last_error_ = 0;
}

std::uint64_t FaultFileSystem::operations() const {
  const std::lock_guard lock(mutex_);
  return operations_;
}

bool FaultFileSystem::has_struck() const {
  const std::lock_guard lock(mutex_);
  return !struck_.empty();
}

std::string FaultFileSystem::struck() const {
  const std::lock_guard lock(mutex_);
  return struck_;
}

int FaultFileSystem::meet(const char* operation, const std::string& path) {
  const std::lock_guard lock(mutex_);
  const std::string_view what(operation);
  const bool takes_space = what == "write" || what == "sync";
  last_error_ = 0;
  if (only_what_takes_space_ && !takes_space) return 0;
  ++operations_;
  if (fault_.at == 0 || operations_ < fault_.at || (operations_ > fault_.at && !fault_.lasts)) return 0;
  if (struck_.empty()) struck_ = std::string(operation) + " " + std::filesystem::path(path).filename().string();
  last_error_ = fault_.form == Form::disk_full && takes_space ? ENOSPC : EIO;
  return fault_.form == Form::short_write && what == "write" ? half_done : last_error_;
}

void FaultFileSystem::watch_power(std::uint64_t at) {
  const std::lock_guard lock(mutex_);
  fault_ = {at, true, Form::io_error};
  only_what_takes_space_ = false;
  operations_ = 0;
  struck_.clear();
  images_.clear();
  watches_power_ = true;
}

void FaultFileSystem::opened(const std::string& path, bool was_there, int flags) {
  const std::lock_guard lock(mutex_);
  if (!watches_power_ || path.empty()) return;
  auto [image, is_new] = images_.try_emplace(path);
  if (is_new) {
    image->second.name_is_synced = was_there;
    if (was_there) image->second.synced = bytes_of(path);
  } else if (image->second.removed) {
    Image again;
    again.previous = std::move(image->second.synced);
    image->second = std::move(again);
  }
  // Its maker has synced the directory.
  if ((flags & SQLITE_OPEN_MAIN_DB) != 0) image->second.name_is_synced = true;
}

void FaultFileSystem::written(const std::string& path, std::uint64_t offset, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (watches_power_) images_[path].writes.push_back({offset, std::string(bytes), false});
}

void FaultFileSystem::truncated(const std::string& path, std::uint64_t size) {
  const std::lock_guard lock(mutex_);
  if (watches_power_) images_[path].writes.push_back({size, {}, true});
}

void FaultFileSystem::synced(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (!watches_power_) return;
  auto& image = images_[path];
  for (const auto& write : image.writes) {
    if (write.truncates)
      image.synced.resize(write.offset);
    else
      put(image.synced, write.offset, write.bytes);
  }
  image.writes.clear();
  if (image.name_is_synced) return;
  // With the first sync of a journal SQLite syncs the directory, and with it all that has become of other names.
  std::erase_if(images_, [](const auto& entry) { return entry.second.removed; });
  for (auto& [name, other] : images_) {
    other.name_is_synced = true;
    other.previous.reset();
  }
}

void FaultFileSystem::removed(const std::string& path, bool for_sure) {
  const std::lock_guard lock(mutex_);
  if (!watches_power_) return;
  if (for_sure || !images_[path].name_is_synced)
    images_.erase(path);
  else
    images_[path].removed = true;
}

std::string FaultFileSystem::after_power_loss(const Image& image, std::mt19937_64& random) {
  std::string content = image.synced;
  // Sometimes nearly all or nearly nothing of it has reached the disk.
  const double share = std::uniform_real_distribution<>(-0.2, 1.2)(random);
  std::bernoulli_distribution arrives(std::clamp(share, 0.0, 1.0));
  for (const auto& write : image.writes) {
    if (write.truncates) {
      if (arrives(random)) content.resize(write.offset);
      continue;
    }
    for (std::uint64_t begin = write.offset; begin < write.offset + write.bytes.size();) {
      const auto end = std::min<std::uint64_t>((begin / sector + 1) * sector, write.offset + write.bytes.size());
      if (arrives(random)) put(content, begin, std::string_view(write.bytes).substr(begin - write.offset, end - begin));
      begin = end;
    }
  }
  return content;
}

void FaultFileSystem::lose_power(std::mt19937_64& random) {
  const std::lock_guard lock(mutex_);
  std::bernoulli_distribution arrives(0.5);
  for (const auto& [path, image] : images_) {
    std::filesystem::remove(path);
    std::optional<std::string> content;
    if (image.removed)
      content = arrives(random) ? std::optional(after_power_loss(image, random)) : std::nullopt;
    else if (image.name_is_synced || arrives(random))
      content = after_power_loss(image, random);
    else if (arrives(random))
      content = image.previous;
    if (content) std::ofstream(path, std::ios::binary) << *content;
    std::filesystem::remove(path + "-shm");
  }
  fault_ = {};
  watches_power_ = false;
  images_.clear();
  last_error_ = 0;
}

}  // namespace gantry::fault
