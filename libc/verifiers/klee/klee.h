/* What programs for KLEE include: the functions that the translation knows by these names. */
#ifndef KLEE_KLEE_H
#define KLEE_KLEE_H

#include <stddef.h>
#include <stdint.h>

void klee_make_symbolic (void *address, size_t size, const char *name);
void klee_assume (uintptr_t condition);
void klee_assert (int condition);

#endif
