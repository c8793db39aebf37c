// A call through a volatile pointer calls what was written there.
extern void reach_error(void);
int a;
void five(void) { a = 5; }
void (*volatile f)(void) = five;
int main(void) { f(); if (a == 5) reach_error(); return 0; }
