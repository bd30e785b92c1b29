#include "pieces.h"

#include "mem.h"
#include "utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

static const char pattern[] = "'s|'t|'re|'ve|'m|'ll|'d"
                              "| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+"
                              "|\\s+(?!\\S)|\\s+";

typedef struct Cutter {
    Pieces *pieces;
    uint32_t *slots; /* hash table: 1 + index of a distinct piece, 0 when free */
    size_t capacity; /* a power of two */
    pcre2_code *code;
    pcre2_match_data *match;
} Cutter;

/* FNV-1a, 64 bits, its high half folded in because the table looks at the low bits alone. */
static size_t hash_piece(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return (size_t)(hash ^ hash >> 32);
}

/* The slot where this piece is, or the free one where it belongs. */
static uint32_t *find_slot(const Cutter *cutter, const char *text, size_t length)
{
    size_t mask = cutter->capacity - 1;
    for (size_t i = hash_piece(text, length) & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &cutter->slots[i];
        if (*slot == 0)
            return slot;
        const Piece *piece = &cutter->pieces->distinct[*slot - 1];
        if (piece->length == length && memcmp(piece->text, text, length) == 0)
            return slot;
    }
}

static void grow_table(Cutter *cutter)
{
    free(cutter->slots);
    cutter->capacity *= 2;
    cutter->slots = mem_new(cutter->capacity, sizeof *cutter->slots);
    for (size_t i = 0; i < cutter->pieces->distinct_count; i++) {
        const Piece *piece = &cutter->pieces->distinct[i];
        *find_slot(cutter, piece->text, piece->length) = (uint32_t)i + 1;
    }
}

static void add_piece(Cutter *cutter, const char *text, size_t length)
{
    Pieces *pieces = cutter->pieces;
    if (2 * pieces->distinct_count >= cutter->capacity)
        grow_table(cutter);
    uint32_t *slot = find_slot(cutter, text, length);
    if (*slot == 0) {
        Piece *piece = mem_grow(&pieces->distinct, &pieces->distinct_count, sizeof *piece);
        *piece = (Piece){.text = text, .length = (uint32_t)length};
        *slot = (uint32_t)pieces->distinct_count;
    }
    pieces->distinct[*slot - 1].count++;
    *(uint32_t *)mem_grow(&pieces->order, &pieces->count, sizeof *pieces->order) = *slot - 1;
}

/* Cuts a stretch of valid UTF-8. Every character begins some alternative of the pattern, so anchored matches
 * follow each other without a gap. */
static void cut_valid(Cutter *cutter, const char *text, size_t size)
{
    PCRE2_SIZE *ends = pcre2_get_ovector_pointer(cutter->match);
    for (size_t at = 0; at < size; at = ends[1]) {
        /* Unless told not to, PCRE2 checks the whole rest of the text at every match. */
        int found =
            pcre2_match(cutter->code, (PCRE2_SPTR)text, size, at, PCRE2_NO_UTF_CHECK, cutter->match, NULL);
        require(found > 0 && ends[1] > at, "PCRE2 gives error %d on a text that it must match", found);
        add_piece(cutter, text + at, ends[1] - at);
    }
}

Pieces *pieces_new(const char *text, size_t size, Err *err)
{
    if (size > PIECES_LARGEST) {
        err_set(err, "a text of %zu bytes is too large: at most 2 GiB can be cut into tokens", size);
        return NULL;
    }
    int error;
    PCRE2_SIZE place;
    Cutter cutter = {.pieces = mem_new(1, sizeof *cutter.pieces), .capacity = 1024};
    cutter.slots = mem_new(cutter.capacity, sizeof *cutter.slots);
    cutter.code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
                                PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED, &error, &place, NULL);
    require(cutter.code, "PCRE2 gives error %d at character %zu of GPT-2's pattern", error, place);
    pcre2_jit_compile(cutter.code, PCRE2_JIT_COMPLETE); /* where that can't be had, matching is only slower */
    cutter.match = pcre2_match_data_create_from_pattern(cutter.code, NULL);
    require(cutter.match, "out of memory for a match");

    for (size_t at = 0; at < size;) {
        size_t valid = utf8_valid(text + at, size - at);
        cut_valid(&cutter, text + at, valid);
        at += valid;
        if (at < size)
            add_piece(&cutter, text + at++, 1);
    }

    pcre2_match_data_free(cutter.match);
    pcre2_code_free(cutter.code);
    free(cutter.slots);
    return cutter.pieces;
}

void pieces_free(Pieces *pieces)
{
    if (!pieces)
        return;
    free(pieces->distinct);
    free(pieces->order);
    free(pieces);
}
