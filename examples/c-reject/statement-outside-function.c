int x;
while (x) x--;
