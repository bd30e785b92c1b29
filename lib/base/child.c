#include "child.h"

#include "err.h"
#include "machine.h"
#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LAST_LINES = 10, LONGEST_LINE = 2048 };

static const double second_stop_after = 0.5; /* seconds; some senders signal process and group at once */

/* Without the signals nothing tells that the child has ended, so one has to look. Milliseconds. */
static const int look_again = 20, for_long = 1000000;

/* Where the signals taken over are read, and whether a stop was among them. */
static int signals = -1;
static sigset_t mask_before;
static bool stop_asked;
static double stop_time;

typedef struct Running {
    pid_t process; /* also its process group */
    const ChildWatch *watch;
    int heard; /* the reading end of what is heard of it; -1 once closed */
    double started, deadline;
    bool ended;
    ChildEnd end;
    char line[LONGEST_LINE + 1];
    size_t length;
    char *last[LAST_LINES]; /* a ring */
    size_t lines;
} Running;

/* They are blocked, and read from a descriptor instead. */
void child_take_stops(void)
{
    static const int wanted[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCHLD};
    if (signals >= 0)
        return;
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < COUNT(wanted); i++) {
        struct sigaction action;
        sigaction(wanted[i], NULL, &action);
        if (action.sa_handler != SIG_IGN || wanted[i] == SIGCHLD)
            sigaddset(&set, wanted[i]);
    }
    sigprocmask(SIG_BLOCK, &set, &mask_before);
    signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    require(signals >= 0, "no descriptor for signals: %s", strerror(errno));
}

static void signal_group(const Running *running, int number)
{
    if (running && !running->ended)
        kill(-running->process, number);
}

static void pause_both(Running *running)
{
    double since = machine_seconds();
    signal_group(running, SIGSTOP);
    raise(SIGSTOP); /* until someone continues us */
    signal_group(running, SIGCONT);
    double stopped = machine_seconds() - since;
    if (running) {
        running->started += stopped;
        running->deadline += stopped;
    }
}

static void stop(const Running *running)
{
    double now = machine_seconds();
    bool again = stop_asked && now - stop_time > second_stop_after;
    if (!stop_asked) {
        stop_asked = true;
        stop_time = now;
        if (running && !running->watch->sheltered)
            signal_group(running, SIGINT);
    } else if (again) {
        signal_group(running, SIGKILL);
    }
}

static void read_signals(Running *running)
{
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == (ssize_t)sizeof info)
        if (info.ssi_signo == SIGTSTP)
            pause_both(running);
        else if (info.ssi_signo != SIGCHLD)
            stop(running);
}

bool child_stop_asked(void)
{
    require(signals >= 0, "child_take_stops has not been called");
    read_signals(NULL);
    return stop_asked;
}

/* In the child: never returns. */
static _Noreturn void become(char *const *arguments, const ChildWatch *watch, int heard, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody is left to read the result */
    if (getppid() != parent)
        _exit(CHILD_NOT_STARTED);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(watch->output ? heard : nothing, STDOUT_FILENO);
    dup2(watch->errors ? heard : nothing, STDERR_FILENO);
    if (signals >= 0)
        sigprocmask(SIG_SETMASK, &mask_before, NULL);
    execvp(arguments[0], arguments);
    dprintf(heard, "cannot start %s: %s\n", arguments[0], strerror(errno));
    _exit(CHILD_NOT_STARTED);
}

static bool start(Running *running, char *const *arguments)
{
    int ends[2];
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    signal(SIGCHLD, SIG_DFL); /* an inherited SIG_IGN would make children vanish without a status */
    running->process = fork();
    if (running->process == 0)
        become(arguments, running->watch, ends[1], parent);
    int reason = errno;
    close(ends[1]);
    if (running->process < 0) {
        close(ends[0]);
        errno = reason;
        return false;
    }
    setpgid(running->process, running->process); /* here too: a signal may come before the child did it */
    running->heard = ends[0];
    return true;
}

static void finish_line(Running *running)
{
    running->line[running->length] = '\0';
    if (running->length > 0) {
        char **place = &running->last[running->lines++ % LAST_LINES];
        free(*place);
        *place = mem_text("%s", running->line);
        if (running->watch->line)
            running->watch->line(running->watch->context, running->line);
    }
    running->length = 0;
}

/* Takes what is there, once: one that never stops writing has a limit too. A line ends with a newline or a carriage
 * return. */
static void read_lines(Running *running)
{
    char bytes[1 << 16]; /* as much as a pipe holds */
    ssize_t count = read(running->heard, bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; i++) {
        bool ends = bytes[i] == '\n' || bytes[i] == '\r';
        if (ends || running->length == LONGEST_LINE)
            finish_line(running);
        if (!ends)
            running->line[running->length++] = bytes[i];
    }
    if (count == 0) { /* closed, but the child may still live */
        close(running->heard);
        running->heard = -1;
    }
}

static void reap(Running *running)
{
    int status;
    if (waitpid(running->process, &status, WNOHANG) != running->process)
        return;
    running->ended = true;
    running->end.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    running->end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void watch_until_end(Running *running)
{
    while (!running->ended) {
        double left = running->deadline - machine_seconds();
        if (left <= 0 && !running->end.timed_out) {
            running->end.timed_out = true;
            signal_group(running, SIGKILL);
        }
        /* A descriptor of -1 is left out by poll. */
        struct pollfd ready[2] = {{.fd = signals, .events = POLLIN},
                                  {.fd = running->heard, .events = POLLIN}};
        int wait = left <= 0 ? 1000 : left < 1000 ? (int)(1000 * left) + 1 : for_long;
        poll(ready, COUNT(ready), signals < 0 && wait > look_again ? look_again : wait);
        if (signals >= 0)
            read_signals(running);
        if (running->heard >= 0)
            read_lines(running);
        reap(running);
    }
    if (running->heard >= 0) {
        read_lines(running); /* what it wrote last */
        if (running->heard >= 0)
            close(running->heard);
    }
    finish_line(running);
}

static char *join_last_lines(Running *running)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require(out, "out of memory for the last lines of a program");
    size_t first = running->lines > LAST_LINES ? running->lines - LAST_LINES : 0;
    for (size_t i = first; i < running->lines; i++)
        fprintf(out, "%s\n", running->last[i % LAST_LINES]);
    fclose(out);
    for (size_t i = 0; i < LAST_LINES; i++)
        free(running->last[i]);
    return text;
}

ChildEnd child_run(char *const *arguments, const ChildWatch *watch)
{
    Running running = {.watch = watch, .started = machine_seconds(), .heard = -1};
    running.deadline = running.started + watch->limit;
    if (!start(&running, arguments))
        return (ChildEnd){.code = CHILD_NOT_STARTED,
                          .last_lines = mem_text("cannot start %s: %s\n", arguments[0], strerror(errno))};
    watch_until_end(&running);
    running.end.seconds = machine_seconds() - running.started;
    running.end.last_lines = join_last_lines(&running);
    return running.end;
}
