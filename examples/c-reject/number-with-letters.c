int x = 12abc;
int y = 0x;
int z = 1.5e;
int w = 1f;
