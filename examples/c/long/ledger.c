/* A ledger: accounts, entries of two sides, statements and a log that can be undone. What is booked is known at first, and then comes from a
   generator. Each seeded mistake (BUG1, BUG2, BUG3) makes an assertion fail. */

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>

#define ACCOUNTS 3
#define MOST_ENTRIES 10
#define LIMIT 1000

enum kind { KIND_ASSET, KIND_DEBT, KIND_CASH };

enum answer { ANSWER_BOOKED, ANSWER_NO_ACCOUNT, ANSWER_AMOUNT, ANSWER_LIMIT, ANSWER_FULL, ANSWER_CLOSED };

struct account {
    enum kind kind;
    int balance;
    int lowest;
    bool is_open;
};

struct entry {
    int from, to;
    int amount;
    bool is_undone;
};

struct ledger {
    struct account accounts[ACCOUNTS];
    struct entry entries[MOST_ENTRIES];
    int count;
    int undone;
    int turnover;
};

/* Opening and closing. */

static void ledger_init(struct ledger *ledger)
{
    for (int i = 0; i < ACCOUNTS; i++) {
        ledger->accounts[i].kind = i == 0 ? KIND_ASSET : i == 1 ? KIND_DEBT : KIND_CASH;
        ledger->accounts[i].balance = 0;
        ledger->accounts[i].lowest = 0;
        ledger->accounts[i].is_open = true;
    }
    ledger->count = 0;
    ledger->undone = 0;
    ledger->turnover = 0;
}

static bool is_account(const struct ledger *ledger, int account)
{
    return account >= 0 && account < ACCOUNTS && ledger->accounts[account].is_open;
}

static enum answer close_account(struct ledger *ledger, int account)
{
    if (!is_account(ledger, account))
        return ANSWER_NO_ACCOUNT;
    if (ledger->accounts[account].balance != 0)
        return ANSWER_LIMIT;
    ledger->accounts[account].is_open = false;
    return ANSWER_BOOKED;
}

/* What an account may owe. */
static int least_balance(const struct account *account)
{
    switch (account->kind) {
    case KIND_CASH:
        return 0;
    case KIND_ASSET:
        return -LIMIT / 2;
    default:
        return -LIMIT;
    }
}

/* The sum of all balances: nothing comes or goes. */
static int total(const struct ledger *ledger)
{
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        sum += ledger->accounts[i].balance;
    return sum;
}

static bool within_limits(const struct ledger *ledger)
{
    for (int i = 0; i < ACCOUNTS; i++) {
        const struct account *account = &ledger->accounts[i];
        if (account->balance < least_balance(account) || account->lowest < least_balance(account))
            return false;
    }
    return true;
}

static int booked(const struct ledger *ledger)
{
    return ledger->count - ledger->undone;
}

/* Booking. */

static void move(struct ledger *ledger, int from, int to, int amount)
{
    struct account *source = &ledger->accounts[from];
    struct account *target = &ledger->accounts[to];
    source->balance -= amount;
    target->balance += amount;
    if (source->balance < source->lowest)
        source->lowest = source->balance;
}

static enum answer book(struct ledger *ledger, int from, int to, int amount)
{
    if (!is_account(ledger, from) || !is_account(ledger, to))
        return ANSWER_NO_ACCOUNT;
#ifdef BUG1
    if (amount > LIMIT || from == to)
#else
    if (amount <= 0 || amount > LIMIT || from == to)
#endif
        return ANSWER_AMOUNT;
    if (ledger->count == MOST_ENTRIES)
        return ANSWER_FULL;
    const struct account *source = &ledger->accounts[from];
#ifdef BUG2
    if (source->balance < least_balance(source))
#else
    if (source->balance - amount < least_balance(source))
#endif
        return ANSWER_LIMIT;
    move(ledger, from, to, amount);
    struct entry *entry = &ledger->entries[ledger->count];
    entry->from = from;
    entry->to = to;
    entry->amount = amount;
    entry->is_undone = false;
    ledger->count++;
    ledger->turnover += amount;
    return ANSWER_BOOKED;
}

/* The last entry that is not undone is booked the other way round. */
static enum answer undo(struct ledger *ledger)
{
    int last = ledger->count - 1;
    while (last >= 0 && ledger->entries[last].is_undone)
        last--;
    if (last < 0)
        return ANSWER_NO_ACCOUNT;
    struct entry *entry = &ledger->entries[last];
    if (!is_account(ledger, entry->from) || !is_account(ledger, entry->to))
        return ANSWER_CLOSED;
    if (ledger->accounts[entry->to].balance - entry->amount < least_balance(&ledger->accounts[entry->to]))
        return ANSWER_LIMIT;
    move(ledger, entry->to, entry->from, entry->amount);
    entry->is_undone = true;
    ledger->undone++;
#ifndef BUG3
    ledger->turnover -= entry->amount;
#endif
    return ANSWER_BOOKED;
}

