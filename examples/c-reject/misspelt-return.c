int f(int x) {
  retrun x;
}
