// `volatile` in a `typedef`, behind a pointer and in a struct.
extern void reach_error(void);
typedef int *volatile slot;
struct s { slot p; int *volatile *q; };
int a, b;
int main(void) {
  struct s s;
  int *volatile inner = &b;
  s.p = &a;
  s.q = &inner;
  int *d = s.p, *e = *s.q;
  *d = 5;
  *e = 6;
  if (a == 5 && b == 6) reach_error();
  return 0;
}
