extern struct later l = {1};

struct later {
    int member;
};

int main(void) {
    return 0;
}
