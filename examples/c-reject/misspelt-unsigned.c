unsinged int x;
int y;
