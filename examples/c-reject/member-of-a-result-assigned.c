struct inner {
    int x;
};

struct outer {
    struct inner in;
};

struct outer make(void) {
    struct outer o = {{1}};
    return o;
}

int main(void) {
    make().in.x = 10;
    return 0;
}
