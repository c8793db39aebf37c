/* A linear function of a number between limits is between the limits that it has for them. */
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  if (x >= 0.0f && x <= 10.0f) {
    float y = x * 0.5f + 1.0f;
    if (!(y >= 1.0f && y <= 6.0f)) reach_error();
  }
  return 0;
}
