/* An editor: a text with a gap where the cursor is, marks that move with the text, a history that can be undone and done again, and commands written
   as characters. Each seeded mistake (BUG1, BUG2, BUG3) makes an assertion fail. */

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ROOM 32
#define MOST_CHANGES 24
#define MARKS 3

enum change_kind { CHANGE_INSERTED, CHANGE_DELETED };

struct change {
    enum change_kind kind;
    int position;
    char character;
};

struct history {
    struct change changes[MOST_CHANGES];
    /* How many there are, and how many of these are not undone. */
    int count, done;
};

struct buffer {
    char text[ROOM];
    /* The gap is from here to there; the cursor is before it. */
    int gap, behind;
    int marks[MARKS];
    struct history history;
    bool is_replaying;
};

/* The text and its gap. */

static void buffer_init(struct buffer *buffer)
{
    buffer->gap = 0;
    buffer->behind = ROOM;
    for (int i = 0; i < MARKS; i++)
        buffer->marks[i] = 0;
    buffer->history.count = 0;
    buffer->history.done = 0;
    buffer->is_replaying = false;
}

static int length(const struct buffer *buffer)
{
    return ROOM - (buffer->behind - buffer->gap);
}

static char at(const struct buffer *buffer, int position)
{
    assert(position >= 0 && position < length(buffer));
    return position < buffer->gap ? buffer->text[position] : buffer->text[position + (buffer->behind - buffer->gap)];
}

static void move_to(struct buffer *buffer, int position)
{
    assert(position >= 0 && position <= length(buffer));
    while (buffer->gap > position)
        buffer->text[--buffer->behind] = buffer->text[--buffer->gap];
    while (buffer->gap < position)
        buffer->text[buffer->gap++] = buffer->text[buffer->behind++];
}

static void copy_out(const struct buffer *buffer, char *target)
{
    int n = length(buffer);
    for (int i = 0; i < n; i++)
        target[i] = at(buffer, i);
    target[n] = '\0';
}

static bool is_text(const struct buffer *buffer, const char *expected)
{
    char text[ROOM + 1];
    copy_out(buffer, text);
    return strcmp(text, expected) == 0;
}

/* History. */

static void note(struct buffer *buffer, enum change_kind kind, int position, char character)
{
    struct history *history = &buffer->history;
    if (buffer->is_replaying)
        return;
    if (history->done == MOST_CHANGES) {
        /* The oldest is forgotten. */
        for (int i = 1; i < history->done; i++)
            history->changes[i - 1] = history->changes[i];
        history->done--;
    }
    history->changes[history->done].kind = kind;
    history->changes[history->done].position = position;
    history->changes[history->done].character = character;
    history->done++;
    history->count = history->done;
}

/* Changes. */

static bool insert(struct buffer *buffer, char character)
{
    if (buffer->gap == buffer->behind)
        return false;
    int position = buffer->gap;
    buffer->text[buffer->gap++] = character;
    for (int i = 0; i < MARKS; i++)
#ifdef BUG1
        if (buffer->marks[i] >= position)
#else
        if (buffer->marks[i] > position)
#endif
            buffer->marks[i]++;
    note(buffer, CHANGE_INSERTED, position, character);
    return true;
}

static bool delete_before(struct buffer *buffer)
{
    if (buffer->gap == 0)
        return false;
    int position = --buffer->gap;
    char character = buffer->text[position];
    for (int i = 0; i < MARKS; i++)
        if (buffer->marks[i] > position)
            buffer->marks[i]--;
    note(buffer, CHANGE_DELETED, position, character);
    return true;
}

static void apply(struct buffer *buffer, enum change_kind kind, int position, char character)
{
    buffer->is_replaying = true;
    if (kind == CHANGE_INSERTED) {
        move_to(buffer, position);
        bool is_done = insert(buffer, character);
        assert(is_done);
    } else {
        move_to(buffer, position + 1);
        assert(at(buffer, position) == character);
        bool is_done = delete_before(buffer);
        assert(is_done);
    }
    buffer->is_replaying = false;
}

static bool undo(struct buffer *buffer)
{
    struct history *history = &buffer->history;
    if (history->done == 0)
        return false;
    const struct change *change = &history->changes[--history->done];
    apply(buffer, change->kind == CHANGE_INSERTED ? CHANGE_DELETED : CHANGE_INSERTED, change->position, change->character);
    return true;
}

static bool redo(struct buffer *buffer)
{
    struct history *history = &buffer->history;
    if (history->done == history->count)
        return false;
    const struct change *change = &history->changes[history->done++];
#ifdef BUG2
    apply(buffer, CHANGE_INSERTED, change->position, change->character);
#else
    apply(buffer, change->kind, change->position, change->character);
#endif
    return true;
}

