/* What programs for SeaHorn include: the functions that the translation knows by these names. */
#ifndef SEAHORN_SEAHORN_H
#define SEAHORN_SEAHORN_H

void sassert (int condition);
void assume (int condition);
void __VERIFIER_assume (int condition);
void __VERIFIER_error (void);

#endif
