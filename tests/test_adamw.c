#include "adamw.h"
#include "lanes.h"
#include "rng.h"
#include "test.h"

#include <float.h>
#include <math.h>

enum { N = 203 }; /* no multiple of a vector */

typedef struct State {
    float gradients[LANES * N], first[N], second[N], parameters[N];
} State;

static void fill(State *s, const char *name)
{
    Rng rng = rng_stream(1, name);
    memset(s, 0, sizeof *s);
    rng_fill_normal(&rng, s->parameters, N);
}

static void draw_gradients(State *s, Rng *rng)
{
    rng_fill_normal(rng, s->gradients, LANES * N);
}

/* Ten steps against the equations in double. The tree of lanes rounds four times partial sums of at most
 * about 12, so g, and m as a mean of such, is off by at most 4 · 12 · eps/2 and its own few roundings: below
 * 32 eps. A step is rate · m / sqrt(v / …), the root being near the gradients' deviation, sqrt(LANES): it is
 * off by less than 32 eps · rate, and θ besides by 2 roundings of its own, ten times. */
static void ten_steps_are_those_of_the_equations(void **state)
{
    (void)state;
    const AdamW adamw = adamw_default();
    const double rate = 1e-3;
    State s;
    Rng rng = rng_stream(2, "gradients");
    double m[N] = {0}, v[N] = {0}, theta[N];
    fill(&s, "start");
    for (int i = 0; i < N; i++)
        theta[i] = s.parameters[i];
    for (int step = 1; step <= 10; step++) {
        draw_gradients(&s, &rng);
        for (int i = 0; i < N; i++) {
            double g = 0;
            for (int lane = 0; lane < LANES; lane++)
                g += s.gradients[lane * N + i];
            m[i] = 0.9 * m[i] + 0.1 * g;
            v[i] = 0.999 * v[i] + 0.001 * g * g;
            theta[i] *= 1 - rate * 0.01;
            theta[i] -= rate / (1 - pow(0.9, step)) * m[i] / (sqrt(v[i] / (1 - pow(0.999, step))) + 1e-8);
        }
        adamw_update(&adamw, rate, step, 0, N, N, s.gradients, s.first, s.second, s.parameters);
    }
    for (int i = 0; i < N; i++) {
        assert_true(fabs(s.first[i] - m[i]) < 32 * FLT_EPSILON);
        assert_true(fabs(s.parameters[i] - theta[i]) < 10 * FLT_EPSILON * (fabs(theta[i]) + 32 * rate));
    }
}

static void the_first_step_is_the_rate_in_the_gradients_direction(void **state)
{
    (void)state;
    const AdamW adamw = {.beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .decay = 0};
    State s = {0};
    s.gradients[0] = 1e-3f;
    s.gradients[1 * N + 1] = -50;
    adamw_update(&adamw, 1e-3, 1, 0, N, N, s.gradients, s.first, s.second, s.parameters);
    assert_true(fabs(s.parameters[0] + 1e-3) < 2e-5 * 1e-3); /* epsilon is 1e-5 of this gradient */
    assert_true(fabs(s.parameters[1] - 1e-3) < 8 * FLT_EPSILON * 1e-3);
    assert_true(s.parameters[2] == 0);
}

/* What the published runs do to the rows of a position table that no window reaches. */
static void without_a_gradient_decay_alone_shrinks_a_parameter(void **state)
{
    (void)state;
    const AdamW adamw = adamw_default();
    State s = {0};
    s.parameters[0] = 1;
    for (int step = 1; step <= 3000; step++)
        adamw_update(&adamw, 1e-3, step, 0, N, N, s.gradients, s.first, s.second, s.parameters);
    /* 1 − 1e-5 itself, and each product, is rounded by up to eps/2. */
    assert_true(fabs(s.parameters[0] - pow(1 - 1e-5, 3000)) < 3000 * FLT_EPSILON);
    assert_true(s.parameters[1] == 0);
}

static void the_lanes_are_summed_and_left_zeroed(void **state)
{
    (void)state;
    const AdamW adamw = adamw_default();
    State spread = {0}, one = {0};
    for (int lane = 0; lane < LANES; lane++)
        spread.gradients[lane * N + 5] = (float)(1 << lane); /* sums to 255 exactly */
    assert_true(lanes_sum(spread.gradients, N, 5) == (1 << LANES) - 1);
    one.gradients[5] = (1 << LANES) - 1;
    adamw_update(&adamw, 1e-3, 1, 0, N, N, spread.gradients, spread.first, spread.second, spread.parameters);
    adamw_update(&adamw, 1e-3, 1, 0, N, N, one.gradients, one.first, one.second, one.parameters);
    assert_memory_equal(&spread, &one, sizeof one);
    for (int i = 0; i < LANES * N; i++)
        assert_true(spread.gradients[i] == 0);
}

static void a_pass_cut_anywhere_gives_the_same_bits(void **state)
{
    (void)state;
    const AdamW adamw = adamw_default();
    for (size_t cut = 1; cut < N; cut += 7) {
        State whole, halves;
        Rng rng = rng_stream(3, "gradients");
        fill(&whole, "start");
        draw_gradients(&whole, &rng);
        halves = whole;
        adamw_update(&adamw, 1e-3, 1, 0, N, N, whole.gradients, whole.first, whole.second, whole.parameters);
        adamw_update(&adamw, 1e-3, 1, cut, N, N, halves.gradients, halves.first, halves.second,
                     halves.parameters);
        adamw_update(&adamw, 1e-3, 1, 0, cut, N, halves.gradients, halves.first, halves.second,
                     halves.parameters);
        assert_memory_equal(&whole, &halves, sizeof whole);
    }
}

static void nothing_hides_a_gradient_that_is_not_finite(void **state)
{
    (void)state;
    const AdamW adamw = adamw_default();
    State s = {0};
    s.gradients[3] = NAN;
    adamw_update(&adamw, 1e-3, 1, 0, N, N, s.gradients, s.first, s.second, s.parameters);
    assert_true(isnan(s.parameters[3]));
    assert_true(s.parameters[4] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_steps_are_those_of_the_equations),
        cmocka_unit_test(the_first_step_is_the_rate_in_the_gradients_direction),
        cmocka_unit_test(without_a_gradient_decay_alone_shrinks_a_parameter),
        cmocka_unit_test(the_lanes_are_summed_and_left_zeroed),
        cmocka_unit_test(a_pass_cut_anywhere_gives_the_same_bits),
        cmocka_unit_test(nothing_hides_a_gradient_that_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
