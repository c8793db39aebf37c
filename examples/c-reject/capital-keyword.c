int f(int x) {
  If (x) x = 1;
  Return x;
}
