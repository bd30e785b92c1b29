#include "checkpoint.h"

#include "digest.h"
#include "file.h"
#include "mem.h"

#include <string.h>

/* The file is a head, five arrays, and the digest of all that, in the machine's own byte order: a checkpoint
 * does not travel. */
typedef struct Head {
    char magic[24];
    char key[80];
    int64_t step;
    double seconds;
    uint64_t floats, probes; /* elements of a parameter array; of the probes */
} Head;

static const char magic[24] = "attest checkpoint 1";

typedef struct Part {
    void *data;
    size_t size; /* bytes */
} Part;

enum { PARTS = 5 };

static Head make_head(const Trainer *trainer, const char *key, long step)
{
    require(strlen(key) < sizeof((Head *)0)->key, "a key has less than 80 letters");
    Head head = {.step = step, .seconds = trainer->seconds, .floats = trainer->model->layout->floats};
    if (trainer->probe.every > 0)
        head.probes = (uint64_t)((1 + step / trainer->probe.every) * trainer->probe.count);
    memcpy(head.magic, magic, sizeof magic);
    strcpy(head.key, key);
    return head;
}

/* Where the arrays of a checkpoint at head->step are in the trainer; returns their bytes. */
static size_t find_parts(const Trainer *trainer, const Head *head, Part parts[PARTS])
{
    size_t bytes = head->floats * sizeof(float), size = 0;
    parts[0] = (Part){trainer->model->parameters, bytes};
    parts[1] = (Part){trainer->first, bytes};
    parts[2] = (Part){trainer->second, bytes};
    parts[3] = (Part){trainer->losses, (size_t)head->step * sizeof(double)};
    parts[4] = (Part){trainer->probes, head->probes * sizeof(double)};
    for (int i = 0; i < PARTS; i++)
        size += parts[i].size;
    return size;
}

bool checkpoint_write(const char *path, const char *key, const Trainer *trainer, Err *err)
{
    Head head = make_head(trainer, key, trainer->step);
    Part parts[PARTS];
    size_t body = sizeof head + find_parts(trainer, &head, parts);
    char *bytes = mem_try(body + DIGEST_TEXT, 1, "a checkpoint", err), *end = bytes;
    if (!bytes)
        return false;
    end = mempcpy(end, &head, sizeof head);
    for (int i = 0; i < PARTS; i++)
        if (parts[i].size > 0) /* an empty array may be NULL */
            end = mempcpy(end, parts[i].data, parts[i].size);
    digest_hex(bytes, body, end);
    bool written = file_write(path, bytes, body + DIGEST_TEXT, err);
    free(bytes);
    return written;
}

/* Whether the bytes are an undamaged checkpoint of this very work. */
static bool check(const Bytes *bytes, const char *key, const Trainer *trainer, Head *head, Err *err)
{
    char digest[DIGEST_TEXT];
    if (bytes->size < sizeof *head + DIGEST_TEXT || memcmp(bytes->data, magic, sizeof magic) != 0)
        return err_set(err, "it is not a checkpoint, or only the beginning of one");
    size_t body = bytes->size - DIGEST_TEXT;
    digest_hex(bytes->data, body, digest);
    if (memcmp(digest, bytes->data + body, DIGEST_TEXT) != 0)
        return err_set(err, "it is truncated or damaged: its checksum is wrong");
    memcpy(head, bytes->data, sizeof *head);
    if (strcmp(head->key, key) != 0)
        return err_set(err, "it belongs to other work, with the key %s", head->key);

    Head expected = make_head(trainer, key, head->step);
    Part parts[PARTS];
    if (head->step < 0 || head->step > trainer->plan.steps || head->floats != expected.floats ||
        head->probes != expected.probes || body != sizeof *head + find_parts(trainer, head, parts))
        return err_set(err, "it belongs to another model or plan, though its key is the same");
    return true;
}

bool checkpoint_read(const char *path, const char *key, Trainer *trainer, Err *err)
{
    Bytes bytes;
    if (!file_read(path, &bytes, err))
        return false;
    Head head;
    bool right = check(&bytes, key, trainer, &head, err);
    if (right) {
        Part parts[PARTS];
        find_parts(trainer, &head, parts);
        const char *from = bytes.data + sizeof head;
        for (int i = 0; i < PARTS; from += parts[i++].size)
            if (parts[i].size > 0)
                memcpy(parts[i].data, from, parts[i].size);
        trainer->step = head.step;
        trainer->seconds = head.seconds;
        trainer->diverged_at = 0;
    } else {
        err_within(err, "cannot go on from %s", path);
    }
    bytes_free(&bytes);
    return right;
}
