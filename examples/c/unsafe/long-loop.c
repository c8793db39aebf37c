// The error is behind a thousand turns.
extern void reach_error(void);

int main(void) {
  unsigned char counter = 0;
  int turns = 0;
  while (turns < 1000) {
    counter++;
    turns++;
  }
  if (counter == 232) reach_error();
  return 0;
}
