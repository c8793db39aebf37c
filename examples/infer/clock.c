/* A clock that goes on by quarters: what the hands have in common, and how long the day is. */
int main(void) {
    int quarters = 0, minute = 0, hour = 0;
    while (hour < 24) {
        quarters++;
        minute += 15;
        if (minute == 60) {
            minute = 0;
            hour++;
        }
    }
    return 0;
}
