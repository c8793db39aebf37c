/* A machine with a stack: values are numbers, truths, pairs or nothing, and programs are assembled from a text, checked and run. Each seeded
   mistake (BUG1, BUG2, BUG3) makes an assertion fail. */

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>

#define MOST_CODE 48
#define MOST_STACK 12
#define MOST_PAIRS 10
#define MOST_CALLS 6

enum kind { KIND_NOTHING, KIND_NUMBER, KIND_TRUTH, KIND_PAIR };

struct value {
    enum kind kind;
    union {
        long number;
        bool truth;
        /* The index of a pair. */
        short pair;
    } as;
};

struct pair {
    struct value first, second;
    bool is_used;
    bool is_marked;
};

enum operation {
    OP_END,
    OP_NUMBER,
    OP_NOTHING,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_LESS,
    OP_IS_NOTHING,
    OP_PAIR,
    OP_FIRST,
    OP_SECOND,
    OP_COPY,
    OP_DROP,
    OP_SWAP,
    OP_OVER,
    OP_JUMP,
    OP_JUMP_UNLESS,
    OP_CALL,
    OP_RETURN
};

enum outcome { OUTCOME_FINE, OUTCOME_KIND, OUTCOME_UNDERFLOW, OUTCOME_OVERFLOW, OUTCOME_MEMORY, OUTCOME_STEPS };

struct machine {
    int code[MOST_CODE];
    int length;
    struct value stack[MOST_STACK];
    int depth;
    int calls[MOST_CALLS];
    int called;
    struct pair pairs[MOST_PAIRS];
    int collections;
    int steps;
};

/* Values. */

static struct value nothing(void)
{
    struct value value;
    value.kind = KIND_NOTHING;
    value.as.number = 0;
    return value;
}

static struct value number(long n)
{
    struct value value;
    value.kind = KIND_NUMBER;
    value.as.number = n;
    return value;
}

static struct value truth(bool holds)
{
    struct value value;
    value.kind = KIND_TRUTH;
    value.as.truth = holds;
    return value;
}

static struct value pair_value(int pair)
{
    struct value value;
    value.kind = KIND_PAIR;
    value.as.pair = (short)pair;
    return value;
}

/* The assembler: code is appended word by word. */

static void machine_init(struct machine *machine)
{
    machine->length = 0;
    machine->depth = 0;
    machine->called = 0;
    machine->collections = 0;
    machine->steps = 0;
    for (int i = 0; i < MOST_PAIRS; i++) {
        machine->pairs[i].is_used = false;
        machine->pairs[i].is_marked = false;
    }
}

static int emit(struct machine *machine, enum operation operation)
{
    assert(machine->length < MOST_CODE);
    machine->code[machine->length] = operation;
    return machine->length++;
}

static int emit_with(struct machine *machine, enum operation operation, int operand)
{
    int at = emit(machine, operation);
    assert(machine->length < MOST_CODE);
    machine->code[machine->length++] = operand;
    return at;
}

/* A jump whose target is not known yet. */
static void land(struct machine *machine, int jump)
{
    machine->code[jump + 1] = machine->length;
}

/* The stack. */

static bool push(struct machine *machine, struct value value)
{
    if (machine->depth == MOST_STACK)
        return false;
    machine->stack[machine->depth++] = value;
    return true;
}

static struct value pop(struct machine *machine)
{
    assert(machine->depth > 0);
    return machine->stack[--machine->depth];
}

/* Pairs that nothing leads to are free again. What a pair leads to is marked by going along second members. */

static void mark(struct machine *machine, struct value value)
{
    while (value.kind == KIND_PAIR && !machine->pairs[value.as.pair].is_marked) {
        struct pair *pair = &machine->pairs[value.as.pair];
        pair->is_marked = true;
        /* First members are numbers in all programs here, or pairs of such. */
        if (pair->first.kind == KIND_PAIR)
            machine->pairs[pair->first.as.pair].is_marked = true;
        value = pair->second;
    }
}

static int collect(struct machine *machine)
{
    int freed = 0;
    machine->collections++;
    for (int i = 0; i < MOST_PAIRS; i++)
        machine->pairs[i].is_marked = false;
#ifdef BUG1
    for (int i = 1; i < machine->depth; i++)
#else
    for (int i = 0; i < machine->depth; i++)
#endif
        mark(machine, machine->stack[i]);
    for (int i = 0; i < MOST_PAIRS; i++) {
        if (machine->pairs[i].is_used && !machine->pairs[i].is_marked) {
            machine->pairs[i].is_used = false;
            freed++;
        }
    }
    return freed;
}

