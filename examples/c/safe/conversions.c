// Conversions truncate and extend; only what may really change a value becomes a case of its own.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int wide = __VERIFIER_nondet_int();
    unsigned char byte = wide;
    signed char small = byte;
    unsigned short sum = byte + 1;
    if (sum == 0 || sum > 256)
        reach_error();
    if (small >= 0 && small != byte)
        reach_error();
    if (small < 0 && small + 256 != byte)
        reach_error();
    return 0;
}
