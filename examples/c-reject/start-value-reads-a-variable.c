int first = 1;
int second = first + 1;

int main(void) {
    return second;
}
