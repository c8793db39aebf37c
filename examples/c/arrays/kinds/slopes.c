// Every element is larger than its own index, by something that is read; it may be no larger if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define LEAST 0
#else
#define LEAST 1
#endif

int main(void) {
  int size = __VERIFIER_nondet_int(), base = __VERIFIER_nondet_int();
  if (size < 1 || size > 20000 || base < LEAST || base > 500) return 0;
  int heights[size];
  for (int i = 0; i < size; i++) {
    int more = __VERIFIER_nondet_int();
    if (more < 0 || more > 100) return 0;
    heights[i] = base + i + more;
  }
  for (int i = 0; i < size; i++)
    if (heights[i] <= i) reach_error();
  return 0;
}
