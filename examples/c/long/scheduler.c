/* A scheduler: tasks with priorities that run in slices, wait for each other's signals, sleep and end; a heap orders the sleepers, and
   a ring is what tasks hand to each other. Each seeded mistake (BUG1, BUG2, BUG3) makes an assertion fail. */

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>

#define MOST_TASKS 6
#define PRIORITIES 3
#define RING 4

enum state { STATE_FREE, STATE_READY, STATE_ASLEEP, STATE_WAITING, STATE_ENDED };

struct scheduler;
typedef void (*step_t)(struct scheduler *scheduler, int task);

struct task {
    const char *name;
    enum state state;
    int priority;
    step_t step;
    int counter;
    unsigned wakes_at;
    int waits_for;
    int next;
};

struct queue {
    int first, last;
};

struct ring {
    int items[RING];
    unsigned put, taken;
};

struct scheduler {
    struct task tasks[MOST_TASKS];
    struct queue ready[PRIORITIES];
    int sleepers[MOST_TASKS];
    int sleeping;
    unsigned now;
    int running;
    struct ring ring;
    int switches;
};

/* Queues: linked by the numbers of tasks. */

static void queue_init(struct queue *queue)
{
    queue->first = queue->last = -1;
}

static void queue_add(struct scheduler *scheduler, struct queue *queue, int task)
{
    scheduler->tasks[task].next = -1;
    if (queue->last < 0)
        queue->first = task;
    else
        scheduler->tasks[queue->last].next = task;
    queue->last = task;
}

static int queue_take(struct scheduler *scheduler, struct queue *queue)
{
    int task = queue->first;
    if (task >= 0) {
        queue->first = scheduler->tasks[task].next;
#ifndef BUG1
        /* Without this, what is added to an empty queue is behind a task that has left it. */
        if (queue->first < 0)
            queue->last = -1;
#endif
    }
    return task;
}

/* The heap of sleepers: the one that wakes first is at its root. */

static bool wakes_before(const struct scheduler *scheduler, int one, int other)
{
    return scheduler->tasks[one].wakes_at < scheduler->tasks[other].wakes_at;
}

static void swap(int *one, int *other)
{
    int kept = *one;
    *one = *other;
    *other = kept;
}

static void heap_add(struct scheduler *scheduler, int task)
{
    int position = scheduler->sleeping++;
    scheduler->sleepers[position] = task;
    while (position > 0) {
        int parent = (position - 1) / 2;
#ifdef BUG2
        /* The wrong way round: who wakes last comes to the root. */
        if (wakes_before(scheduler, scheduler->sleepers[position], scheduler->sleepers[parent]))
            break;
#else
        if (!wakes_before(scheduler, scheduler->sleepers[position], scheduler->sleepers[parent]))
            break;
#endif
        swap(&scheduler->sleepers[position], &scheduler->sleepers[parent]);
        position = parent;
    }
}

static int heap_take(struct scheduler *scheduler)
{
    int task = scheduler->sleepers[0];
    scheduler->sleepers[0] = scheduler->sleepers[--scheduler->sleeping];
    int position = 0;
    for (;;) {
        int child = 2 * position + 1;
        if (child >= scheduler->sleeping)
            break;
        if (child + 1 < scheduler->sleeping
            && wakes_before(scheduler, scheduler->sleepers[child + 1], scheduler->sleepers[child]))
            child++;
        if (!wakes_before(scheduler, scheduler->sleepers[child], scheduler->sleepers[position]))
            break;
        swap(&scheduler->sleepers[child], &scheduler->sleepers[position]);
        position = child;
    }
    return task;
}

static bool heap_is_sound(const struct scheduler *scheduler)
{
    for (int i = 1; i < scheduler->sleeping; i++)
        if (wakes_before(scheduler, scheduler->sleepers[i], scheduler->sleepers[(i - 1) / 2]))
            return false;
    return true;
}

/* The ring. */

static bool ring_put(struct ring *ring, int item)
{
#ifdef BUG3
    /* One more than there is room for. */
    if (ring->put - ring->taken > RING)
        return false;
#else
    if (ring->put - ring->taken == RING)
        return false;
#endif
    ring->items[ring->put++ % RING] = item;
    return true;
}

static bool ring_take(struct ring *ring, int *item)
{
    if (ring->put == ring->taken)
        return false;
    *item = ring->items[ring->taken++ % RING];
    return true;
}

/* Tasks. */

static void scheduler_init(struct scheduler *scheduler)
{
    for (int i = 0; i < MOST_TASKS; i++)
        scheduler->tasks[i].state = STATE_FREE;
    for (int i = 0; i < PRIORITIES; i++)
        queue_init(&scheduler->ready[i]);
    scheduler->sleeping = 0;
    scheduler->now = 0;
    scheduler->running = -1;
    scheduler->ring.put = scheduler->ring.taken = 0;
    scheduler->switches = 0;
}