static int find_pair(struct machine *machine)
{
    for (int i = 0; i < MOST_PAIRS; i++)
        if (!machine->pairs[i].is_used)
            return i;
    return -1;
}

static int new_pair(struct machine *machine)
{
    int pair = find_pair(machine);
    if (pair < 0 && collect(machine) > 0)
        pair = find_pair(machine);
    if (pair >= 0)
        machine->pairs[pair].is_used = true;
    return pair;
}

/* Running. */

static int operands(enum operation operation)
{
    switch (operation) {
    case OP_ADD:
    case OP_SUBTRACT:
    case OP_MULTIPLY:
    case OP_LESS:
    case OP_PAIR:
    case OP_SWAP:
    case OP_OVER:
        return 2;
    case OP_IS_NOTHING:
    case OP_FIRST:
    case OP_SECOND:
    case OP_COPY:
    case OP_DROP:
    case OP_JUMP_UNLESS:
        return 1;
    default:
        return 0;
    }
}

static enum outcome calculate(struct machine *machine, enum operation operation)
{
    struct value right = pop(machine);
    struct value left = pop(machine);
    if (left.kind != KIND_NUMBER || right.kind != KIND_NUMBER)
        return OUTCOME_KIND;
    long a = left.as.number, b = right.as.number;
    switch (operation) {
    case OP_ADD:
        push(machine, number(a + b));
        break;
    case OP_SUBTRACT:
#ifdef BUG2
        push(machine, number(b - a));
#else
        push(machine, number(a - b));
#endif
        break;
    case OP_MULTIPLY:
        push(machine, number(a * b));
        break;
    default:
        push(machine, truth(a < b));
        break;
    }
    return OUTCOME_FINE;
}

static enum outcome run(struct machine *machine)
{
    int at = 0;
    while (machine->steps < 400) {
        enum operation operation = (enum operation)machine->code[at++];
        machine->steps++;
        if (machine->depth < operands(operation))
            return OUTCOME_UNDERFLOW;
        if (machine->depth == MOST_STACK && operands(operation) == 0 && operation != OP_END)
            return OUTCOME_OVERFLOW;
        struct value value;
        switch (operation) {
        case OP_END:
            return OUTCOME_FINE;
        case OP_NUMBER:
            push(machine, number(machine->code[at++]));
            break;
        case OP_NOTHING:
            push(machine, nothing());
            break;
        case OP_ADD:
        case OP_SUBTRACT:
        case OP_MULTIPLY:
        case OP_LESS: {
            enum outcome outcome = calculate(machine, operation);
            if (outcome != OUTCOME_FINE)
                return outcome;
            break;
        }
        case OP_IS_NOTHING:
            value = pop(machine);
            push(machine, truth(value.kind == KIND_NOTHING));
            break;
        case OP_PAIR: {
            /* The two stay on the stack while there may be a collection. */
            int pair = new_pair(machine);
            if (pair < 0)
                return OUTCOME_MEMORY;
            machine->pairs[pair].second = pop(machine);
            machine->pairs[pair].first = pop(machine);
            push(machine, pair_value(pair));
            break;
        }
        case OP_FIRST:
        case OP_SECOND:
            value = pop(machine);
            if (value.kind != KIND_PAIR)
                return OUTCOME_KIND;
            if (operation == OP_FIRST)
                value = machine->pairs[value.as.pair].first;
            else
                value = machine->pairs[value.as.pair].second;
            push(machine, value);
            break;
        case OP_COPY:
            if (machine->depth == MOST_STACK)
                return OUTCOME_OVERFLOW;
            push(machine, machine->stack[machine->depth - 1]);
            break;
        case OP_DROP:
            pop(machine);
            break;
        case OP_SWAP:
            value = machine->stack[machine->depth - 1];
            machine->stack[machine->depth - 1] = machine->stack[machine->depth - 2];
            machine->stack[machine->depth - 2] = value;
            break;
        case OP_OVER:
            if (machine->depth == MOST_STACK)
                return OUTCOME_OVERFLOW;
            push(machine, machine->stack[machine->depth - 2]);
            break;
        case OP_JUMP:
            at = machine->code[at];
            break;
        case OP_JUMP_UNLESS:
            value = pop(machine);
            if (value.kind != KIND_TRUTH)
                return OUTCOME_KIND;
#ifdef BUG3
            at = value.as.truth ? machine->code[at] : at + 1;
#else
            at = value.as.truth ? at + 1 : machine->code[at];
#endif
            break;
        case OP_CALL:
            if (machine->called == MOST_CALLS)
                return OUTCOME_OVERFLOW;
            machine->calls[machine->called++] = at + 1;
            at = machine->code[at];
            break;
        case OP_RETURN:
            if (machine->called == 0)
                return OUTCOME_UNDERFLOW;
            at = machine->calls[--machine->called];
            break;
        }
    }
    return OUTCOME_STEPS;
}

