void f(void) {
  goto;
}
