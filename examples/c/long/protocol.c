/* Frames on a serial line: a sender escapes bytes and adds a checksum, a receiver is a state machine that takes one byte after
   another, and a window of frames waits for answers. Each seeded mistake (BUG1, BUG2, BUG3) makes an assertion fail. */

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FRAME_MARK 0x7e
#define FRAME_ESCAPE 0x7d
#define FRAME_FLIP 0x20
#define MOST_PAYLOAD 16
#define MOST_WIRE (2 * (MOST_PAYLOAD + 4) + 2)

typedef struct {
    uint8_t bytes[MOST_WIRE];
    size_t length;
} wire_t;

enum frame_type { FRAME_DATA = 1, FRAME_ANSWER = 2, FRAME_RESET = 3 };

typedef struct {
    uint8_t type;
    uint8_t number;
    uint8_t payload[MOST_PAYLOAD];
    uint8_t length;
} frame_t;

/* CRC-16 (CCITT), bit by bit. */
static uint16_t crc_step(uint16_t crc, uint8_t byte)
{
    crc ^= (uint16_t)(byte << 8);
    for (int bit = 0; bit < 8; bit++) {
        if (crc & 0x8000u)
            crc = (uint16_t)((crc << 1) ^ 0x1021u);
        else
            crc = (uint16_t)(crc << 1);
    }
    return crc;
}

static uint16_t crc_of(const uint8_t *bytes, size_t length)
{
    uint16_t crc = 0xffff;
    for (size_t i = 0; i < length; i++)
        crc = crc_step(crc, bytes[i]);
    return crc;
}

/* The sender. */

static void wire_put_plain(wire_t *wire, uint8_t byte)
{
    assert(wire->length < MOST_WIRE);
    wire->bytes[wire->length++] = byte;
}

