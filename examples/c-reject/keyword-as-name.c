int case = 1;
int f(int default) { return 0; }
