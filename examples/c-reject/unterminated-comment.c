int x; /* what is here
int y;
