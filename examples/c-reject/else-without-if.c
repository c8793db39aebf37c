int f(int x) {
  else x = 1;
}
