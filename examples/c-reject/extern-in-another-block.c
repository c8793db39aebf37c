int main(void) {
    {
        extern int level;
        level = 1;
    }
    return level;
}

int level;
