/* Leading zeros by halving. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int rest = x, zeros = 0;
    if (x == 0)
        return 0;
    if (!(rest & 0xffff0000u)) { zeros += 16; rest <<= 16; }
    if (!(rest & 0xff000000u)) { zeros += 8; rest <<= 8; }
    if (!(rest & 0xf0000000u)) { zeros += 4; rest <<= 4; }
    if (!(rest & 0xc0000000u)) { zeros += 2; rest <<= 2; }
    if (!(rest & 0x80000000u)) zeros += 1;
    if (!((x << zeros) & 0x80000000u))
        reach_error();
    return 0;
}
