/* The first parameter of main is an array, which no system provides. */
void reach_error(void);

int main(int cells[]) {
    int i;
    for (i = 0; i < 5; i++) cells[i] = i;
    if (cells[4] == 4) reach_error();
    return 0;
}
