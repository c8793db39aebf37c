int f(int x) {
  x = 1
}
