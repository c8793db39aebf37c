// After three attempts the label is reached.
int unknown(void);

int main(void) {
  int attempts = 0;
again:
  if (unknown() > 0) goto done;
  attempts++;
  if (attempts < 3) goto again;
ERROR:
  return 1;
done:
  return 0;
}
