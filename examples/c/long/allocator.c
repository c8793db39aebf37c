/* An allocator: an arena of words is cut into blocks with a header each, free blocks are joined with their neighbours, and whoever asks gets
   the first block, or the best one, that is large enough. Each seeded mistake (BUG1, BUG2, BUG3) makes an assertion fail. */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define ARENA 48
#define HEADER 2
#define NOTHING (-1)
#define MOST_OWNERS 8

enum policy { FIRST_FIT, BEST_FIT };

/* A header is two words: the number of words of the whole block, and who has it, or FREE. The block behind it begins where it ends. */
#define FREE 0

struct arena {
    int words[ARENA];
    enum policy policy;
    int taken;
    int highest;
};

struct statistics {
    int blocks;
    int free_blocks;
    int free_words;
    int largest;
};

/* Headers. */

static int block_size(const struct arena *arena, int block)
{
    return arena->words[block];
}

static int block_owner(const struct arena *arena, int block)
{
    return arena->words[block + 1];
}

static void set_block(struct arena *arena, int block, int size, int owner)
{
    arena->words[block] = size;
    arena->words[block + 1] = owner;
}

static int next_block(const struct arena *arena, int block)
{
    int next = block + block_size(arena, block);
    return next < ARENA ? next : NOTHING;
}

static bool is_free(const struct arena *arena, int block)
{
    return block_owner(arena, block) == FREE;
}

static void arena_init(struct arena *arena, enum policy policy)
{
    for (int i = 0; i < ARENA; i++)
        arena->words[i] = 0;
    set_block(arena, 0, ARENA, FREE);
    arena->policy = policy;
    arena->taken = 0;
    arena->highest = 0;
}

/* The blocks follow each other without a hole, and none is too small for its header. */
static bool is_sound(const struct arena *arena)
{
    int words = 0;
    for (int block = 0; block != NOTHING; block = next_block(arena, block)) {
        int size = block_size(arena, block);
        if (size < HEADER || block + size > ARENA)
            return false;
        words += size;
    }
    return words == ARENA;
}

/* No two free blocks are neighbours. */
static bool is_joined(const struct arena *arena)
{
    bool was_free = false;
    for (int block = 0; block != NOTHING; block = next_block(arena, block)) {
        if (was_free && is_free(arena, block))
            return false;
        was_free = is_free(arena, block);
    }
    return true;
}

static struct statistics count(const struct arena *arena)
{
    struct statistics found = { 0, 0, 0, 0 };
    for (int block = 0; block != NOTHING; block = next_block(arena, block)) {
        found.blocks++;
        if (!is_free(arena, block))
            continue;
        int room = block_size(arena, block) - HEADER;
        found.free_blocks++;
        found.free_words += room;
        if (room > found.largest)
            found.largest = room;
    }
    return found;
}

/* Looking for a block. */

static int first_fit(const struct arena *arena, int size)
{
    for (int block = 0; block != NOTHING; block = next_block(arena, block))
        if (is_free(arena, block) && block_size(arena, block) >= size)
            return block;
    return NOTHING;
}

static int best_fit(const struct arena *arena, int size)
{
    int best = NOTHING;
    for (int block = 0; block != NOTHING; block = next_block(arena, block)) {
        if (!is_free(arena, block) || block_size(arena, block) < size)
            continue;
#ifdef BUG1
        if (best == NOTHING || block_size(arena, block) > block_size(arena, best))
#else
        if (best == NOTHING || block_size(arena, block) < block_size(arena, best))
#endif
            best = block;
    }
    return best;
}

/* Where the owner's words begin, or NOTHING. */
static int take(struct arena *arena, int owner, int words)
{
    int size = words + HEADER;
    int block = arena->policy == FIRST_FIT ? first_fit(arena, size) : best_fit(arena, size);
    if (block == NOTHING)
        return NOTHING;
    int rest = block_size(arena, block) - size;
    /* What is left is a block of its own, if there is room for more than its header. */
    if (rest > HEADER) {
        set_block(arena, block, size, owner);
        set_block(arena, block + size, rest, FREE);
    } else {
        set_block(arena, block, block_size(arena, block), owner);
    }
    arena->taken += block_size(arena, block);
    if (arena->taken > arena->highest)
        arena->highest = arena->taken;
    return block + HEADER;
}

static void join_with_next(struct arena *arena, int block)
{
    int next = next_block(arena, block);
    if (next == NOTHING || !is_free(arena, next))
        return;
    set_block(arena, block, block_size(arena, block) + block_size(arena, next), FREE);
}

static int block_before(const struct arena *arena, int wanted)
{
    int before = NOTHING;
    for (int block = 0; block != wanted; block = next_block(arena, block))
        before = block;
    return before;
}

