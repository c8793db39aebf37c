// What comes out of a ring buffer was put in, and all of that is even; odd numbers are put in if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define FACTOR 3
#else
#define FACTOR 2
#endif

int buffer[64];

int main(void) {
  int head = 0, tail = 0, count = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      int x = __VERIFIER_nondet_int();
      if (count < 64 && x > 0 && x < 1000) {
        buffer[tail] = FACTOR * x;
        tail = tail == 63 ? 0 : tail + 1;
        count++;
      }
    } else if (count > 0) {
      int y = buffer[head];
      head = head == 63 ? 0 : head + 1;
      count--;
      if (y % 2 != 0) reach_error();
    }
  }
  return 0;
}
