// A library in front of libc: each read of a regular file with the sticky bit fails with EIO, as on a bad sector. The file can be
// opened, listed and renamed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_bad(int fd) {
  struct stat file;
  return fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && (file.st_mode & S_ISVTX);
}

#define READ(NAME, DECLARED, PASSED) \
  ssize_t NAME DECLARED { \
    static ssize_t (*next) DECLARED; \
    if (!next) next = dlsym(RTLD_NEXT, #NAME); \
    if (is_bad(fd)) { errno = EIO; return -1; } \
    return next PASSED; \
  }
READ(read, (int fd, void *memory, size_t bytes), (fd, memory, bytes))
READ(pread, (int fd, void *memory, size_t bytes, off_t at), (fd, memory, bytes, at))
READ(pread64, (int fd, void *memory, size_t bytes, off64_t at), (fd, memory, bytes, at))
