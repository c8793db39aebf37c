int f(int x) {
  if (x) { x = 1; } }
  return x;
}
int g(void) { return 1; }
