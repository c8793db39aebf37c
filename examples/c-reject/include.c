#include <assert.h>
#define N 10
int a[N];
int main() { assert(a[0] == 0); }
