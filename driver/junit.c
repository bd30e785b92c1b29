#include "report.h"

#include "file.h"
#include "markup.h"
#include "mem.h"

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    markup_put_xml(out, value);
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

/* Whether the verdict says neither that the claim holds nor that it doesn't, or is known not to. */
static bool is_skipped(const Judgement *judgement)
{
    switch (judgement->verdict) {
    case VERDICT_INCONCLUSIVE:
    case VERDICT_NOT_STATED:
    case VERDICT_NOT_COMPARABLE:
    case VERDICT_NOT_RUN:
        return judgement->outcome != OUTCOME_FAILED;
    default:
        return judgement->outcome == OUTCOME_DECLARED;
    }
}

static void put_claim(FILE *out, const Record *record, size_t index)
{
    const Judgement *judgement = &record->judgements.list[index];
    char *reason = mem_text("%s: %s", verdict_word(judgement->verdict), judgement->reason);
    begin_case(out, record, record->entry->claims->list[index].id);
    if (judgement->outcome == OUTCOME_FAILED)
        put_reason(out, "failure", reason);
    else if (is_skipped(judgement))
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
    const char *error = error_of(record);
    size_t claims = record->entry->claims->count, failed = 0, skipped = record->result ? 0 : claims;
    for (size_t i = 0; i < record->judgements.count; i++) {
        failed += record->judgements.list[i].outcome == OUTCOME_FAILED;
        skipped += is_skipped(&record->judgements.list[i]);
    }
    fputs("  <testsuite", out);
    put_attribute(out, "name", record->entry->name);
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"%zu\" time=\"%.3f\">\n",
            claims + (error != NULL), failed, error != NULL, skipped,
            record->result ? record->result->context.seconds : 0);
    if (error) {
        begin_case(out, record, record->entry->name);
        put_reason(out, "error", error);
    }
    for (size_t i = 0; i < record->judgements.count; i++)
        put_claim(out, record, i);
    if (!record->result)
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
