void f(int x) {
  do x--; while (x > 0)
  x = 1;
}