static void wire_put(wire_t *wire, uint8_t byte)
{
#ifdef BUG1
    /* The escape itself is not escaped. */
    if (byte == FRAME_MARK) {
#else
    if (byte == FRAME_MARK || byte == FRAME_ESCAPE) {
#endif
        wire_put_plain(wire, FRAME_ESCAPE);
        byte ^= FRAME_FLIP;
    }
    wire_put_plain(wire, byte);
}

static void frame_send(wire_t *wire, const frame_t *frame)
{
    uint8_t header[2] = { frame->type, frame->number };
    uint16_t crc = crc_of(header, 2);
    wire->length = 0;
    wire_put_plain(wire, FRAME_MARK);
    wire_put(wire, header[0]);
    wire_put(wire, header[1]);
    for (uint8_t i = 0; i < frame->length; i++) {
        crc = crc_step(crc, frame->payload[i]);
        wire_put(wire, frame->payload[i]);
    }
    wire_put(wire, (uint8_t)(crc >> 8));
    wire_put(wire, (uint8_t)(crc & 0xff));
    wire_put_plain(wire, FRAME_MARK);
}

/* The receiver. */

enum receiver_state { STATE_IDLE, STATE_INSIDE, STATE_ESCAPED };

typedef struct {
    enum receiver_state state;
    uint8_t bytes[MOST_PAYLOAD + 4];
    size_t length;
    unsigned good, bad, lost;
} receiver_t;

static void receiver_init(receiver_t *receiver)
{
    receiver->state = STATE_IDLE;
    receiver->length = 0;
    receiver->good = receiver->bad = receiver->lost = 0;
}

static bool receiver_end(receiver_t *receiver, frame_t *frame)
{
    if (receiver->length < 4) {
        receiver->bad++;
        return false;
    }
    size_t length = receiver->length - 2;
    uint16_t wanted = (uint16_t)(receiver->bytes[length] << 8 | receiver->bytes[length + 1]);
    if (crc_of(receiver->bytes, length) != wanted) {
        receiver->bad++;
        return false;
    }
    frame->type = receiver->bytes[0];
    frame->number = receiver->bytes[1];
    frame->length = (uint8_t)(length - 2);
    memcpy(frame->payload, receiver->bytes + 2, frame->length);
    receiver->good++;
    return true;
}

static void receiver_store(receiver_t *receiver, uint8_t byte)
{
    if (receiver->length == sizeof receiver->bytes) {
        /* Too long: what is left of it is nobody's. */
        receiver->lost++;
        receiver->state = STATE_IDLE;
        return;
    }
    receiver->bytes[receiver->length++] = byte;
}

/* Takes a byte; whether a frame has come to its end. */
static bool receiver_take(receiver_t *receiver, uint8_t byte, frame_t *frame)
{
    switch (receiver->state) {
    case STATE_IDLE:
        if (byte == FRAME_MARK) {
            receiver->state = STATE_INSIDE;
            receiver->length = 0;
        }
        return false;
    case STATE_INSIDE:
        if (byte == FRAME_MARK) {
            if (receiver->length == 0)
                return false;
#ifdef BUG2
            /* What comes next is taken for a part of this frame. */
            return receiver_end(receiver, frame);
#else
            receiver->state = STATE_IDLE;
            return receiver_end(receiver, frame);
#endif
        }
        if (byte == FRAME_ESCAPE) {
            receiver->state = STATE_ESCAPED;
            return false;
        }
        receiver_store(receiver, byte);
        return false;
    case STATE_ESCAPED:
        receiver->state = STATE_INSIDE;
        receiver_store(receiver, byte ^ FRAME_FLIP);
        return false;
    }
    return false;
}

/* A window: at most so many frames are on their way, and those that are answered make room. */

#define WINDOW 4

typedef struct {
    uint8_t first;
    uint8_t count;
    bool answered[WINDOW];
} window_t;

static bool window_send(window_t *window, uint8_t *number)
{
    if (window->count == WINDOW)
        return false;
    *number = (uint8_t)(window->first + window->count);
    window->answered[*number % WINDOW] = false;
    window->count++;
    return true;
}

static bool window_answer(window_t *window, uint8_t number)
{
    uint8_t distance = (uint8_t)(number - window->first);
#ifdef BUG3
    /* The number behind the last one is taken, too. */
    if (distance > window->count)
        return false;
#else
    if (distance >= window->count)
        return false;
#endif
    window->answered[number % WINDOW] = true;
    while (window->count > 0 && window->answered[window->first % WINDOW]) {
        window->answered[window->first % WINDOW] = false;
        window->first++;
        window->count--;
    }
    return true;
}

/* Sends a frame through the wire; whether it comes out as it went in. */
static bool round_trip(receiver_t *receiver, const frame_t *frame)
{
    wire_t wire;
    frame_t result;
    bool is_there = false;
    frame_send(&wire, frame);
    for (size_t i = 0; i < wire.length; i++) {
        bool ended = receiver_take(receiver, wire.bytes[i], &result);
        if (ended) {
            assert(!is_there);
            is_there = true;
        }
    }
    if (!is_there || result.type != frame->type || result.number != frame->number || result.length != frame->length)
        return false;
    for (uint8_t i = 0; i < frame->length; i++)
        if (result.payload[i] != frame->payload[i])
            return false;
    return true;
}

static void test_checksum(void)
{
    static const uint8_t digits[] = { '1', '2', '3', '4', '5', '6', '7', '8', '9' };
    assert(crc_of(digits, sizeof digits) == 0x29b1);
    assert(crc_of(digits, 0) == 0xffff);
}

static void test_frames(void)
{
    receiver_t receiver;
    frame_t frame = { FRAME_DATA, 7, { 'h', 'e', 'l', 'l', 'o' }, 5 };
    receiver_init(&receiver);
    assert(round_trip(&receiver, &frame));
    frame.number = 8;
    frame.payload[1] = FRAME_ESCAPE;
    frame.payload[2] = FRAME_MARK;
    frame.payload[3] = FRAME_ESCAPE ^ FRAME_FLIP;
    assert(round_trip(&receiver, &frame));
    frame.type = FRAME_ANSWER;
    frame.length = 0;
    assert(round_trip(&receiver, &frame));
    assert(receiver.good == 3 && receiver.bad == 0 && receiver.lost == 0);
    assert(receiver.state == STATE_IDLE);
}

static void test_noise(void)
{
    receiver_t receiver;
    wire_t wire;
    frame_t frame = { FRAME_RESET, 1, { 1, 2, 3 }, 3 }, result;
    receiver_init(&receiver);
    frame_send(&wire, &frame);
    /* One bit is wrong. */
    wire.bytes[4] ^= 1;
    for (size_t i = 0; i < wire.length; i++) {
        bool ended = receiver_take(&receiver, wire.bytes[i], &result);
        assert(!ended);
    }
    assert(receiver.bad == 1 && receiver.good == 0);
    assert(round_trip(&receiver, &frame));
    /* A frame that is too short, and one that never ends. */
    receiver_take(&receiver, FRAME_MARK, &result);
    receiver_take(&receiver, 5, &result);
    assert(!receiver_take(&receiver, FRAME_MARK, &result));
    assert(receiver.bad == 2);
    receiver_take(&receiver, FRAME_MARK, &result);
    for (int i = 0; i < 30; i++)
        assert(!receiver_take(&receiver, (uint8_t)i, &result));
    assert(receiver.lost == 1 && receiver.state == STATE_IDLE);
}

static void test_window(void)
{
    window_t window = { 254, 0, { false, false, false, false } };
    uint8_t number = 0;
    for (int i = 0; i < WINDOW; i++) {
        bool sent = window_send(&window, &number);
        assert(sent && number == (uint8_t)(254 + i));
    }
    assert(!window_send(&window, &number));
    assert(window_answer(&window, 0));
    assert(window.count == 4);
    assert(window_answer(&window, 254));
    assert(window.first == 255 && window.count == 3);
    assert(window_answer(&window, 255));
    assert(window.first == 1 && window.count == 1);
    assert(!window_answer(&window, 200));
    assert(!window_answer(&window, 2));
    assert(window_answer(&window, 1));
    assert(window.count == 0);
}

int main(void)
{
    test_checksum();
    test_frames();
    test_noise();
    test_window();
    puts("all tests have passed");
    return 0;
}
