#include "bpe.h"

#include "mem.h"
#include "pieces.h"

#include <string.h>

enum { NONE = -1 };

/* A hash table from pairs of ids to numbers. */
typedef struct PairEntry {
    BpeMerge pair;
    int32_t value; /* NONE: the entry is free */
} PairEntry;

typedef struct PairTable {
    PairEntry *entries;
    size_t capacity; /* a power of two */
    size_t count;
} PairTable;

static void table_reserve(PairTable *table, size_t capacity)
{
    table->capacity = capacity;
    table->entries = mem_new(capacity, sizeof *table->entries);
    for (size_t i = 0; i < capacity; i++)
        table->entries[i].value = NONE;
}

/* The pair's entry, or the free one where it belongs. */
static PairEntry *table_find(const PairTable *table, BpeMerge pair)
{
    uint64_t key = (uint64_t)(uint32_t)pair.left << 32 | (uint32_t)pair.right;
    size_t mask = table->capacity - 1;
    /* Fibonacci hashing: the product's high bits are the well-mixed ones. */
    for (size_t i = (size_t)((key * 0x9E3779B97F4A7C15u) >> 32) & mask;; i = (i + 1) & mask) {
        PairEntry *entry = &table->entries[i];
        if (entry->value == NONE || (entry->pair.left == pair.left && entry->pair.right == pair.right))
            return entry;
    }
}

/* Puts a pair that isn't there yet; makes room first. */
static void table_put(PairTable *table, BpeMerge pair, int32_t value)
{
    if (2 * table->count >= table->capacity) {
        PairTable larger;
        table_reserve(&larger, 2 * table->capacity);
        for (size_t i = 0; i < table->capacity; i++)
            if (table->entries[i].value != NONE)
                *table_find(&larger, table->entries[i].pair) = table->entries[i];
        free(table->entries);
        table->entries = larger.entries;
        table->capacity = larger.capacity;
    }
    *table_find(table, pair) = (PairEntry){pair, value};
    table->count++;
}

/* ---- Learning ----
 *
 * The distinct pieces, in the order of their first occurrences, are laid one behind the other; each stands for
 * all its occurrences, which are segmented alike. So a pair's frequency is the sum of the counts of the pieces
 * it is in, and of two pairs the one whose first place in this row is smaller also occurs first in the text.
 *
 * Joining a pair changes only its neighbours' pairs, so frequencies are kept up to date place by place. Every
 * pair that contains the new id is new itself; all others only lose places. That makes a heap with outdated
 * entries exact: what an entry promises is never less than what the pair still has, so an entry that has come
 * to the top is brought up to date and sunk, until the one on top is true. */

typedef struct Place {
    int32_t id;             /* of the token that begins at this byte; NONE inside of one */
    int32_t previous, next; /* the tokens beside it in the same piece; NONE at the piece's ends */
    uint32_t count;         /* of the piece */
} Place;

typedef struct Pair {
    BpeMerge ids;
    int64_t frequency;
    int32_t *places; /* of the left tokens, rising; those that have been joined away are still there */
    size_t count;
    size_t first; /* in places: all before it are joined away */
} Pair;

/* How soon a pair is to be joined: more frequent before less, then smaller `tie`. */
typedef struct Candidate {
    int64_t frequency;
    uint64_t tie;
    size_t pair;
} Candidate;

typedef struct Learner {
    Place *places;
    Pair *pairs;
    size_t pair_count;
    PairTable index; /* of a pair in pairs */
    Candidate *heap; /* the soonest at its root */
    size_t heap_count;
    BpeTies ties;
} Learner;

static bool is_at(const Learner *learner, BpeMerge ids, int32_t place)
{
    const Place *left = &learner->places[place];
    return left->id == ids.left && left->next != NONE && learner->places[left->next].id == ids.right;
}

static void add_place(Learner *learner, int32_t place)
{
    const Place *left = &learner->places[place];
    BpeMerge ids = {left->id, learner->places[left->next].id};
    int32_t index = table_find(&learner->index, ids)->value;
    if (index == NONE) {
        index = (int32_t)learner->pair_count;
        *(Pair *)mem_grow(&learner->pairs, &learner->pair_count, sizeof *learner->pairs) = (Pair){.ids = ids};
        table_put(&learner->index, ids, index);
    }
    Pair *pair = &learner->pairs[index];
    pair->frequency += left->count;
    *(int32_t *)mem_grow(&pair->places, &pair->count, sizeof *pair->places) = place;
}

static void drop_place(Learner *learner, int32_t place)
{
    const Place *left = &learner->places[place];
    BpeMerge ids = {left->id, learner->places[left->next].id};
    learner->pairs[table_find(&learner->index, ids)->value].frequency -= left->count;
}

