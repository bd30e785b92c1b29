#include "report.h"

#include "file.h"
#include "mem.h"
#include "text.h"
#include "wording.h"

#include <string.h>

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    text_put_xml(out, value);
    fputc('"', out);
}

static void begin_case(FILE *out, const Record *record, const char *id)
{
    fputs("    <testcase", out);
    put_attribute(out, "classname", record->entry->name);
    put_attribute(out, "name", id);
}

/* A child element that carries its reason. */
static void put_reason(FILE *out, const char *element, const char *reason)
{
    fprintf(out, ">\n      <%s", element);
    put_attribute(out, "message", reason);
    fputs("/>\n    </testcase>\n", out);
}

/* Whether the verdict says neither that the claim holds nor that it doesn't. */
static bool says_nothing(const char *verdict)
{
    static const Verdict silent[] = {VERDICT_INCONCLUSIVE, VERDICT_NOT_STATED, VERDICT_NOT_COMPARABLE,
                                     VERDICT_NOT_RUN};
    for (size_t i = 0; i < COUNT(silent); i++)
        if (strcmp(verdict, verdict_word(silent[i])) == 0)
            return true;
    return false;
}

static bool is_skipped(const Json *claim)
{
    return claim_mark(claim) == MARK_DECLARED ||
           (claim_mark(claim) == MARK_FINE && says_nothing(field_text(claim, "verdict")));
}

static void put_claim(FILE *out, const Record *record, const Json *claim)
{
    char *reason = mem_text("%s: %s", field_text(claim, "verdict"), field_text(claim, "reason"));
    begin_case(out, record, field_text(claim, "id"));
    if (claim_mark(claim) == MARK_FAILED)
        put_reason(out, "failure", reason);
    else if (is_skipped(claim))
        put_reason(out, "skipped", reason);
    else
        fputs("/>\n", out);
    free(reason);
}

/* Why the experiment was not measured when it was last tried; NULL when it was, or was not tried. */
static const char *error_of(const Record *record)
{
    return record->trouble ? record->trouble : record->unread;
}

/* The claims of an experiment without a result. */
static void put_absent(FILE *out, const Record *record)
{
    const Claims *claims = record->entry->claims;
    for (size_t i = 0; i < claims->count; i++) {
        begin_case(out, record, claims->list[i].id);
        put_reason(out, "skipped", "no result");
    }
}

/* A run that went wrong is a case of its own beside those of the claims. */
static void put_suite(FILE *out, const Record *record)
{
    const Json *claims = record->result ? json_get(record->result, "claims") : NULL;
    const char *error = error_of(record);
    Tally tally = {0};
    tally_add(&tally, record->result);
    size_t cases = claims ? tally.claims : record->entry->claims->count, skipped = claims ? 0 : cases;
    for (const Json *claim = claims ? json_first(claims) : NULL; claim; claim = json_next(claim))
        skipped += is_skipped(claim);
    fputs("  <testsuite", out);
    put_attribute(out, "name", record->entry->name);
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"%zu\" time=\"%.3f\">\n",
            cases + (error != NULL), tally.failed, error != NULL, skipped,
            record->result ? result_seconds(record->result) : 0);
    if (error) {
        begin_case(out, record, record->entry->name);
        put_reason(out, "error", error);
    }
    for (const Json *claim = claims ? json_first(claims) : NULL; claim; claim = json_next(claim))
        put_claim(out, record, claim);
    if (!claims)
        put_absent(out, record);
    fputs("  </testsuite>\n", out);
}

bool junit_write(const Results *results, Err *err)
{
    char *text, *path = mem_text("%s/junit.xml", results->folder);
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require(out, "out of memory for %s", path);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"attest\">\n", out);
    for (size_t i = 0; i < results->count; i++)
        put_suite(out, &results->list[i]);
    fputs("</testsuites>\n", out);
    fclose(out);
    bool good = file_write(path, text, size, err);
    free(text);
    free(path);
    return good;
}