static void give_back(struct arena *arena, int words)
{
    int block = words - HEADER;
    assert(!is_free(arena, block));
    arena->taken -= block_size(arena, block);
    set_block(arena, block, block_size(arena, block), FREE);
    join_with_next(arena, block);
#ifndef BUG2
    int before = block_before(arena, block);
    if (before != NOTHING && is_free(arena, before))
        join_with_next(arena, before);
#endif
}

/* More room for the same words: in place if the next block is free, else somewhere else. */
static int enlarge(struct arena *arena, int words, int wanted)
{
    int block = words - HEADER;
    int size = block_size(arena, block);
    int owner = block_owner(arena, block);
    if (size - HEADER >= wanted)
        return words;
    int next = next_block(arena, block);
    if (next != NOTHING && is_free(arena, next) && size + block_size(arena, next) >= wanted + HEADER) {
        int all = size + block_size(arena, next);
        int rest = all - wanted - HEADER;
        int own = rest > HEADER ? all - rest : all;
        arena->taken += own - size;
        set_block(arena, block, own, owner);
        if (own < all)
            set_block(arena, block + own, rest, FREE);
        return words;
    }
    int other = take(arena, owner, wanted);
    if (other == NOTHING)
        return NOTHING;
    for (int i = 0; i < size - HEADER; i++)
        arena->words[other + i] = arena->words[words + i];
    give_back(arena, words);
    return other;
}

/* Owners write their number everywhere in what they have, and look later whether it is still there. */

static void fill(struct arena *arena, int words, int count, int value)
{
    for (int i = 0; i < count; i++)
        arena->words[words + i] = value;
}

static bool is_filled(const struct arena *arena, int words, int count, int value)
{
    for (int i = 0; i < count; i++)
        if (arena->words[words + i] != value)
            return false;
    return true;
}

static void check(const struct arena *arena)
{
    assert(is_sound(arena));
    assert(is_joined(arena));
    assert(arena->taken <= arena->highest);
}

static void in_order(struct arena *arena)
{
    int owned[MOST_OWNERS];
    for (int owner = 1; owner <= 4; owner++) {
        owned[owner] = take(arena, owner, 4);
        assert(owned[owner] != NOTHING);
        fill(arena, owned[owner], 4, owner * 11);
        check(arena);
    }
    give_back(arena, owned[1]);
    check(arena);
    give_back(arena, owned[3]);
    check(arena);
    assert(count(arena).free_blocks == 3);
    give_back(arena, owned[2]);
    check(arena);
    struct statistics found = count(arena);
    assert(found.free_blocks == 2);
    assert(found.largest == ARENA - 4 * 6 - HEADER);
    assert(is_filled(arena, owned[4], 4, 44));
    give_back(arena, owned[4]);
    check(arena);
    assert(count(arena).blocks == 1);
    assert(arena->taken == 0);
    assert(arena->highest == 24);
}

static void growing(struct arena *arena)
{
    int first = take(arena, 1, 3);
    fill(arena, first, 3, 7);
    int wall = take(arena, 2, 2);
    fill(arena, wall, 2, 9);
    int moved = enlarge(arena, first, 8);
    check(arena);
    assert(moved != NOTHING && moved != first);
    assert(is_filled(arena, moved, 3, 7));
    assert(is_filled(arena, wall, 2, 9));
    fill(arena, moved, 8, 5);
    int same = enlarge(arena, moved, 12);
    check(arena);
    assert(same == moved);
#ifdef BUG3
    fill(arena, same, 15, 5);
#else
    fill(arena, same, 12, 5);
#endif
    check(arena);
    assert(is_filled(arena, wall, 2, 9));
    assert(enlarge(arena, same, ARENA) == NOTHING);
    give_back(arena, wall);
    give_back(arena, same);
    check(arena);
    assert(count(arena).blocks == 1);
}

/* Holes of different sizes: the best one is not the first. */
static void holes(struct arena *arena)
{
    int large = take(arena, 1, 9);
    take(arena, 2, 1);
    int small = take(arena, 3, 4);
    take(arena, 4, 1);
    give_back(arena, large);
    give_back(arena, small);
    check(arena);
    int found = take(arena, 5, 4);
    check(arena);
    if (arena->policy == BEST_FIT)
        assert(found == small);
    else
        assert(found == large);
    assert(count(arena).free_blocks == (arena->policy == BEST_FIT ? 2 : 3));
}

int main(void)
{
    static struct arena arena;
    for (int policy = FIRST_FIT; policy <= BEST_FIT; policy++) {
        arena_init(&arena, (enum policy)policy);
        in_order(&arena);
        growing(&arena);
        holes(&arena);
        printf("%d words at most\n", arena.highest);
    }
    return 0;
}
