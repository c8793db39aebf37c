// Jumps and loops around calls.
extern void reach_error(void);
static int f(int n) {
  int i = 0, sum = 0;
again:
  if (n > i) { sum += f(i) + 1; i++; goto again; }
  return sum;
}
int main(void) { if (f(3) == 7) reach_error(); return 0; }
