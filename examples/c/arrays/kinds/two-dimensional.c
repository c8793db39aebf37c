// Every element of a matrix is written, row by row; the last column is forgotten if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define END m - 1
#else
#define END m
#endif

int a[50][20];

int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n < 1 || n > 50 || m < 1 || m > 20) return 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < END; j++) a[i][j] = 7;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i][j] != 7) reach_error();
  return 0;
}
