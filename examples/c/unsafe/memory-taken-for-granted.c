// Nobody looks whether there is memory: in the harness there is, as in the run.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int count = 3;
    int *numbers = malloc(count * sizeof(int));
    int sum = 0;
    for (int i = 0; i < count; i++) numbers[i] = i;
    for (int i = 0; i < count; i++) sum += numbers[i];
    assert(sum != 3);
    return 0;
}