static Candidate candidate_of(Learner *learner, size_t index)
{
    Pair *pair = &learner->pairs[index];
    if (learner->ties == BPE_TIES_SMALLEST) {
        uint64_t ids = (uint64_t)pair->ids.left << 32 | (uint64_t)pair->ids.right;
        return (Candidate){pair->frequency, ids, index};
    }
    while (pair->first < pair->count && !is_at(learner, pair->ids, pair->places[pair->first]))
        pair->first++;
    uint64_t place = pair->first < pair->count ? (uint64_t)pair->places[pair->first] : 0;
    return (Candidate){pair->frequency, place, index};
}

static bool is_sooner(Candidate a, Candidate b)
{
    return a.frequency != b.frequency ? a.frequency > b.frequency : a.tie < b.tie;
}

static void push(Learner *learner, Candidate candidate)
{
    size_t at = learner->heap_count;
    mem_grow(&learner->heap, &learner->heap_count, sizeof *learner->heap);
    for (; at > 0 && is_sooner(candidate, learner->heap[(at - 1) / 2]); at = (at - 1) / 2)
        learner->heap[at] = learner->heap[(at - 1) / 2];
    learner->heap[at] = candidate;
}

/* Puts the candidate in the root's stead and lets it sink to where it belongs. */
static void replace_root(Learner *learner, Candidate candidate)
{
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < learner->heap_count; at = child) {
        if (child + 1 < learner->heap_count && is_sooner(learner->heap[child + 1], learner->heap[child]))
            child++;
        if (!is_sooner(learner->heap[child], candidate))
            break;
        learner->heap[at] = learner->heap[child];
    }
    learner->heap[at] = candidate;
}

static void drop_root(Learner *learner)
{
    learner->heap_count--;
    replace_root(learner, learner->heap[learner->heap_count]);
}

/* Makes the heap's root true; false when no pair is left. */
static bool settle(Learner *learner)
{
    while (learner->heap_count > 0) {
        Candidate promised = learner->heap[0];
        Candidate now = candidate_of(learner, promised.pair);
        if (now.frequency == 0)
            drop_root(learner);
        else if (now.frequency == promised.frequency && now.tie == promised.tie)
            return true;
        else
            replace_root(learner, now);
    }
    return false;
}

static void push_pairs(Learner *learner, size_t first)
{
    for (size_t i = first; i < learner->pair_count; i++)
        push(learner, candidate_of(learner, i));
}

static void lay_out(Learner *learner, const Pieces *pieces)
{
    size_t size = 0;
    for (size_t i = 0; i < pieces->distinct_count; i++)
        size += pieces->distinct[i].length;
    learner->places = mem_new(size, sizeof *learner->places);
    table_reserve(&learner->index, 4096);
    int32_t at = 0;
    for (size_t i = 0; i < pieces->distinct_count; i++) {
        const Piece *piece = &pieces->distinct[i];
        int32_t first = at, end = at + (int32_t)piece->length;
        for (; at < end; at++)
            learner->places[at] = (Place){.id = (unsigned char)piece->text[at - first],
                                          .previous = at > first ? at - 1 : NONE,
                                          .next = at + 1 < end ? at + 1 : NONE,
                                          .count = piece->count};
        for (int32_t place = first; place + 1 < end; place++)
            add_place(learner, place);
    }
    push_pairs(learner, 0);
}

/* Joins the token at `place` with the next one. */
static void join_at(Learner *learner, int32_t place, int32_t id)
{
    Place *left = &learner->places[place], *right = &learner->places[left->next];
    if (left->previous != NONE)
        drop_place(learner, left->previous);
    if (right->next != NONE)
        drop_place(learner, left->next);
    drop_place(learner, place);
    left->id = id;
    right->id = NONE;
    left->next = right->next;
    if (left->previous != NONE)
        add_place(learner, left->previous);
    if (left->next != NONE) {
        learner->places[left->next].previous = place;
        add_place(learner, place);
    }
}

static void join_everywhere(Learner *learner, size_t index, int32_t id)
{
    Pair pair = learner->pairs[index]; /* a copy: the list of pairs moves as it grows */
    size_t known = learner->pair_count;
    for (size_t i = pair.first; i < pair.count; i++)
        if (is_at(learner, pair.ids, pair.places[i]))
            join_at(learner, pair.places[i], id);
    push_pairs(learner, known);
}

static void learner_free(Learner *learner)
{
    for (size_t i = 0; i < learner->pair_count; i++)
        free(learner->pairs[i].places);
    free(learner->pairs);
    free(learner->places);
    free(learner->index.entries);
    free(learner->heap);
}

