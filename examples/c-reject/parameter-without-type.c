int f(int x, 3) {
  return x;
}
