/* An angle of up to two turns becomes one of at most half a turn. One turn is taken away at most. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float angle = __VERIFIER_nondet_float();
    if (!(angle >= -720.0f && angle <= 720.0f))
        return 0;
    if (angle > 180.0f)
        angle -= 360.0f;
    if (angle < -180.0f)
        angle += 360.0f;
    if (!(angle >= -180.0f && angle <= 180.0f))
        reach_error();
    return 0;
}
