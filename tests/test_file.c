#include "file.h"
#include "mem.h"
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    char *folder = new_folder();
    char *path = mem_text("%s/a/b/data.bin", folder);
    Err err;
    size_t size = 200001; /* more than one buffer */
    char *data = malloc(size);
    for (size_t i = 0; i < size; i++)
        data[i] = (char)(i * 31);
    assert_true(file_write(path, data, size, &err));
    Bytes bytes;
    assert_true(file_read(path, &bytes, &err));
    assert_int_equal(bytes.size, size);
    assert_memory_equal(bytes.data, data, size);
    assert_int_equal(bytes.data[size], 0);
    bytes_free(&bytes);
    free(data);
    free(path);
    remove_folder(folder);
}

static void an_empty_file_is_read_as_no_bytes(void **state)
{
    (void)state;
    char *folder = new_folder();
    char *path = mem_text("%s/empty", folder);
    Err err;
    assert_true(file_write(path, "", 0, &err));
    Bytes bytes;
    assert_true(file_read(path, &bytes, &err));
    assert_int_equal(bytes.size, 0);
    assert_string_equal(bytes.data, "");
    bytes_free(&bytes);
    free(path);
    remove_folder(folder);
}

static void a_missing_file_and_a_folder_are_refused_by_name(void **state)
{
    (void)state;
    Err err;
    Bytes bytes;
    assert_false(file_read("/nowhere/at/all", &bytes, &err));
    assert_says(err.text, "/nowhere/at/all");
    assert_false(file_read("/tmp", &bytes, &err));
    assert_says(err.text, "folder");
    assert_null(bytes.data);
}

static void a_write_that_fails_leaves_the_old_content(void **state)
{
    (void)state;
    char *folder = new_folder();
    char *path = mem_text("%s/kept", folder);
    char *below = mem_text("%s/kept/below", folder);
    Err err;
    assert_true(file_write(path, "old", 3, &err));
    assert_false(file_write(below, "new", 3, &err)); /* a file is where the folder should be */
    assert_says(err.text, path);
    Bytes bytes;
    assert_true(file_read(path, &bytes, &err));
    assert_string_equal(bytes.data, "old");
    bytes_free(&bytes);
    free(below);
    free(path);
    remove_folder(folder);
}

static void a_device_or_a_pipe_is_not_replaced(void **state)
{
    (void)state;
    char *folder = new_folder();
    char *pipe = mem_text("%s/pipe", folder);
    Err err;
    struct stat status;
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_false(file_write(pipe, "x", 1, &err));
    assert_says(err.text, pipe);
    assert_says(err.text, "not an ordinary file");
    assert_int_equal(stat(pipe, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    assert_false(file_write(folder, "x", 1, &err));
    assert_says(err.text, "not an ordinary file");
    free(pipe);
    remove_folder(folder);
}

static void writing_leaves_no_temporary_file_behind(void **state)
{
    (void)state;
    char *folder = new_folder();
    char *path = mem_text("%s/result.json", folder);
    Err err;
    assert_true(file_write(path, "{}", 2, &err));
    assert_true(file_can_write(folder, &err));
    char command[256];
    snprintf(command, sizeof command, "test \"$(ls -A '%s')\" = result.json", folder);
    assert_int_equal(system(command), 0);
    free(path);
    remove_folder(folder);
}

static void a_folder_that_can_not_be_written_is_found_before_computing(void **state)
{
    (void)state;
    Err err;
    assert_false(file_can_write("/dev/null/attest", &err));
    assert_says(err.text, "/dev/null");
}

static void a_folder_is_listed_in_order_of_names(void **state)
{
    (void)state;
    char *folder = new_folder();
    const char *names[] = {"b.json", "a.json", "c.txt", ".hidden.json"};
    Err err;
    for (size_t i = 0; i < COUNT(names); i++) {
        char *path = mem_text("%s/%s", folder, names[i]);
        assert_true(file_write(path, "", 0, &err));
        free(path);
    }
    size_t count;
    char **list = file_list(folder, ".json", &count);
    assert_int_equal(count, 2);
    assert_string_equal(list[0], "a.json");
    assert_string_equal(list[1], "b.json");
    file_list_free(list, count);
    assert_null(file_list("/nowhere", "", &count));
    assert_int_equal(count, 0);
    remove_folder(folder);
}

static void the_program_knows_its_own_folder(void **state)
{
    (void)state;
    char *folder = file_program_folder();
    char *program = mem_text("%s/test_file", folder);
    assert_true(file_exists(program));
    free(program);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(an_empty_file_is_read_as_no_bytes),
        cmocka_unit_test(a_missing_file_and_a_folder_are_refused_by_name),
        cmocka_unit_test(a_write_that_fails_leaves_the_old_content),
        cmocka_unit_test(a_device_or_a_pipe_is_not_replaced),
        cmocka_unit_test(writing_leaves_no_temporary_file_behind),
        cmocka_unit_test(a_folder_that_can_not_be_written_is_found_before_computing),
        cmocka_unit_test(a_folder_is_listed_in_order_of_names),
        cmocka_unit_test(the_program_knows_its_own_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
