/* A connection goes round three states, whose numbers are as they happen to be; anything else counts as a fault. A state takes
   effect one turn after it was chosen, so only induction over three turns sees that there is no fault. */
extern int unknown(void);
void reach_error(void);

int main(void) {
    int state = 8466, next = 8466, chosen, faults = 0;
    while (unknown()) {
        if (faults > 0) reach_error();
        switch (state) {
        case 8466: chosen = 8512; break;
        case 8512: chosen = 8560; break;
        case 8560: chosen = 8466; break;
        default: chosen = 8466; faults++;
        }
        state = next;
        next = chosen;
    }
    return 0;
}