static void make_ready(struct scheduler *scheduler, int task)
{
    struct task *own = &scheduler->tasks[task];
    own->state = STATE_READY;
    queue_add(scheduler, &scheduler->ready[own->priority], task);
}

static int start(struct scheduler *scheduler, const char *name, int priority, step_t step)
{
    for (int i = 0; i < MOST_TASKS; i++) {
        struct task *task = &scheduler->tasks[i];
        if (task->state == STATE_FREE) {
            task->name = name;
            task->priority = priority;
            task->step = step;
            task->counter = 0;
            task->waits_for = -1;
            make_ready(scheduler, i);
            return i;
        }
    }
    return -1;
}

static void sleep_for(struct scheduler *scheduler, int task, unsigned ticks)
{
    scheduler->tasks[task].state = STATE_ASLEEP;
    scheduler->tasks[task].wakes_at = scheduler->now + ticks;
    heap_add(scheduler, task);
    assert(heap_is_sound(scheduler));
}

static void wait_for(struct scheduler *scheduler, int task, int other)
{
    scheduler->tasks[task].state = STATE_WAITING;
    scheduler->tasks[task].waits_for = other;
}

static void signal_from(struct scheduler *scheduler, int task)
{
    for (int i = 0; i < MOST_TASKS; i++) {
        struct task *other = &scheduler->tasks[i];
        if (other->state == STATE_WAITING && other->waits_for == task) {
            other->waits_for = -1;
            make_ready(scheduler, i);
        }
    }
}

static void end(struct scheduler *scheduler, int task)
{
    scheduler->tasks[task].state = STATE_ENDED;
    signal_from(scheduler, task);
}

static void wake_sleepers(struct scheduler *scheduler)
{
    while (scheduler->sleeping > 0 && scheduler->tasks[scheduler->sleepers[0]].wakes_at <= scheduler->now) {
        int task = heap_take(scheduler);
        assert(heap_is_sound(scheduler));
        make_ready(scheduler, task);
    }
}

static int choose(struct scheduler *scheduler)
{
    for (int priority = 0; priority < PRIORITIES; priority++) {
        int task = queue_take(scheduler, &scheduler->ready[priority]);
        if (task >= 0)
            return task;
    }
    return -1;
}

/* One tick; whether anybody is left. */
static bool tick(struct scheduler *scheduler)
{
    scheduler->now++;
    wake_sleepers(scheduler);
    int task = choose(scheduler);
    if (task < 0)
        return scheduler->sleeping > 0;
    assert(scheduler->tasks[task].state == STATE_READY);
    if (scheduler->running != task)
        scheduler->switches++;
    scheduler->running = task;
    scheduler->tasks[task].step(scheduler, task);
    if (scheduler->tasks[task].state == STATE_READY)
        queue_add(scheduler, &scheduler->ready[scheduler->tasks[task].priority], task);
    return true;
}

/* What the tasks do. */

static int sum;
static int last_seen;

static void produce(struct scheduler *scheduler, int task)
{
    struct task *own = &scheduler->tasks[task];
    if (own->counter == 6) {
        end(scheduler, task);
        return;
    }
    if (ring_put(&scheduler->ring, own->counter + 1)) {
        own->counter++;
        signal_from(scheduler, task);
    } else {
        sleep_for(scheduler, task, 2);
    }
}

static void consume(struct scheduler *scheduler, int task)
{
    int item;
    if (ring_take(&scheduler->ring, &item)) {
        assert(item == last_seen + 1);
        last_seen = item;
        sum += item;
        return;
    }
    if (scheduler->tasks[0].state == STATE_ENDED)
        end(scheduler, task);
    else
        wait_for(scheduler, task, 0);
}

static void tick_often(struct scheduler *scheduler, int task)
{
    struct task *own = &scheduler->tasks[task];
    own->counter++;
    if (own->counter == 3)
        end(scheduler, task);
    else
        sleep_for(scheduler, task, 5u - (unsigned)task);
}

int main(void)
{
    static struct scheduler scheduler;
    scheduler_init(&scheduler);
    int producer = start(&scheduler, "producer", 0, produce);
    int consumer = start(&scheduler, "consumer", 1, consume);
    int slow = start(&scheduler, "slow", 2, tick_often);
    int quick = start(&scheduler, "quick", 2, tick_often);
    int quickest = start(&scheduler, "quickest", 2, tick_often);
    assert(producer == 0 && consumer == 1 && slow == 2 && quick == 3 && quickest == 4);
    int ticks = 0;
    while (tick(&scheduler)) {
        ticks++;
        assert(ticks < 100);
        assert(scheduler.ring.put - scheduler.ring.taken <= RING);
    }
    for (int i = 0; i < 5; i++)
        assert(scheduler.tasks[i].state == STATE_ENDED);
    assert(sum == 21);
    assert(last_seen == 6);
    printf("%d ticks, %d switches, sum %d\n", ticks, scheduler.switches, sum);
    return 0;
}
