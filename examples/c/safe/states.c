// A small state machine, as device drivers have them.
extern int __VERIFIER_nondet_int(void);

enum state { IDLE, OPEN, CLOSED };
struct device { enum state state; int users; };

static void step(struct device *d) {
  switch (d->state) {
  case IDLE:
    d->users = 1;
    d->state = OPEN;
    break;
  case OPEN:
    d->users = 0;
    d->state = CLOSED;
    break;
  case CLOSED:
    break;
  }
}

int main(void) {
  struct device device = { IDLE, 0 };
  while (__VERIFIER_nondet_int()) {
    step(&device);
    if (device.state == CLOSED && device.users != 0) {
    ERROR:
      return 1;
    }
  }
  return 0;
}
