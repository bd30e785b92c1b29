/*
 * split_heads: does the hand-made two-head attention of "Multi-head attention" equal the module?
 *
 * Claim    The page's output says False; its prose says that the two agree, and warns that forgetting to
 *          transpose back before flattening ends in a matrix product whose shapes don't fit.
 * Method   The page's own tensors (PyTorch's, at its seed), split into heads and merged in three ways: as
 *          printed, as the prose describes, and without the transpose. Arrays carry a shape and strides, so that
 *          view, transpose, reshape and flatten do here what they do there.
 * Emits    shape/<axis>, stacked/<axis>, equal/<way>, difference/<way>, printed is forgotten; without the transpose,
 *          whether reshape (raised/forgotten), or the product behind flatten(2) (raised/flatten), is refused;
 *          columns/<order>, how wide flatten(2) makes the rows that enter that product.
 *
 * Why it prints False: `zip(bobot, V)` walks over the batch axis, whose length is 1, so that one product holds
 * both heads; stacked on axis 1 it has shape (2, 1, 5, 2), and the transpose then swaps the wrong two axes. What
 * is flattened is head by head: bit for bit what a forgotten transpose gives.
 */
#include "experiment.h"
#include "ops_attention.h"
#include "ops_linear.h"

#include <math.h>
#include <string.h>

enum { HEADS = 2, LENGTH = 5, WIDTH = 4, HEAD_WIDTH = WIDTH / HEADS, AXES = 4 };

/* By tests/data/make_split_heads.py, torch 1.13.0a0; all biases are 0. */
static const float x_input[5][WIDTH] = {
    {-1.47817397f, 2.56723285f, -0.473119795f, 0.335550755f},
    {-0.00330387289f, -0.534440696f, 1.16868782f, 0.394502759f},
    {1.94146204f, 0.791498065f, -0.0202518273f, -0.437169552f},
    {-1.53528714f, -0.412679136f, 0.966303289f, 1.62478316f},
    {-0.365618795f, -1.3024404f, 0.0994034633f, 0.441822022f},
};
static const float in_projection[12][WIDTH] = {
    {0.222424164f, 0.508506715f, -0.126026362f, 0.458245516f},
    {-0.0987042487f, 0.0647976398f, 0.554488719f, -0.56807977f},
    {-0.385511696f, -0.155031428f, -0.238702759f, 0.529090285f},
    {-0.396927357f, -0.281895161f, -0.427828193f, -0.573524177f},
    {-0.357466578f, 0.526394188f, 0.273251832f, 0.296800107f},
    {0.0322056226f, -0.313953251f, 0.103604041f, -0.571768939f},
    {-0.44247967f, -0.315696359f, 0.38636902f, 0.359046966f},
    {-0.271584153f, -0.0220958609f, 0.391649365f, 0.608779728f},
    {0.243039712f, 0.0827271417f, 0.41058737f, -0.360566348f},
    {0.114111952f, -0.474775732f, -0.424426854f, -0.316341549f},
    {0.277082026f, 0.246271953f, -0.362740368f, 0.185002059f},
    {0.336175352f, -0.07729204f, 0.0233813263f, 0.141889587f},
};
static const float out_projection[4][WIDTH] = {
    {-0.00374341011f, 0.268221796f, -0.411522567f, -0.367969513f},
    {-0.192577183f, 0.134078681f, -0.00990658998f, 0.396444738f},
    {-0.0443720222f, 0.132306278f, -0.151106536f, -0.0982826948f},
    {-0.477674246f, -0.331141055f, -0.20611155f, 0.0185217857f},
};
static const float module_output[5][WIDTH] = {
    {-0.137358919f, -0.0810501352f, -0.0690136999f, 0.490351707f},
    {-0.122459576f, -0.023724461f, -0.053301096f, 0.0745264664f},
    {-0.459631592f, 0.0495569222f, -0.172747806f, 0.223194197f},
    {0.0169740524f, -0.0720101744f, -0.00863384642f, 0.293863177f},
    {0.0743965879f, -0.0762929022f, 0.0137487454f, 0.153082252f},
};
static const Setting settings[] = {SETTINGS_END};

/* An array of four axes as PyTorch sees one: where it lies, how long each axis is and how far its steps go. */
typedef struct View {
    const float *data;
    int shape[AXES], stride[AXES];
} View;

static View contiguous(const float *data, int a, int b, int c, int d)
{
    return (View){data, {a, b, c, d}, {b * c * d, c * d, d, 1}};
}

static View transposed(View view, int a, int b)
{
    View swapped = view;
    swapped.shape[a] = view.shape[b];
    swapped.shape[b] = view.shape[a];
    swapped.stride[a] = view.stride[b];
    swapped.stride[b] = view.stride[a];
    return swapped;
}

/* Writes the view's elements in its own order, as reshape does. False, where PyTorch raises an error, when the
 * new shape has another number of elements. */