/* Words. */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void word_forward(struct buffer *buffer)
{
    int n = length(buffer), to = buffer->gap;
    while (to < n && is_word(at(buffer, to)))
        to++;
    while (to < n && !is_word(at(buffer, to)))
        to++;
    move_to(buffer, to);
}

static void word_back(struct buffer *buffer)
{
    int to = buffer->gap;
#ifdef BUG3
    while (to > 1 && !is_word(at(buffer, to - 1)))
#else
    while (to > 0 && !is_word(at(buffer, to - 1)))
#endif
        to--;
    while (to > 0 && is_word(at(buffer, to - 1)))
        to--;
    move_to(buffer, to);
}

static int find(const struct buffer *buffer, char character, int from)
{
    int n = length(buffer);
    for (int i = from; i < n; i++)
        if (at(buffer, i) == character)
            return i;
    return -1;
}

static void capitalize(struct buffer *buffer)
{
    int position = buffer->gap;
    if (position == length(buffer))
        return;
    char character = at(buffer, position);
    move_to(buffer, position + 1);
    delete_before(buffer);
    insert(buffer, (char)toupper((unsigned char)character));
}

/* Commands: `i…;` inserts, `x` deletes before the cursor, `h` and `l` move by one, `b` and `w` by words, `0` and `$` to the ends, `u` and `r` undo and do again,
   `m` and a digit set a mark, `g` and a digit go there, `f` and a character look for one, `~` makes it a capital. How many were not understood is the result. */
static int execute(struct buffer *buffer, const char *commands)
{
    int wrong = 0;
    for (int i = 0; commands[i] != '\0'; i++) {
        bool is_done = true;
        switch (commands[i]) {
        case 'i':
            for (i++; commands[i] != ';'; i++)
                is_done = insert(buffer, commands[i]) && is_done;
            break;
        case 'x':
            is_done = delete_before(buffer);
            break;
        case 'h':
            is_done = buffer->gap > 0;
            if (is_done)
                move_to(buffer, buffer->gap - 1);
            break;
        case 'l':
            is_done = buffer->gap < length(buffer);
            if (is_done)
                move_to(buffer, buffer->gap + 1);
            break;
        case 'b':
            word_back(buffer);
            break;
        case 'w':
            word_forward(buffer);
            break;
        case '0':
            move_to(buffer, 0);
            break;
        case '$':
            move_to(buffer, length(buffer));
            break;
        case 'u':
            is_done = undo(buffer);
            break;
        case 'r':
            is_done = redo(buffer);
            break;
        case 'm':
            buffer->marks[commands[++i] - '0'] = buffer->gap;
            break;
        case 'g':
            move_to(buffer, buffer->marks[commands[++i] - '0']);
            break;
        case 'f': {
            int found = find(buffer, commands[++i], buffer->gap);
            is_done = found >= 0;
            if (is_done)
                move_to(buffer, found);
            break;
        }
        case '~':
            capitalize(buffer);
            break;
        default:
            is_done = false;
            break;
        }
        if (!is_done)
            wrong++;
        for (int mark = 0; mark < MARKS; mark++)
            assert(buffer->marks[mark] >= 0 && buffer->marks[mark] <= length(buffer));
    }
    return wrong;
}

int main(void)
{
    static struct buffer buffer;
    buffer_init(&buffer);
    assert(execute(&buffer, "ione three;b") == 0);
    assert(is_text(&buffer, "one three"));
    assert(buffer.gap == 4);
    assert(execute(&buffer, "m1itwo ;") == 0);
    assert(is_text(&buffer, "one two three"));
    assert(buffer.marks[1] == 4);
    assert(execute(&buffer, "g1~$xx") == 0);
    assert(is_text(&buffer, "one Two thr"));
    assert(execute(&buffer, "uuuu") == 0);
    assert(is_text(&buffer, "one two three"));
    assert(execute(&buffer, "rrrrr") == 1);
    assert(is_text(&buffer, "one Two thr"));
    assert(execute(&buffer, "0fTm2x") == 0);
    assert(is_text(&buffer, "oneTwo thr"));
    assert(buffer.marks[2] == 3);
    assert(execute(&buffer, "0i  ;$bbb") == 0);
    assert(buffer.gap == 0 || buffer.gap == 2);
    assert(execute(&buffer, "0wbx") == 1);
    assert(buffer.gap == 0);
    assert(execute(&buffer, "fz?h") == 3);
    assert(is_text(&buffer, "  oneTwo thr"));
    printf("%d characters, %d changes\n", length(&buffer), buffer.history.done);
    return 0;
}
