#include "arms.h"
#include "reference_model.h"

/* The sum over the batch, taken in two shards, and its gradient times WEIGHT. */
static const float WEIGHT = 0.25f;

static double batch_gradient(const Model *model, float *gradient)
{
    Activations *a = new_activations(model, SEQUENCES - 1, LENGTH);
    memset(gradient, 0, model->layout->floats * sizeof *gradient);
    double sum = model_gradient(model, a, tokens, targets, SEQUENCES - 1, WEIGHT, gradient);
    size_t last = (SEQUENCES - 1) * LENGTH;
    sum += model_gradient(model, a, tokens + last, targets + last, 1, WEIGHT, gradient);
    activations_free(a);
    return sum;
}

/* A direction within one tensor, of length 1, the exact derivative along it and how far rounding
 * takes a float gradient's. */
typedef struct Check {
    const Tensor *tensor;
    double *direction; /* [tensor_size] */
    double derivative, noise;
} Check;

typedef struct Problem {
    Model *model;
    float *gradient, *nudged[NUDGES];
    double *parameters, loss;
    Check *checks;
    size_t count;
} Problem;

static double project(const Check *check, const float *gradient)
{
    double sum = 0;
    for (size_t i = 0; i < tensor_size(check->tensor); i++)
        sum += check->direction[i] * gradient[check->tensor->offset + i];
    return sum;
}

/* The exact loss, times WEIGHT, `step` along the direction. */
static double loss_along(const Problem *p, const Check *check, double step)
{
    const Model *m = p->model;
    double *at = p->parameters + check->tensor->offset, sum = 0;
    size_t n = tensor_size(check->tensor);
    double *saved = mem_new(n, sizeof *saved);
    memcpy(saved, at, n * sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[i] += step * check->direction[i];
    for (int s = 0; s < SEQUENCES; s++)
        sum += reference_loss(&m->config, m->layout, p->parameters, tokens + s * LENGTH, targets + s * LENGTH,
                              LENGTH, NULL, NULL);
    memcpy(at, saved, n * sizeof *at);
    free(saved);
    return WEIGHT * sum;
}

/* By differences at h and 2h, whose errors in h² cancel. What is left is of order h⁴ and, from the
 * rounding of the loss, loss · 2^-53 / h, both near 1e-10. */
static double slope_along(const Problem *p, const Check *check)
{
    double h = 1e-3, slope[2];
    for (int i = 0; i < 2; i++, h *= 2)
        slope[i] = (loss_along(p, check, h) - loss_along(p, check, -h)) / (2 * h);
    return (4 * slope[0] - slope[1]) / 3;
}

static void add_check(Problem *p, const Tensor *tensor, double *direction)
{
    double square = 0;
    for (size_t i = 0; i < tensor_size(tensor); i++)
        square += direction[i] * direction[i];
    assert_true(square > 0);
    for (size_t i = 0; i < tensor_size(tensor); i++)
        direction[i] /= sqrt(square);
    Check *check = mem_grow(&p->checks, &p->count, sizeof *check);
    *check = (Check){tensor, direction, 0, 1e-8};
    check->derivative = slope_along(p, check);
    double own = project(check, p->gradient);
    for (int k = 0; k < NUDGES; k++)
        check->noise = fmax(check->noise, SAFETY * fabs(project(check, p->nudged[k]) - own));
}

/* Along its own gradient an error of scale shows best; along a random direction, one in any element. */
static Problem problem_new(const Arm *arm)
{
    Problem p = {.model = arm_model(arm)};
    const Layout *layout = p.model->layout;
    p.parameters = doubles(layout->floats, p.model->parameters);
    p.gradient = mem_new(layout->floats, sizeof *p.gradient);
    p.loss = batch_gradient(p.model, p.gradient);
    for (int k = 0; k < NUDGES; k++) {
        Model *model = nudged(arm, k);
        p.nudged[k] = mem_new(layout->floats, sizeof *p.gradient);
        batch_gradient(model, p.nudged[k]);
        model_free(model);
    }
    for (size_t i = 0; i < layout->count; i++) {
        const Tensor *t = &layout->list[i];
        float *random = uniform_floats(tensor_size(t), "direction", 1);
        add_check(&p, t, doubles(tensor_size(t), p.gradient + t->offset));
        add_check(&p, t, doubles(tensor_size(t), random));
        free(random);
    }
    return p;
}

static void problem_free(Problem *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->checks[i].direction);
    for (int k = 0; k < NUDGES; k++)
        free(p->nudged[k]);
    free(p->checks);
    free(p->gradient);
    free(p->parameters);
    model_free(p->model);
}

/* The first check that a gradient fails; NULL when it passes all. */
static const Check *disagreement(const Problem *p, const float *gradient)
{
    for (size_t i = 0; i < p->count; i++)
        if (!(fabs(project(&p->checks[i], gradient) - p->checks[i].derivative) <= p->checks[i].noise))
            return &p->checks[i];
    return NULL;
}

static Problem problems[COUNT(arms)]; /* costly, and used twice */

static int set_up_problems(void **state)
{
    set_up(state);
    for (size_t i = 0; i < COUNT(arms); i++)
        problems[i] = problem_new(&arms[i]);
    return 0;
}

static int free_problems(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(arms); i++)
        problem_free(&problems[i]);
    return 0;
}

static void every_gradient_of_every_arm_is_the_exact_derivative(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(arms); i++) {
        const Problem *p = &problems[i];
        const Check *failed = disagreement(p, p->gradient);
        if (failed)
            fail_msg("%s: %s has derivative %.9g, exactly %.9g, noise %.2g", arms[i].name,
                     failed->tensor->name, project(failed, p->gradient), failed->derivative, failed->noise);
    }
}

/* What the test above is worth. */
static void an_error_of_one_percent_in_any_tensor_is_noticed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(arms); i++) {
        const Problem *p = &problems[i];
        size_t floats = p->model->layout->floats;
        float *wrong = mem_new(floats, sizeof *wrong);
        for (size_t t = 0; t < p->model->layout->count; t++) {
            const Tensor *tensor = &p->model->layout->list[t];
            memcpy(wrong, p->gradient, floats * sizeof *wrong);
            for (size_t j = 0; j < tensor_size(tensor); j++)
                wrong[tensor->offset + j] *= 1.01f;
            const Check *failed = disagreement(p, wrong);
            if (!failed || failed->tensor != tensor)
                fail_msg("%s: nobody noticed that %s is off", arms[i].name, tensor->name);
        }
        free(wrong);
    }
}

static void gaps_between_tensors_get_no_gradient(void **state)
{
    (void)state;
    Model *model = arm_model(&arms[COUNT(arms) - 1]);
    float *gradient = mem_new(model->layout->floats, sizeof *gradient);
    batch_gradient(model, gradient);
    for (size_t i = 0; i < model->layout->count; i++) {
        const Tensor *t = &model->layout->list[i];
        memset(gradient + t->offset, 0, tensor_size(t) * sizeof *gradient);
    }
    for (size_t i = 0; i < model->layout->floats; i++)
        assert_true(gradient[i] == 0);
    free(gradient);
    model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_gradient_of_every_arm_is_the_exact_derivative),
        cmocka_unit_test(an_error_of_one_percent_in_any_tensor_is_noticed),
        cmocka_unit_test(gaps_between_tensors_get_no_gradient),
    };
    return cmocka_run_group_tests(tests, set_up_problems, free_problems);
}
