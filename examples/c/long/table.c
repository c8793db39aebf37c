/* A hash table with texts as keys: chains, growth by another array, removal, iteration. Each seeded mistake (BUG1, BUG2, BUG3)
   makes an assertion fail. */

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    uint32_t hash;
    int value;
    char key[16];
};

struct table {
    struct entry **buckets;
    size_t size;
    size_t count;
};

struct statistics {
    size_t longest;
    size_t empty;
    size_t total;
};

/* FNV-1a. */
static uint32_t hash_text(const char *text)
{
    uint32_t hash = 2166136261u;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        hash ^= *c;
        hash *= 16777619u;
    }
    return hash;
}

static bool table_init(struct table *table, size_t size)
{
    table->buckets = calloc(size, sizeof *table->buckets);
    if (table->buckets == NULL)
        return false;
    table->size = size;
    table->count = 0;
    return true;
}

static void table_free(struct table *table)
{
    for (size_t i = 0; i < table->size; i++) {
        struct entry *entry = table->buckets[i];
        while (entry != NULL) {
            struct entry *next = entry->next;
            free(entry);
            entry = next;
        }
    }
    free(table->buckets);
    table->buckets = NULL;
    table->size = table->count = 0;
}

static struct entry *table_find(const struct table *table, const char *key)
{
    uint32_t hash = hash_text(key);
    struct entry *entry = table->buckets[hash % table->size];
    while (entry != NULL) {
        if (entry->hash == hash && strcmp(entry->key, key) == 0)
            return entry;
        entry = entry->next;
    }
    return NULL;
}

static bool table_grow(struct table *table)
{
    size_t size = table->size * 2;
    struct entry **buckets = calloc(size, sizeof *buckets);
    if (buckets == NULL)
        return false;
    for (size_t i = 0; i < table->size; i++) {
        struct entry *entry = table->buckets[i];
        while (entry != NULL) {
            struct entry *next = entry->next;
#ifdef BUG1
            /* The bucket is that of the old size. */
            size_t position = entry->hash % table->size;
#else
            size_t position = entry->hash % size;
#endif
            entry->next = buckets[position];
            buckets[position] = entry;
            entry = next;
        }
    }
    free(table->buckets);
    table->buckets = buckets;
    table->size = size;
    return true;
}

enum outcome { OUTCOME_ADDED, OUTCOME_CHANGED, OUTCOME_NO_MEMORY, OUTCOME_TOO_LONG };

static enum outcome table_put(struct table *table, const char *key, int value)
{
    struct entry *entry = table_find(table, key);
    if (entry != NULL) {
        entry->value = value;
        return OUTCOME_CHANGED;
    }
    if (strlen(key) >= sizeof entry->key)
        return OUTCOME_TOO_LONG;
    if (table->count >= table->size && !table_grow(table))
        return OUTCOME_NO_MEMORY;
    entry = malloc(sizeof *entry);
    if (entry == NULL)
        return OUTCOME_NO_MEMORY;
    strcpy(entry->key, key);
    entry->hash = hash_text(key);
    entry->value = value;
    struct entry **bucket = &table->buckets[entry->hash % table->size];
    entry->next = *bucket;
    *bucket = entry;
    table->count++;
    return OUTCOME_ADDED;
}

static bool table_get(const struct table *table, const char *key, int *value)
{
    struct entry *entry = table_find(table, key);
    if (entry == NULL)
        return false;
    *value = entry->value;
    return true;
}

static bool table_remove(struct table *table, const char *key)
{
    uint32_t hash = hash_text(key);
    struct entry **link = &table->buckets[hash % table->size];
    while (*link != NULL) {
        struct entry *entry = *link;
        if (entry->hash == hash && strcmp(entry->key, key) == 0) {
#ifdef BUG2
            /* What comes behind in the chain is lost. */
            *link = NULL;
#else
            *link = entry->next;
#endif
            free(entry);
            table->count--;
            return true;
        }
        link = &entry->next;
    }
    return false;
}

