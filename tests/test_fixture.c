#include "file.h"
#include "fixture.h"
#include "mem.h"
#include "test.h"

static void what_is_written_is_read_and_gone_with_its_folder(void **state)
{
    (void)state;
    Err err;
    const float values[] = {1.5f, -2, 0};
    char *folder = fixture_folder_new(&err);
    assert_non_null(folder);
    assert_true(fixture_write(folder, "some.f32", values, 3, &err));
    float *again = fixture_read(folder, "some.f32", 3, &err);
    assert_non_null(again);
    assert_memory_equal(again, values, sizeof values);
    free(again);
    char *path = mem_text("%s/some.f32", folder);
    assert_true(file_exists(path));
    fixture_folder_free(folder);
    assert_false(file_exists(path));
    free(path);
    fixture_folder_free(NULL);
}

static void a_file_of_another_length_is_refused(void **state)
{
    (void)state;
    Err err;
    assert_null(fixture_read(TEST_DATA, "mha.project_bias.f32", 31, &err));
    assert_says(err.text, "mha.project_bias.f32 holds 128 bytes instead of 124");
    assert_null(fixture_read(TEST_DATA, "no such.f32", 1, &err));
    assert_says(err.text, "no such.f32");
}

static void tensors_lie_where_the_layout_has_them(void **state)
{
    (void)state;
    Err err;
    ModelConfig config = config_block();
    config.vocabulary = 3;
    config.context = 2;
    config.width = 4;
    config.heads = 1;
    config.head_width = 4;
    Layout *layout = layout_new(&config);
    float *packed = mem_new(layout->parameters, sizeof *packed);
    for (size_t i = 0; i < layout->parameters; i++)
        packed[i] = (float)(i + 1);
    char *folder = fixture_folder_new(&err);
    assert_non_null(folder);
    assert_true(fixture_write(folder, "model.f32", packed, layout->parameters, &err));
    float *tensors = fixture_tensors(layout, folder, "model.f32", &err);
    assert_non_null(tensors);
    size_t next = 0, gaps = layout->floats;
    for (size_t i = 0; i < layout->count; i++)
        for (size_t j = 0; j < tensor_size(&layout->list[i]); j++, gaps--)
            assert_near(tensors[layout->list[i].offset + j], packed[next++], 0);
    assert_true(gaps > 0);
    for (size_t i = 0; i < layout->floats; i++)
        gaps -= tensors[i] == 0;
    assert_int_equal(gaps, 0);
    fixture_folder_free(folder);
    free(tensors);
    free(packed);
    layout_free(layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_and_gone_with_its_folder),
        cmocka_unit_test(a_file_of_another_length_is_refused),
        cmocka_unit_test(tensors_lie_where_the_layout_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
