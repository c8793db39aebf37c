// An array is filled with a number that a loop has counted; with one more in a place if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 300000

int cells[SIZE];

int main(void) {
  int count = 0;
  while (__VERIFIER_nondet_int() && count < 2000000000) count++;
  for (int i = 0; i < SIZE; i++) cells[i] = count;
#ifdef WRONG
  cells[count % 4]++;
#endif
  for (int i = 0; i < SIZE; i++)
    if (cells[i] != count) reach_error();
  return 0;
}
