// A pointer of the caller is moved by the call.
extern void reach_error(void);
static int read(const char **at) {
  if (**at == '(') { ++*at; int inner = read(at) + read(at); ++*at; return inner; }
  return *(*at)++ - '0';
}
int main(void) { const char *text = "((12)(34))"; if (read(&text) == 10 && !*text) reach_error(); return 0; }
