int a[10];
int f(int i) {
  return a[i;
}
