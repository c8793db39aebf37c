int count;
static int count = 1;

int main(void) {
    return count;
}
