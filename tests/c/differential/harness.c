/* Runs compiled programs with inputs made from a seed: one process for each run, whose output ends with a line that says how
   it ended. The table of programs, `program_count` and `programs`, is written behind this text. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef RUN_SECONDS
#define RUN_SECONDS 5
#endif

static unsigned long long input_seed;
static unsigned long long times_read[4096];

static unsigned long long all_read;

void end_with(const char *how) {
    printf("\n= %s %llu\n", how, all_read);
    fflush(stdout);
    _exit(0);
}

static void ended_by_exit(void) { end_with("ended"); }

static void ended_by_signal(int signal) {
    end_with(signal == SIGABRT ? "ended" : signal == SIGALRM ? "timeout" : "undefined");
}

#ifndef OWN_CONVENTIONS
void reach_error(void) { end_with("error"); }

void __VERIFIER_assume(int condition) {
    if (!condition)
        end_with("ended");
}

#endif

/* The same as `input_value` in inputs.rs. */
long long input_value(int line) {
    static const long long edges[] = {2147483647LL, -2147483648LL, 4294967295LL, 65535, -32768, 9223372036854775807LL,
                                      -9223372036854775807LL - 1, 255};
    unsigned long long mixed = (input_seed * 1000003 + (unsigned long long) line) * 1000003 + times_read[line % 4096]++;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    mixed ^= mixed >> 31;
    unsigned long long rest = mixed >> 8;
    all_read++;
    switch (mixed % 8) {
    case 0:
        return edges[rest % 8];
    case 1:
        return (long long) (rest % 2001) - 1000;
    case 2:
        return (long long) (rest % 256);
    default:
        return (long long) (rest % 20) - 4;
    }
}

extern const int program_count;
extern int (*const programs[])(void);

/* Arguments: the seeds of the inputs of each run of every program. */
int main(int count, char **seeds) {
    /* Old programs are compiled as C89, and this with them: no declarations inside `for`. */
    int program, run;
    for (program = 0; program < program_count; program++) {
        for (run = 1; run < count; run++) {
            printf("# %d %s\n", program, seeds[run]);
            fflush(stdout);
            pid_t child = fork();
            if (child == 0) {
                input_seed = strtoull(seeds[run], NULL, 10);
                signal(SIGABRT, ended_by_signal);
                signal(SIGALRM, ended_by_signal);
                signal(SIGILL, ended_by_signal);
                signal(SIGFPE, ended_by_signal);
                signal(SIGSEGV, ended_by_signal);
                atexit(ended_by_exit);
                alarm(RUN_SECONDS);
                programs[program]();
                end_with("ended");
            }
            int status;
            waitpid(child, &status, 0);
            /* The status by which the checks of addresses end a run. */
            if (WIFEXITED(status) && WEXITSTATUS(status) == 99) {
                printf("\n= undefined 0\n");
                fflush(stdout);
            }
            /* Killed without a word: its stack was too small for it, which says nothing of the program. */
            if (WIFSIGNALED(status)) {
                printf("\n= timeout 0\n");
                fflush(stdout);
            }
        }
    }
    return 0;
}
