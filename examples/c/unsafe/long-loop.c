// The error is behind many turns.
extern void reach_error(void);

int main(void) {
  unsigned char counter = 0;
  int turns = 0;
  while (turns < 60) {
    counter++;
    turns++;
  }
  if (counter == 60) reach_error();
  return 0;
}
