#include "command.h"

#include "mem.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

int command_run(int seconds, const char *command, void (*line)(void *context, const char *text),
                void *context)
{
    char *bounded = mem_text("timeout -k 5 %d %s", seconds, command);
    FILE *pipe = popen(bounded, "re");
    free(bounded);
    if (!pipe)
        return COMMAND_NOT_STARTED;
    char *text = NULL;
    size_t size = 0;
    while (getline(&text, &size, pipe) >= 0) {
        text[strcspn(text, "\n")] = '\0';
        if (line)
            line(context, text);
    }
    free(text);
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
