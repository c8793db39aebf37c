void g(int *);
void f(void) {
  int x __attribute__((cleanup(g))) = 1;
}
