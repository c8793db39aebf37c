int x = 'a;
int y;
