void f(int x) {
  whlie (x) {
    x--;
  }
}