/* A list of the numbers from 1 to `most`, and then their sum: more pairs are made than there is room for. */
static void assemble_sum(struct machine *machine, int most, int rounds)
{
    emit_with(machine, OP_NUMBER, 0);
    emit_with(machine, OP_NUMBER, rounds);
    int again = machine->length;
    /* total rounds list i */
    emit(machine, OP_NOTHING);
    emit_with(machine, OP_NUMBER, most);
    int fill = machine->length;
    emit(machine, OP_SWAP);
    emit(machine, OP_OVER);
    emit(machine, OP_SWAP);
    emit(machine, OP_PAIR);
    emit(machine, OP_SWAP);
    emit_with(machine, OP_NUMBER, -1);
    emit(machine, OP_ADD);
    emit(machine, OP_COPY);
    emit_with(machine, OP_NUMBER, 1);
    emit(machine, OP_LESS);
    emit_with(machine, OP_JUMP_UNLESS, fill);
    emit(machine, OP_DROP);
    /* total rounds list: the first number is kept. */
    emit(machine, OP_SECOND);
    emit(machine, OP_FIRST);
    emit(machine, OP_OVER);
    emit(machine, OP_MULTIPLY);
    emit(machine, OP_SWAP);
    /* total part rounds */
    emit_with(machine, OP_NUMBER, 1);
    emit(machine, OP_SUBTRACT);
    emit(machine, OP_COPY);
    emit_with(machine, OP_NUMBER, 1);
    emit(machine, OP_LESS);
    int leave = emit_with(machine, OP_JUMP_UNLESS, 0);
    emit(machine, OP_DROP);
    emit(machine, OP_ADD);
    emit(machine, OP_END);
    land(machine, leave);
    emit_with(machine, OP_JUMP, again);
}

int main(void)
{
    static struct machine machine;
    machine_init(&machine);
    assemble_sum(&machine, 4, 1);
    assert(run(&machine) == OUTCOME_FINE);
    assert(machine.depth == 1);
    assert(machine.stack[0].kind == KIND_NUMBER);
    assert(machine.stack[0].as.number == 2);
    assert(machine.collections == 0);

    machine_init(&machine);
    emit_with(&machine, OP_NUMBER, 50);
    emit_with(&machine, OP_NUMBER, 8);
    emit(&machine, OP_PAIR);
    for (int i = 0; i < MOST_PAIRS + 1; i++) {
        emit(&machine, OP_NOTHING);
        emit(&machine, OP_NOTHING);
        emit(&machine, OP_PAIR);
    }
    emit(&machine, OP_END);
    assert(run(&machine) == OUTCOME_MEMORY || machine.depth == MOST_STACK);
    struct value kept = machine.stack[0];
    assert(kept.kind == KIND_PAIR && machine.pairs[kept.as.pair].first.as.number == 50);

    machine_init(&machine);
    emit_with(&machine, OP_NUMBER, 7);
    emit_with(&machine, OP_NUMBER, 3);
    emit(&machine, OP_PAIR);
    int loop = machine.length;
    for (int i = 0; i < 3; i++) {
        emit_with(&machine, OP_NUMBER, i);
        emit(&machine, OP_NOTHING);
        emit(&machine, OP_PAIR);
        emit(&machine, OP_DROP);
    }
    emit_with(&machine, OP_JUMP, loop);
    assert(run(&machine) == OUTCOME_STEPS);
    assert(machine.collections > 5);
    assert(machine.depth <= 3);
    kept = machine.stack[0];
    assert(kept.kind == KIND_PAIR);
    assert(machine.pairs[kept.as.pair].first.as.number == 7 && machine.pairs[kept.as.pair].second.as.number == 3);

    machine_init(&machine);
    emit_with(&machine, OP_NUMBER, 9);
    emit_with(&machine, OP_NUMBER, 4);
    emit(&machine, OP_SUBTRACT);
    emit(&machine, OP_END);
    assert(run(&machine) == OUTCOME_FINE && machine.stack[0].as.number == 5);
    machine_init(&machine);
    emit(&machine, OP_NOTHING);
    emit_with(&machine, OP_NUMBER, 3);
    emit(&machine, OP_ADD);
    assert(run(&machine) == OUTCOME_KIND);
    machine_init(&machine);
    emit(&machine, OP_DROP);
    assert(run(&machine) == OUTCOME_UNDERFLOW);
    printf("%d steps\n", machine.steps);
    return 0;
}
