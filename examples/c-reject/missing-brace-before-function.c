int f(int x) {
  while (x) {
    x--;
  return x;
}

int g(void) {
  return 1;
}