/* A statement: what an account has by its entries. */
static int by_entries(const struct ledger *ledger, int account)
{
    int balance = 0;
    for (int i = 0; i < ledger->count; i++) {
        const struct entry *entry = &ledger->entries[i];
        if (entry->is_undone)
            continue;
        if (entry->from == account)
            balance -= entry->amount;
        if (entry->to == account)
            balance += entry->amount;
    }
    return balance;
}

static int turnover_by_entries(const struct ledger *ledger)
{
    int turnover = 0;
    for (int i = 0; i < ledger->count; i++)
        if (!ledger->entries[i].is_undone)
            turnover += ledger->entries[i].amount;
    return turnover;
}

static void print_statement(const struct ledger *ledger)
{
    static const char *const names[ACCOUNTS] = { "asset", "debt", "cash" };
    for (int i = 0; i < ACCOUNTS; i++) {
        const struct account *account = &ledger->accounts[i];
        printf("%-6s %6d (lowest %d)%s\n", names[i], account->balance, account->lowest, account->is_open ? "" : ", closed");
    }
    for (int i = 0; i < ledger->count; i++) {
        const struct entry *entry = &ledger->entries[i];
        printf("%2d: %d -> %d: %d%s\n", i, entry->from, entry->to, entry->amount, entry->is_undone ? ", undone" : "");
    }
}

/* What must hold after everything that is done. */
static void check(const struct ledger *ledger)
{
    assert(total(ledger) == 0);
    assert(within_limits(ledger));
    assert(ledger->count <= MOST_ENTRIES);
    assert(booked(ledger) >= 0);
    assert(ledger->turnover >= 0);
}

static void check_with_entries(const struct ledger *ledger)
{
    for (int i = 0; i < ACCOUNTS; i++)
        assert(by_entries(ledger, i) == ledger->accounts[i].balance);
    assert(turnover_by_entries(ledger) == ledger->turnover);
}

/* Known bookings first. */
static void known(void)
{
    static struct ledger ledger;
    ledger_init(&ledger);
    check(&ledger);
    assert(book(&ledger, 0, 2, 300) == ANSWER_BOOKED);
    assert(book(&ledger, 0, 1, 300) == ANSWER_LIMIT);
    assert(book(&ledger, 2, 1, 301) == ANSWER_LIMIT);
    assert(book(&ledger, 2, 1, 0) == ANSWER_AMOUNT);
    assert(book(&ledger, 2, 1, -5) == ANSWER_AMOUNT);
    assert(book(&ledger, 2, 3, 10) == ANSWER_NO_ACCOUNT);
    assert(book(&ledger, 2, 1, 300) == ANSWER_BOOKED);
    check(&ledger);
    check_with_entries(&ledger);
    assert(close_account(&ledger, 2) == ANSWER_BOOKED);
    assert(close_account(&ledger, 2) == ANSWER_NO_ACCOUNT);
    assert(close_account(&ledger, 1) == ANSWER_LIMIT);
    assert(undo(&ledger) == ANSWER_CLOSED);
    check(&ledger);
    ledger.accounts[2].is_open = true;
    assert(undo(&ledger) == ANSWER_BOOKED);
    assert(ledger.turnover == 300);
    assert(undo(&ledger) == ANSWER_BOOKED);
    assert(undo(&ledger) == ANSWER_NO_ACCOUNT);
    assert(ledger.turnover == 0 && booked(&ledger) == 0);
    check(&ledger);
    check_with_entries(&ledger);
    print_statement(&ledger);
}

/* Then whatever comes: amounts and accounts from a generator, some of them wrong. */

static unsigned generated = 12345;

static unsigned generate(unsigned below)
{
    generated = generated * 1103515245u + 12345u;
    return (generated >> 16) % below;
}

static void many(void)
{
    static struct ledger ledger;
    ledger_init(&ledger);
    int answers[ANSWER_CLOSED + 1] = { 0 };
    for (int turn = 0; turn < 14; turn++) {
        int before = ledger.turnover;
        if (generate(4) == 0) {
            enum answer answer = undo(&ledger);
            assert(answer != ANSWER_BOOKED || ledger.turnover < before);
            answers[answer]++;
        } else {
            int from = (int)generate(ACCOUNTS), to = (int)generate(ACCOUNTS + 1);
            int amount = (int)generate(700) - 20;
            enum answer answer = book(&ledger, from, to, amount);
            assert(ledger.turnover == (answer == ANSWER_BOOKED ? before + amount : before));
            answers[answer]++;
        }
        check(&ledger);
        check_with_entries(&ledger);
    }
    int sum = 0;
    for (int i = 0; i <= ANSWER_CLOSED; i++)
        sum += answers[i];
    assert(sum == 14);
    assert(answers[ANSWER_BOOKED] > 2);
    print_statement(&ledger);
}

int main(void)
{
    known();
    many();
    return 0;
}
