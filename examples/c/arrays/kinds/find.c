// What is found is there, and what is not found is nowhere; the first element is not looked at if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define START 1
#else
#define START 0
#endif

int a[1000];

int find(int n, int key) {
  for (int i = START; i < n; i++)
    if (a[i] == key) return i;
  return -1;
}

int main(void) {
  int n = __VERIFIER_nondet_int(), key = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int place = find(n, key);
  if (place >= 0 && a[place] != key) reach_error();
  if (place < 0)
    for (int i = 0; i < n; i++)
      if (a[i] == key) reach_error();
  return 0;
}
