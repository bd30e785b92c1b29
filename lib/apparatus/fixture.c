#include "fixture.h"

#include "file.h"
#include "mem.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { VALUE = 4 };

void *fixture_read(const char *folder, const char *name, size_t count, Err *err)
{
    Bytes bytes = {0};
    char *path = mem_text("%s/%s", folder, name);
    if (file_read(path, &bytes, err) && bytes.size != VALUE * count) {
        err_set(err, "%s holds %zu bytes instead of %zu", path, bytes.size, VALUE * count);
        bytes_free(&bytes);
    }
    free(path);
    return bytes.data;
}

bool fixture_write(const char *folder, const char *name, const float *values, size_t count, Err *err)
{
    char *path = mem_text("%s/%s", folder, name);
    bool written = file_write(path, values, VALUE * count, err);
    free(path);
    return written;
}

float *fixture_tensors(const Layout *layout, const char *folder, const char *name, Err *err)
{
    float *packed = fixture_read(folder, name, layout->parameters, err), *next = packed;
    float *tensors = packed ? mem_try(layout->floats, sizeof *tensors, name, err) : NULL;
    for (size_t i = 0; tensors && i < layout->count; next += tensor_size(&layout->list[i++]))
        memcpy(tensors + layout->list[i].offset, next, VALUE * tensor_size(&layout->list[i]));
    free(packed);
    return tensors;
}

char *fixture_folder_new(Err *err)
{
    char *folder = mem_text("/tmp/attest-XXXXXX");
    if (mkdtemp(folder))
        return folder;
    err_set(err, "no folder can be made in /tmp: %s", strerror(errno));
    free(folder);
    return NULL;
}

void fixture_folder_free(char *folder)
{
    if (!folder)
        return;
    size_t count;
    char **names = file_list(folder, "", &count);
    for (size_t i = 0; i < count; i++) {
        char *path = mem_text("%s/%s", folder, names[i]);
        unlink(path);
        free(path);
    }
    file_list_free(names, count);
    rmdir(folder);
    free(folder);
}
