extern void reach_error(void);
int x __attribute__((aligned(32)));
struct s { char c; int i __attribute__((aligned(8))); };
int main(void) {
  struct s s;
  if (__alignof__(x) == 32 && _Alignof(int) == 4 && __alignof__(s.i) == 8 && __alignof__(s.c) == 1) reach_error();
  return 0;
}
