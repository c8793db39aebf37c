int f(int x) {
  while (x) {
    x--;
  return x;
}
