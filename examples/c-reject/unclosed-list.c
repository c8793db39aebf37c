int a[] = {1, 2;
int x;
