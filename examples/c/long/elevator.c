/* A controller of an elevator, for ever: calls come from outside, in any order, doors open and close, motors start and stop, and an alarm may come at any
   time. Each seeded mistake (BUG1, BUG2, BUG3) makes an assertion fail. */

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define FLOORS 4
#define OPEN_FOR 3
#define PATIENCE 20

enum direction { DIRECTION_DOWN = -1, DIRECTION_NONE = 0, DIRECTION_UP = 1 };

enum door { DOOR_CLOSED, DOOR_OPENING, DOOR_OPEN, DOOR_CLOSING };

enum mode { MODE_NORMAL, MODE_ALARM, MODE_SERVICE };

enum event { EVENT_NOTHING, EVENT_CALL, EVENT_OBSTACLE, EVENT_ALARM, EVENT_KEY, EVENT_LAST };

struct input {
    enum event event;
    int floor;
};

struct elevator {
    int floor;
    enum direction direction;
    bool is_moving;
    enum door door;
    int open_since;
    /* Which floors have been called, one variable each, and how many. */
    bool call_0, call_1, call_2, call_3;
    int calls;
    enum mode mode;
    int idle;
    int load;
};

/* Calls. */

static bool is_called(const struct elevator *elevator, int floor)
{
    switch (floor) {
    case 0:
        return elevator->call_0;
    case 1:
        return elevator->call_1;
    case 2:
        return elevator->call_2;
    default:
        return elevator->call_3;
    }
}

static void set_call(struct elevator *elevator, int floor, bool is_called)
{
    switch (floor) {
    case 0:
        elevator->call_0 = is_called;
        break;
    case 1:
        elevator->call_1 = is_called;
        break;
    case 2:
        elevator->call_2 = is_called;
        break;
    default:
        elevator->call_3 = is_called;
        break;
    }
}

static void add_call(struct elevator *elevator, int floor)
{
    if (is_called(elevator, floor))
        return;
    set_call(elevator, floor, true);
    elevator->calls++;
}

static void serve_call(struct elevator *elevator, int floor)
{
#ifndef BUG1
    if (!is_called(elevator, floor))
        return;
#endif
    set_call(elevator, floor, false);
    elevator->calls--;
}

static bool is_called_above(const struct elevator *elevator)
{
    if (elevator->floor < 3 && elevator->call_3)
        return true;
    if (elevator->floor < 2 && elevator->call_2)
        return true;
    return elevator->floor < 1 && elevator->call_1;
}

static bool is_called_below(const struct elevator *elevator)
{
    if (elevator->floor > 0 && elevator->call_0)
        return true;
    if (elevator->floor > 1 && elevator->call_1)
        return true;
    return elevator->floor > 2 && elevator->call_2;
}

/* Doors and motor. */

static void open_door(struct elevator *elevator)
{
    assert(!elevator->is_moving);
    if (elevator->door == DOOR_CLOSED || elevator->door == DOOR_CLOSING)
        elevator->door = DOOR_OPENING;
}

static void start_motor(struct elevator *elevator, enum direction direction)
{
    assert(elevator->door == DOOR_CLOSED);
    elevator->direction = direction;
    elevator->is_moving = true;
}

static void stop_motor(struct elevator *elevator)
{
    elevator->is_moving = false;
}

static void step_door(struct elevator *elevator, bool is_obstructed)
{
    switch (elevator->door) {
    case DOOR_OPENING:
        elevator->door = DOOR_OPEN;
        elevator->open_since = 0;
        break;
    case DOOR_OPEN:
        if (is_obstructed)
            elevator->open_since = 0;
        else if (elevator->open_since < OPEN_FOR)
            elevator->open_since++;
        else if (elevator->mode == MODE_NORMAL)
            elevator->door = DOOR_CLOSING;
        break;
    case DOOR_CLOSING:
        elevator->door = is_obstructed ? DOOR_OPENING : DOOR_CLOSED;
        break;
    default:
        break;
    }
}

