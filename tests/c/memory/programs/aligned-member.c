extern void reach_error(void);
typedef int wide __attribute__((aligned(16)));
struct a { char c; wide w; };
struct b { _Alignas(16) char c; };
struct c { char c; int i __attribute__((packed)); };
struct d { char c; short s __attribute__((aligned(8))); } __attribute__((packed));
int main(void) {
  if (sizeof(struct a) == 32 && sizeof(struct b) == 16 && sizeof(struct c) == 5 && sizeof(struct d) == 16) reach_error();
  return 0;
}