static long table_sum(const struct table *table)
{
    long sum = 0;
    for (size_t i = 0; i < table->size; i++)
        for (const struct entry *entry = table->buckets[i]; entry != NULL; entry = entry->next)
            sum += entry->value;
    return sum;
}

static struct statistics table_statistics(const struct table *table)
{
    struct statistics statistics = { 0, 0, 0 };
    for (size_t i = 0; i < table->size; i++) {
        size_t length = 0;
        for (const struct entry *entry = table->buckets[i]; entry != NULL; entry = entry->next)
            length++;
        if (length == 0)
            statistics.empty++;
        if (length > statistics.longest)
            statistics.longest = length;
        statistics.total += length;
    }
    return statistics;
}

/* Every entry is in the bucket that its hash says, and as many are there as are counted. */
static bool table_is_sound(const struct table *table)
{
    size_t count = 0;
    for (size_t i = 0; i < table->size; i++) {
        for (const struct entry *entry = table->buckets[i]; entry != NULL; entry = entry->next) {
            if (entry->hash % table->size != i || entry->hash != hash_text(entry->key))
                return false;
            count++;
        }
    }
    return count == table->count;
}

/* A text becomes its words, which are counted. */
static bool count_words(struct table *table, const char *text)
{
    char word[16];
    size_t length = 0;
    for (;; text++) {
        if (*text != ' ' && *text != '\0') {
#ifdef BUG3
            /* Words end at the second character. */
            if (length < 2)
                word[length++] = *text;
#else
            if (length < sizeof word - 1)
                word[length++] = *text;
#endif
            continue;
        }
        if (length > 0) {
            int known = 0;
            word[length] = '\0';
            if (!table_get(table, word, &known))
                known = 0;
            enum outcome outcome = table_put(table, word, known + 1);
            if (outcome == OUTCOME_NO_MEMORY)
                return false;
            length = 0;
        }
        if (*text == '\0')
            return true;
    }
}

static int test_numbers(void)
{
    static const char *const names[] = { "zero", "one", "two", "three", "four", "five" };
    struct table table;
    int value;
    if (!table_init(&table, 2))
        return 1;
    for (int i = 0; i < 6; i++) {
        enum outcome outcome = table_put(&table, names[i], i * 10);
        if (outcome == OUTCOME_NO_MEMORY) {
            table_free(&table);
            return 1;
        }
        assert(outcome == OUTCOME_ADDED);
    }
    assert(table.count == 6);
    assert(table_is_sound(&table));
    for (int i = 0; i < 6; i++) {
        bool found = table_get(&table, names[i], &value);
        assert(found && value == i * 10);
    }
    assert(!table_get(&table, "seven", &value));
    assert(table_sum(&table) == 150);
    assert(table_put(&table, "two", 21) == OUTCOME_CHANGED);
    assert(table_sum(&table) == 151);
    assert(table_put(&table, "a key that is too long", 1) == OUTCOME_TOO_LONG);
    assert(table_remove(&table, "five"));
    assert(table_remove(&table, "four"));
    assert(!table_remove(&table, "four"));
    assert(table_is_sound(&table));
    assert(table_get(&table, "zero", &value) && value == 0);
    assert(table_get(&table, "one", &value) && value == 10);
    assert(table_get(&table, "three", &value) && value == 30);
    struct statistics statistics = table_statistics(&table);
    assert(statistics.total == table.count);
    printf("longest chain: %zu, empty: %zu\n", statistics.longest, statistics.empty);
    table_free(&table);
    assert(table.count == 0);
    return 0;
}

static int test_words(void)
{
    struct table table;
    int value = 0;
    if (!table_init(&table, 4))
        return 1;
    if (!count_words(&table, "the then the there  the")) {
        table_free(&table);
        return 1;
    }
    assert(table.count == 3);
    assert(table_get(&table, "the", &value) && value == 3);
    assert(table_get(&table, "then", &value) && value == 1);
    assert(!table_get(&table, "th", &value));
    table_free(&table);
    return 0;
}

int main(void)
{
    if (test_numbers() != 0 || test_words() != 0) {
        puts("there is no memory");
        return 1;
    }
    puts("all tests have passed");
    return 0;
}
