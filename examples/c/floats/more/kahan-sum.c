/* The sum of four numbers by Kahan's method, which keeps what rounding takes away. */
extern void reach_error(void);

int main(void)
{
    float numbers[4] = {16777216.0f, 1.0f, 1.0f, 2.0f};
    float sum = 0.0f, lost = 0.0f, plain = 0.0f;
    int i;
    for (i = 0; i < 4; i++) {
        float term = numbers[i] - lost, next = sum + term;
        lost = (next - sum) - term;
        sum = next;
        plain += numbers[i];
    }
    if (sum != 16777220.0f || plain != 16777218.0f)
        reach_error();
    return 0;
}
