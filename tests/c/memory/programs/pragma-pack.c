extern void reach_error(void);
#pragma pack(push, 2)
struct a { char c; long l; };
#pragma pack(pop)
struct b { char c; long l; };
#pragma pack(1)
struct c { char c; int x : 20; int y : 20; };
#pragma pack()
int main(void) {
  if (sizeof(struct a) == 10 && sizeof(struct b) == 16 && sizeof(struct c) == 6) reach_error();
  return 0;
}
