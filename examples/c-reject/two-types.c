int char x;
long short y;
unsigned float z;