Bpe *bpe_learn(const char *text, size_t size, int vocabulary, BpeTies ties, Err *err)
{
    require(vocabulary >= BPE_BYTES, "a vocabulary of %d has no room for the bytes", vocabulary);
    Pieces *pieces = pieces_new(text, size, err);
    if (!pieces)
        return NULL;
    Learner learner = {.ties = ties};
    lay_out(&learner, pieces);
    pieces_free(pieces);
    Bpe *bpe = mem_new(1, sizeof *bpe);
    while (bpe->count < (size_t)(vocabulary - BPE_BYTES) && settle(&learner)) {
        Candidate best = learner.heap[0];
        drop_root(&learner);
        bpe->ties += settle(&learner) && learner.heap[0].frequency == best.frequency;
        *(BpeMerge *)mem_grow(&bpe->merges, &bpe->count, sizeof *bpe->merges) = learner.pairs[best.pair].ids;
        join_everywhere(&learner, best.pair, BPE_BYTES + (int32_t)bpe->count - 1);
    }
    learner_free(&learner);
    return bpe;
}

void bpe_free(Bpe *bpe)
{
    if (!bpe)
        return;
    free(bpe->merges);
    free(bpe);
}

/* ---- Encoding and decoding ---- */

/* Replays the merges on one piece, in the order they were learnt; returns how many ids are left. A merge joins
 * only what earlier ones made, so the earliest one that applies is always the next. */
static size_t encode_piece(const PairTable *ranks, const Piece *piece, int32_t *ids)
{
    size_t count = piece->length;
    for (size_t i = 0; i < count; i++)
        ids[i] = (unsigned char)piece->text[i];
    for (;;) {
        const PairEntry *earliest = NULL;
        for (size_t i = 0; i + 1 < count; i++) {
            const PairEntry *entry = table_find(ranks, (BpeMerge){ids[i], ids[i + 1]});
            if (entry->value != NONE && (!earliest || entry->value < earliest->value))
                earliest = entry;
        }
        if (!earliest)
            return count;
        size_t kept = 0;
        for (size_t i = 0; i < count; kept++) {
            bool joined =
                i + 1 < count && ids[i] == earliest->pair.left && ids[i + 1] == earliest->pair.right;
            ids[kept] = joined ? BPE_BYTES + earliest->value : ids[i];
            i += joined ? 2 : 1;
        }
        count = kept;
    }
}

int32_t *bpe_encode(const Bpe *bpe, size_t merges, const char *text, size_t size, size_t *count, Err *err)
{
    require(merges <= bpe->count, "%zu merges of %zu", merges, bpe->count);
    Pieces *pieces = pieces_new(text, size, err);
    if (!pieces)
        return NULL;
    PairTable ranks = {0};
    table_reserve(&ranks, 1024);
    for (size_t i = 0; i < merges; i++)
        table_put(&ranks, bpe->merges[i], (int32_t)i);

    /* Each distinct piece is encoded once. */
    size_t total = 0, used = 0;
    int32_t *all = mem_new(size, sizeof *all);
    typedef struct Encoded {
        size_t first, count; /* in all */
    } Encoded;
    Encoded *encoded = mem_new(pieces->distinct_count, sizeof *encoded);
    for (size_t i = 0; i < pieces->distinct_count; i++) {
        encoded[i] = (Encoded){used, encode_piece(&ranks, &pieces->distinct[i], all + used)};
        used += encoded[i].count;
        total += encoded[i].count * pieces->distinct[i].count;
    }
    int32_t *ids = mem_try(total, sizeof *ids, "the tokens of a text", err);
    *count = 0;
    for (size_t i = 0; ids && i < pieces->count; i++) {
        const Encoded *piece = &encoded[pieces->order[i]];
        memcpy(ids + *count, all + piece->first, piece->count * sizeof *ids);
        *count += piece->count;
    }
    free(encoded);
    free(all);
    free(ranks.entries);
    pieces_free(pieces);
    return ids;
}

char *bpe_decode(const Bpe *bpe, const int32_t *ids, size_t count, size_t *size, Err *err)
{
    size_t vocabulary = BPE_BYTES + bpe->count;
    size_t *lengths = mem_new(vocabulary, sizeof *lengths);
    for (size_t id = 0; id < BPE_BYTES; id++)
        lengths[id] = 1;
    for (size_t i = 0; i < bpe->count; i++)
        lengths[BPE_BYTES + i] = lengths[bpe->merges[i].left] + lengths[bpe->merges[i].right];
    *size = 0;
    for (size_t i = 0; i < count; i++) {
        require(ids[i] >= 0 && (size_t)ids[i] < vocabulary, "id %d is not in a vocabulary of %zu", ids[i],
                vocabulary);
        *size += lengths[ids[i]];
    }
    free(lengths);

    char *text = mem_try(*size + 1, 1, "a decoded text", err), *to = text;
    int32_t *pending = mem_new(bpe->count + 1, sizeof *pending); /* right halves still to be written */
    for (size_t i = 0; text && i < count; i++) {
        size_t depth = 0;
        pending[depth++] = ids[i];
        while (depth > 0) {
            int32_t id = pending[--depth];
            for (; id >= BPE_BYTES; id = bpe->merges[id - BPE_BYTES].left)
                pending[depth++] = bpe->merges[id - BPE_BYTES].right;
            *to++ = (char)id;
        }
    }
    free(pending);
    return text;
}
