/* Watches what a process does to the files below $TORTURE_ROOT: every change is written to $TORTURE_LOG, and a chosen
 * one can be made to fail, or be the last thing that the process ever does. Loaded by LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATED = 1, WROTE, CUT, SYNCED, RENAMED, REMOVED, MADE_FOLDER, MARK };

struct record {
    uint32_t kind, path_length, second_length, data_length;
    uint64_t inode;
    int64_t offset;
};

static int call_number = 0, chosen_call = 0, chosen_errno = 0;

/* The next `number`th call ends the process, or fails with `error` where that is not 0. 0 chooses none. */
void torture_choose(int number, int error) {
    call_number = 0;
    chosen_call = number;
    chosen_errno = error;
}

int torture_calls(void) { return call_number; }

static int is_chosen(void) {
    if (++call_number != chosen_call) return 0;
    if (chosen_errno == 0) syscall(SYS_exit_group, 9);
    errno = chosen_errno;
    return 1;
}

static int is_below_root(const char *path) {
    const char *root = getenv("TORTURE_ROOT");
    return root != NULL && strncmp(path, root, strlen(root)) == 0;
}

static int path_of(int descriptor, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_below_root(path);
}

static uint64_t inode_of(int descriptor) {
    struct stat found;
    return fstat(descriptor, &found) == 0 ? found.st_ino : 0;
}

static uint64_t inode_at(const char *path) {
    struct stat found;
    return lstat(path, &found) == 0 ? found.st_ino : 0;
}

static void note(uint32_t kind, const char *path, const char *second, const void *data, size_t length, uint64_t inode,
                 int64_t offset) {
    static int log = -2;
    int kept = errno;
    if (log == -2) {
        const char *name = getenv("TORTURE_LOG");
        log = name == NULL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    }
    if (log >= 0) {
        struct record head = {kind, strlen(path), strlen(second), length, inode, offset};
        struct iovec parts[] = {{&head, sizeof head},
                                {(void *)path, head.path_length},
                                {(void *)second, head.second_length},
                                {(void *)data, length}};
        syscall(SYS_writev, log, parts, 4);
    }
    errno = kept;
}

void torture_mark(int number) { note(MARK, "", "", "", 0, 0, number); }

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

static int opened(int folder, const char *path, int flags, mode_t mode) {
    char full[8192];
    if (path[0] == '/' || folder != AT_FDCWD)
        snprintf(full, sizeof full, "%s", path);
    else {
        char here[4096];
        if (getcwd(here, sizeof here) == NULL) here[0] = 0;
        snprintf(full, sizeof full, "%s/%s", here, path);
    }
    int watched = is_below_root(full);
    int is_new = watched && (flags & O_CREAT) && inode_at(full) == 0;
    if (watched && is_chosen()) return -1;
    int descriptor = REAL(int, openat, int, const char *, int, ...)(folder, path, flags, mode);
    if (descriptor < 0 || !watched) return descriptor;
    if (is_new) note(CREATED, full, "", "", 0, inode_of(descriptor), 0);
    if (flags & O_TRUNC) note(CUT, "", "", "", 0, inode_of(descriptor), 0);
    return descriptor;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = (flags & O_CREAT) ? va_arg(more, int) : 0;                                                       \
        va_end(more);                                                                                                  \
        return opened(AT_FDCWD, path, flags, mode);                                                                    \
    }
OPEN(open)
OPEN(open64)

#define WRITE(name, position, ...)                                                                                     \
    {                                                                                                                  \
        char path[4096];                                                                                               \
        int watched = path_of(descriptor, path, sizeof path);                                                          \
        if (watched && is_chosen()) return -1;                                                                         \
        ssize_t written = REAL(ssize_t, name, int, const void *, size_t, ...)(__VA_ARGS__);                            \
        if (watched && written > 0) note(WROTE, "", "", data, written, inode_of(descriptor), position);                \
        return written;                                                                                                \
    }
ssize_t write(int descriptor, const void *data, size_t size)
    WRITE(write, lseek(descriptor, 0, SEEK_CUR) - written, descriptor, data, size)
ssize_t pwrite(int descriptor, const void *data, size_t size, off_t offset)
    WRITE(pwrite, offset, descriptor, data, size, offset)
ssize_t pwrite64(int descriptor, const void *data, size_t size, off64_t offset)
    WRITE(pwrite64, offset, descriptor, data, size, offset)

#define ON_FILE(name, kind, position, arguments, ...)                                                                  \
    int name arguments {                                                                                               \
        char path[4096];                                                                                               \
        int watched = path_of(descriptor, path, sizeof path);                                                          \
        if (watched && is_chosen()) return -1;                                                                         \
        int failed = REAL(int, name, int, ...)(__VA_ARGS__);                                                           \
        if (watched && !failed) note(kind, path, "", "", 0, inode_of(descriptor), position);                           \
        return failed;                                                                                                 \
    }
ON_FILE(fsync, SYNCED, 0, (int descriptor), descriptor)
ON_FILE(fdatasync, SYNCED, 0, (int descriptor), descriptor)
ON_FILE(ftruncate, CUT, size, (int descriptor, off_t size), descriptor, size)
ON_FILE(ftruncate64, CUT, size, (int descriptor, off64_t size), descriptor, size)

int rename(const char *path, const char *second) {
    int watched = is_below_root(path);
    if (watched && is_chosen()) return -1;
    uint64_t inode = inode_at(path);
    int failed = REAL(int, rename, const char *, const char *)(path, second);
    if (watched && !failed) note(RENAMED, path, second, "", 0, inode, 0);
    return failed;
}

int unlink(const char *path) {
    int watched = is_below_root(path);
    if (watched && is_chosen()) return -1;
    int failed = REAL(int, unlink, const char *)(path);
    if (watched && !failed) note(REMOVED, path, "", "", 0, 0, 0);
    return failed;
}

int mkdir(const char *path, mode_t mode) {
    int watched = is_below_root(path);
    if (watched && is_chosen()) return -1;
    int failed = REAL(int, mkdir, const char *, mode_t)(path, mode);
    if (watched && !failed) note(MADE_FOLDER, path, "", "", 0, inode_at(path), 0);
    return failed;
}