/* Where to go next, if anywhere. */
static enum direction choose(const struct elevator *elevator)
{
    bool above = is_called_above(elevator), below = is_called_below(elevator);
    if (elevator->direction == DIRECTION_UP && above)
        return DIRECTION_UP;
    if (elevator->direction == DIRECTION_DOWN && below)
        return DIRECTION_DOWN;
    if (above)
        return DIRECTION_UP;
    if (below)
        return DIRECTION_DOWN;
    return DIRECTION_NONE;
}

static void arrive(struct elevator *elevator)
{
    elevator->floor += elevator->direction;
#ifdef BUG2
    if (elevator->mode != MODE_NORMAL) {
        elevator->door = DOOR_OPENING;
        return;
    }
#endif
    if (is_called(elevator, elevator->floor) || elevator->mode != MODE_NORMAL) {
        stop_motor(elevator);
        serve_call(elevator, elevator->floor);
        open_door(elevator);
        return;
    }
    enum direction next = choose(elevator);
    if (next == DIRECTION_NONE)
        stop_motor(elevator);
    else
        elevator->direction = next;
}

static void rest(struct elevator *elevator)
{
    if (is_called(elevator, elevator->floor)) {
        serve_call(elevator, elevator->floor);
        open_door(elevator);
        return;
    }
#ifdef BUG3
    if (elevator->door == DOOR_OPEN || elevator->mode != MODE_NORMAL)
#else
    if (elevator->door != DOOR_CLOSED || elevator->mode != MODE_NORMAL)
#endif
        return;
    enum direction next = choose(elevator);
    if (next == DIRECTION_NONE) {
        elevator->direction = DIRECTION_NONE;
        if (elevator->idle < PATIENCE)
            elevator->idle++;
        else if (elevator->floor > 0)
            add_call(elevator, 0);
        return;
    }
    elevator->idle = 0;
    start_motor(elevator, next);
}

/* What comes from outside. */

static struct input next_input(void)
{
    struct input input;
    int event = rand() % EVENT_LAST;
    input.event = (enum event)event;
    input.floor = rand() % FLOORS;
    return input;
}

static void handle(struct elevator *elevator, struct input input)
{
    switch (input.event) {
    case EVENT_CALL:
        if (elevator->mode == MODE_NORMAL)
            add_call(elevator, input.floor);
        break;
    case EVENT_ALARM:
        elevator->mode = MODE_ALARM;
        break;
    case EVENT_KEY:
        if (elevator->mode == MODE_ALARM)
            elevator->mode = MODE_SERVICE;
        else if (elevator->mode == MODE_SERVICE)
            elevator->mode = MODE_NORMAL;
        break;
    default:
        break;
    }
}

static void tick(struct elevator *elevator)
{
    struct input input = next_input();
    handle(elevator, input);
    step_door(elevator, input.event == EVENT_OBSTACLE);
    if (elevator->is_moving)
        arrive(elevator);
    else
        rest(elevator);
}

static int count_calls(const struct elevator *elevator)
{
    return elevator->call_0 + elevator->call_1 + elevator->call_2 + elevator->call_3;
}

/* What must hold at any time. */
static void check(const struct elevator *elevator)
{
    assert(elevator->floor >= 0 && elevator->floor < FLOORS);
    assert(!elevator->is_moving || elevator->door == DOOR_CLOSED);
    assert(elevator->open_since <= OPEN_FOR);
    assert(elevator->calls == count_calls(elevator));
    assert(elevator->idle <= PATIENCE);
}

int main(void)
{
    struct elevator elevator;
    elevator.floor = 0;
    elevator.direction = DIRECTION_NONE;
    elevator.is_moving = false;
    elevator.door = DOOR_CLOSED;
    elevator.open_since = 0;
    elevator.call_0 = elevator.call_1 = elevator.call_2 = elevator.call_3 = false;
    elevator.calls = 0;
    elevator.mode = MODE_NORMAL;
    elevator.idle = 0;
    elevator.load = 0;
    srand(7);
    for (int ticks = 0; ticks < 100000; ticks++) {
        tick(&elevator);
        check(&elevator);
    }
    printf("%d calls are left\n", elevator.calls);
    return 0;
}
