int f(int x) {
  if (x => 3) return 1;
  return 0;
}
