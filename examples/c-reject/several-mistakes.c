int f(int x) {
  int y = ;
  x = 1
  if (x {
    y = 2;
  }
  return x +;
}

int g(void) {
  return (1;
}
