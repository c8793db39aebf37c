// Single bits of a word are set, tested and cleared.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

enum { READY = 1, BUSY = 4, DONE = 8 };

int main(void) {
    unsigned flags = __VERIFIER_nondet_uint() & 0xf;
    flags |= BUSY;
    flags &= ~DONE;
    if (!(flags & BUSY) || (flags & DONE))
        reach_error();
    if ((flags ^ READY) == flags)
        reach_error();
    return 0;
}
