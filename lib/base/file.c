#include "file.h"

#include "mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_read(const char *path, Bytes *bytes, Err *err)
{
    *bytes = (Bytes){0};
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file)
        return err_set(err, "cannot read %s: %s", path, strerror(errno));
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        fclose(file);
        return err_set(err, "cannot read %s: it is a folder", path);
    }
    size_t capacity = 1 << 16;
    bool enough = true;
    bytes->data = malloc(capacity);
    while (bytes->data) {
        bytes->size += fread(bytes->data + bytes->size, 1, capacity - bytes->size - 1, file);
        if (bytes->size < capacity - 1)
            break;
        char *larger = realloc(bytes->data, capacity *= 2);
        enough = larger != NULL;
        if (!enough)
            break;
        bytes->data = larger;
    }
    bool failed = ferror(file);
    int reason = errno;
    fclose(file);
    if (!bytes->data || !enough || failed) {
        bytes_free(bytes);
        return err_set(err, "cannot read %s: %s", path, failed ? strerror(reason) : "not enough memory");
    }
    bytes->data[bytes->size] = '\0';
    return true;
}

void bytes_free(Bytes *bytes)
{
    free(bytes->data);
    *bytes = (Bytes){0};
}

/* The folder part of path, "." when it has none; owned by the caller. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return mem_text(".");
    return slash == path ? mem_text("/") : mem_text("%.*s", (int)(slash - path), path);
}

bool file_make_folder(const char *path, Err *err)
{
    struct stat status;
    if (stat(path, &status) == 0)
        return S_ISDIR(status.st_mode) || err_set(err, "cannot make folder %s: a file is there", path);
    char *above = folder_of(path);
    bool made = strcmp(above, path) == 0 || file_make_folder(above, err);
    free(above);
    if (!made)
        return false;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return err_set(err, "cannot make folder %s: %s", path, strerror(errno));
    return true;
}

bool file_can_write(const char *folder, Err *err)
{
    if (!file_make_folder(folder, err))
        return false;
    char *probe = mem_text("%s/.probe-%ld", folder, (long)getpid());
    int file = open(probe, O_CREAT | O_WRONLY, 0600);
    int reason = errno;
    if (file >= 0) {
        close(file);
        unlink(probe);
    }
    free(probe);
    return file >= 0 || err_set(err, "cannot write into folder %s: %s", folder, strerror(reason));
}

static bool write_all(int file, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, data, size);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            data += written;
            size -= (size_t)written;
        }
    }
    return true;
}

bool file_write(const char *path, const void *data, size_t size, Err *err)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return err_set(err, "cannot write %s: it is not an ordinary file", path);
    char *folder = folder_of(path);
    bool ready = file_make_folder(folder, err);
    char *temporary = mem_text("%s/.tmp-%ld-%s", folder, (long)getpid(),
                               strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
    bool done = false;
    if (ready) {
        int file = open(temporary, O_CREAT | O_TRUNC | O_WRONLY, 0666);
        done = file >= 0 && write_all(file, data, size) && fsync(file) == 0;
        int reason = errno;
        if (file >= 0 && close(file) != 0 && done) {
            done = false;
            reason = errno;
        }
        if (done && rename(temporary, path) != 0) {
            done = false;
            reason = errno;
        }
        if (!done) {
            unlink(temporary);
            err_set(err, "cannot write %s: %s", path, strerror(reason));
        }
    }
    free(temporary);
    free(folder);
    return done;
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **file_list(const char *folder, const char *ending, size_t *count)
{
    char **names = NULL;
    *count = 0;
    DIR *directory = opendir(folder);
    if (!directory)
        return NULL;
    for (struct dirent *entry; (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name), tail = strlen(ending);
        if (entry->d_name[0] == '.' || length < tail || strcmp(entry->d_name + length - tail, ending) != 0)
            continue;
        *(char **)mem_grow(&names, count, sizeof *names) = mem_text("%s", entry->d_name);
    }
    closedir(directory);
    if (*count > 1)
        qsort(names, *count, sizeof *names, by_name);
    return names;
}

void file_list_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

char *file_program_folder(void)
{
    /* Without /proc, as in a bare chroot, there is still the path the program was started by. */
    char *path = realpath("/proc/self/exe", NULL);
    if (!path)
        path = realpath((const char *)getauxval(AT_EXECFN), NULL);
    require(path, "the system does not tell where the program is");
    char *folder = folder_of(path);
    free(path);
    return folder;
}
