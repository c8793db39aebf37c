// Nobody has given these a value.
extern void reach_error(void);

struct pair { int first, second; };

int main(void) {
  int x, flags[3];
  struct pair p;
  if (x > 7 && flags[1] == 3 && p.second == x + 1) reach_error();
  return 0;
}
