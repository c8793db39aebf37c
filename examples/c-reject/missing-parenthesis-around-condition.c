void f(int x) {
  while x > 0
    x--;
}
