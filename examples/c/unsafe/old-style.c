/* As it was written in 1985. */
int limit;

check(value, bound)
int value, bound;
{
  return value <= bound;
}

main()
{
  int x;
  limit = 12;
  x = read();
  if (!check(x, limit))
    if (x % 7 == 3) {
      errorFn();
    }
  return 0;
}