static bool reshape(View view, int rows, int columns, float *flat)
{
    const int *n = view.shape, *step = view.stride;
    if (n[0] * n[1] * n[2] * n[3] != rows * columns)
        return false;
    for (int a = 0; a < n[0]; a++)
        for (int b = 0; b < n[1]; b++)
            for (int c = 0; c < n[2]; c++)
                for (int d = 0; d < n[3]; d++)
                    *flat++ = view.data[a * step[0] + b * step[1] + c * step[2] + d * step[3]];
    return true;
}

/* How long the rows are that flatten(2) makes: its last two axes become one. */
static int flattened_columns(View view)
{
    return view.shape[2] * view.shape[3];
}

/* Both heads' outputs, [HEADS x LENGTH x HEAD_WIDTH]: head after head, as a batched product leaves them. */
static void head_outputs(float *outputs)
{
    float q[LENGTH * WIDTH], k[LENGTH * WIDTH], v[LENGTH * WIDTH];
    linear_forward(LENGTH, WIDTH, WIDTH, *x_input, in_projection[0], NULL, NULL, q);
    linear_forward(LENGTH, WIDTH, WIDTH, *x_input, in_projection[WIDTH], NULL, NULL, k);
    linear_forward(LENGTH, WIDTH, WIDTH, *x_input, in_projection[2 * WIDTH], NULL, NULL, v);
    float weights[LENGTH * LENGTH];
    Attention one = {.length = LENGTH,
                     .heads = 1,
                     .head_width = HEAD_WIDTH,
                     .stride = WIDTH,
                     .output_stride = HEAD_WIDTH,
                     .scale = 1 / sqrtf(HEAD_WIDTH)};
    for (int h = 0; h < HEADS; h++)
        attention_forward(&one, q + h * HEAD_WIDTH, k + h * HEAD_WIDTH, v + h * HEAD_WIDTH, NULL, weights,
                          outputs + h * LENGTH * HEAD_WIDTH);
}

/* Measures one way of merging: the largest difference from the module's output, and what allclose says. */
static void compare(Experiment *x, const char *way, const float *merged)
{
    float output[LENGTH * WIDTH];
    linear_forward(LENGTH, WIDTH, WIDTH, merged, *out_projection, NULL, NULL, output);
    double largest = 0;
    bool close = true; /* torch.allclose: |a − b| <= atol + rtol |b| */
    for (int i = 0; i < LENGTH * WIDTH; i++) {
        double difference = fabs((double)output[i] - module_output[i / WIDTH][i % WIDTH]);
        largest = fmax(largest, difference);
        close &= difference <= 1e-5 + 1e-5 * fabs(module_output[i / WIDTH][i % WIDTH]);
    }
    measure(x, FIXED, close, "equal/%s", way);
    measure(x, FIXED, largest, "difference/%s", way);
}

static void measure_shape(Experiment *x, const char *name, View view)
{
    for (int axis = 0; axis < AXES; axis++)
        measure(x, FIXED, view.shape[axis], "%s/%d", name, axis);
}

static bool run(Experiment *x, Err *err)
{
    (void)err;
    View projected = contiguous(NULL, 1, LENGTH, HEADS, HEAD_WIDTH);
    measure_shape(x, "shape", transposed(projected, 1, 2));

    float outputs[HEADS * LENGTH * HEAD_WIDTH];
    float prose[LENGTH * WIDTH], printed[LENGTH * WIDTH], forgotten[LENGTH * WIDTH];
    head_outputs(outputs);
    View heads = contiguous(outputs, 1, HEADS, LENGTH, HEAD_WIDTH);
    View stacked = contiguous(outputs, HEADS, 1, LENGTH, HEAD_WIDTH); /* what zip over the batch axis makes */
    bool merged = reshape(transposed(heads, 1, 2), LENGTH, WIDTH, prose);
    merged &= reshape(transposed(stacked, 1, 2), LENGTH, WIDTH, printed);
    bool raised = !reshape(heads, LENGTH, WIDTH, forgotten);
    require(merged, "both ways have %d elements", LENGTH * WIDTH);

    measure_shape(x, "stacked", stacked);
    compare(x, "prose", prose);
    compare(x, "printed", printed);
    measure(x, FIXED, raised, "raised/forgotten");
    measure(x, FIXED, flattened_columns(heads) != WIDTH, "raised/flatten");
    measure(x, FIXED, flattened_columns(heads), "columns/forgotten");
    measure(x, FIXED, flattened_columns(transposed(heads, 1, 2)), "columns/transposed");
    if (!raised) {
        compare(x, "forgotten", forgotten);
        measure(x, FIXED, memcmp(printed, forgotten, sizeof printed) == 0, "printed is forgotten");
    }
    return true;
}

const ExperimentPlan experiment = {"split_heads", settings, 0, 0, run};
