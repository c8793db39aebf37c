int f(int x) {
  if (x) { x = 1; };
  else x = 2;
  return x;
}
