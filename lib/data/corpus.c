#include "corpus.h"

#include "file.h"
#include "machine.h"
#include "mem.h"
#include "utf8.h"

#include <string.h>

#define PUBLISHED_FILE   "tinyshakespeare.txt"
#define FALLBACK_FILE    "kjv.txt"
#define PUBLISHED_DIGEST "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed"

/* The line, from 1, on which the byte at `offset` stands. */
static size_t line_of(const char *text, size_t offset)
{
    size_t line = 1;
    for (size_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    return line;
}

static bool check_text(const char *path, const Bytes *bytes, Err *err)
{
    if (bytes->size == 0)
        return err_set(err, "%s is empty: name a text to train on", path);
    size_t valid = utf8_valid(bytes->data, bytes->size);
    if (valid < bytes->size)
        return err_set(err,
                       "%s is not UTF-8: byte 0x%02X at offset %zu (line %zu); convert it first, for example "
                       "with iconv",
                       path, (unsigned char)bytes->data[valid], valid, line_of(bytes->data, valid));
    return true;
}

/* Reads path; must_be_published refuses every other text. */
static Corpus *read_corpus(const char *path, bool must_be_published, Err *err)
{
    Bytes bytes;
    if (!file_read(path, &bytes, err))
        return NULL;
    char digest[DIGEST_TEXT];
    digest_hex(bytes.data, bytes.size, digest);
    bool is_published = strcmp(digest, PUBLISHED_DIGEST) == 0;
    if (must_be_published && !is_published) {
        err_set(err, "%s is damaged (its SHA-256 is not %.16s…): delete it and run data/get_corpus.sh", path,
                PUBLISHED_DIGEST);
        bytes_free(&bytes);
        return NULL;
    }
    if (!check_text(path, &bytes, err)) {
        bytes_free(&bytes);
        return NULL;
    }
    const char *slash = strrchr(path, '/');
    Corpus *corpus = mem_new(1, sizeof *corpus);
    corpus->text = bytes.data;
    corpus->size = bytes.size;
    memcpy(corpus->digest, digest, sizeof digest);
    corpus->name = mem_text("%s", is_published ? "tiny Shakespeare" : slash ? slash + 1 : path);
    corpus->is_published = is_published;
    return corpus;
}

/* The folder's file of that name, or NULL when it isn't there; owned by the caller. */
static char *file_in(const char *folder, const char *name)
{
    char *path = folder ? mem_text("%s/%s", folder, name) : mem_text("%s/data/%s", machine_home(), name);
    if (!file_exists(path)) {
        free(path);
        path = NULL;
    }
    return path;
}

Corpus *corpus_load(const char *file, const char *folder, Err *err)
{
    if (file)
        return read_corpus(file, false, err);
    char *published = file_in(folder, PUBLISHED_FILE), *fallback = file_in(folder, FALLBACK_FILE);
    Corpus *corpus = NULL;
    if (published || fallback)
        corpus = read_corpus(published ? published : fallback, published != NULL, err);
    else
        err_set(err,
                "there is no text to train on: neither " PUBLISHED_FILE " nor " FALLBACK_FILE
                " is in %s%s; run data/get_corpus.sh, or name a file with --corpus FILE",
                folder ? folder : machine_home(), folder ? "" : "/data");
    free(published);
    free(fallback);
    return corpus;
}

bool corpus_is_missing(const char *file, const char *folder)
{
    char *published = file_in(folder, PUBLISHED_FILE), *fallback = file_in(folder, FALLBACK_FILE);
    bool missing = !file && !published && !fallback;
    free(published);
    free(fallback);
    return missing;
}

void corpus_free(Corpus *corpus)
{
    if (!corpus)
        return;
    free(corpus->text);
    free(corpus->name);
    free(corpus);
}
