// A struct with an array is handed over by value.
extern void reach_error(void);
struct s { int a[2]; int n; };
static struct s f(struct s s) {
  if (s.n == 0) return s;
  s.a[s.n % 2] += s.n;
  s.n--;
  struct s below = f(s);
  below.a[0] += s.a[1];
  return below;
}
int main(void) { struct s s = { { 1, 2 }, 3 }; s = f(s); if (s.a[0] * 100 + s.a[1] == 1906) reach_error(); return 0; }
