void f(int x) {
  do { x--; }
  x = 1;
}
