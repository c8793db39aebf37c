static int count;
int count = 1;

int main(void) {
    return count;
}
