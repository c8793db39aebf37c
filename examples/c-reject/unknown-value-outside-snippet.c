int f(int x) {
  while (*) x++;
  return x;
}
