/*
 * test: what every unit test includes, in the order cmocka wants it.
 */
#ifndef TEST_H
#define TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sentence says what went wrong and where: each of its parts must be in it. */
static inline void assert_says(const char *sentence, const char *part)
{
    if (!sentence || !strstr(sentence, part))
        fail_msg("expected \"%s\" in: %s", part, sentence ? sentence : "nothing");
}

/* |a - b| <= tolerance; a tolerance of 0 asks for equality, and NaN is near nothing. */
static inline void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("expected %.17g, to %g, and found %.17g", b, tolerance, a);
}

/* A new folder under the system's temporary one; freed by the caller, removed with what is in it by
 * remove_folder. */
static inline char *new_folder(void)
{
    char *folder = strdup("/tmp/attest-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

static inline void remove_folder(char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    free(folder);
}

#endif
