int f(int x) {
  if (x > 0 {
    x = 1;
  }
  return x;
}
