/* A parser of arithmetic expressions: characters become tokens, tokens a tree in memory of its own, the tree a number. Each
   seeded mistake (BUG1, BUG2, BUG3) makes an assertion fail. */

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum token_kind {
    TOKEN_END,
    TOKEN_NUMBER,
    TOKEN_NAME,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_TIMES,
    TOKEN_DIVIDE,
    TOKEN_POWER,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_WRONG
};

struct token {
    enum token_kind kind;
    long number;
    /* Where a name begins in the text, and how long it is. */
    size_t begin, length;
};

struct lexer {
    const char *text;
    size_t position;
};

static void lexer_init(struct lexer *lexer, const char *text)
{
    lexer->text = text;
    lexer->position = 0;
}

static int lexer_peek(const struct lexer *lexer)
{
    return (unsigned char)lexer->text[lexer->position];
}

static struct token lexer_next(struct lexer *lexer)
{
    struct token token = { TOKEN_WRONG, 0, 0, 0 };
    while (isspace(lexer_peek(lexer)))
        lexer->position++;
    int c = lexer_peek(lexer);
    if (c == '\0') {
        token.kind = TOKEN_END;
        return token;
    }
    if (isdigit(c)) {
        token.kind = TOKEN_NUMBER;
        while (isdigit(lexer_peek(lexer))) {
            token.number = token.number * 10 + (lexer_peek(lexer) - '0');
            lexer->position++;
        }
        return token;
    }
    if (isalpha(c)) {
        token.kind = TOKEN_NAME;
        token.begin = lexer->position;
        while (isalnum(lexer_peek(lexer)))
            lexer->position++;
        token.length = lexer->position - token.begin;
        return token;
    }
    lexer->position++;
    switch (c) {
    case '+':
        token.kind = TOKEN_PLUS;
        break;
    case '-':
        token.kind = TOKEN_MINUS;
        break;
    case '*':
        token.kind = TOKEN_TIMES;
        break;
    case '/':
        token.kind = TOKEN_DIVIDE;
        break;
    case '^':
        token.kind = TOKEN_POWER;
        break;
    case '(':
        token.kind = TOKEN_OPEN;
        break;
    case ')':
        token.kind = TOKEN_CLOSE;
        break;
    default:
        break;
    }
    return token;
}

/* The tree: nodes in one array, which speak of each other by their numbers. */

enum node_kind { NODE_NUMBER, NODE_NAME, NODE_NEGATE, NODE_BINARY };

struct node {
    enum node_kind kind;
    enum token_kind operator;
    long number;
    size_t begin, length;
    int left, right;
};

#define MOST_NODES 64

struct tree {
    struct node nodes[MOST_NODES];
    int count;
};

enum status { STATUS_OK, STATUS_SYNTAX, STATUS_FULL, STATUS_UNKNOWN_NAME, STATUS_DIVIDED_BY_ZERO };

struct parser {
    struct lexer lexer;
    struct token token;
    struct tree *tree;
    enum status status;
    int depth;
};

static void parser_fail(struct parser *parser, enum status status)
{
    if (parser->status == STATUS_OK)
        parser->status = status;
}

static void parser_advance(struct parser *parser)
{
    parser->token = lexer_next(&parser->lexer);
    if (parser->token.kind == TOKEN_WRONG)
        parser_fail(parser, STATUS_SYNTAX);
}

static int tree_add(struct parser *parser, enum node_kind kind, enum token_kind operator, int left, int right)
{
    struct tree *tree = parser->tree;
    if (tree->count == MOST_NODES) {
        parser_fail(parser, STATUS_FULL);
        return -1;
    }
    struct node *node = &tree->nodes[tree->count];
    node->kind = kind;
    node->operator = operator;
    node->number = 0;
    node->begin = parser->token.begin;
    node->length = parser->token.length;
    node->left = left;
    node->right = right;
    return tree->count++;
}

static int parse_sum(struct parser *parser);

static int parse_operand(struct parser *parser)
{
    int node = -1;
    switch (parser->token.kind) {
    case TOKEN_NUMBER:
        node = tree_add(parser, NODE_NUMBER, TOKEN_END, -1, -1);
        if (node >= 0)
            parser->tree->nodes[node].number = parser->token.number;
        parser_advance(parser);
        break;
    case TOKEN_NAME:
        node = tree_add(parser, NODE_NAME, TOKEN_END, -1, -1);
        parser_advance(parser);
        break;
    case TOKEN_MINUS:
        parser_advance(parser);
        node = tree_add(parser, NODE_NEGATE, TOKEN_MINUS, parse_operand(parser), -1);
        break;
    case TOKEN_OPEN:
        parser->depth++;
        parser_advance(parser);
        node = parse_sum(parser);
        if (parser->token.kind != TOKEN_CLOSE) {
            parser_fail(parser, STATUS_SYNTAX);
            break;
        }
        parser->depth--;
        parser_advance(parser);
        break;
    default:
        parser_fail(parser, STATUS_SYNTAX);
        break;
    }
    return node;
}

static int parse_power(struct parser *parser)
{
    int left = parse_operand(parser);
    if (parser->token.kind == TOKEN_POWER && parser->status == STATUS_OK) {
        parser_advance(parser);
#ifdef BUG1
        /* Powers from the left: 2 ^ 3 ^ 2 is no longer 512. */
        left = tree_add(parser, NODE_BINARY, TOKEN_POWER, left, parse_operand(parser));
        if (parser->token.kind == TOKEN_POWER) {
            parser_advance(parser);
            left = tree_add(parser, NODE_BINARY, TOKEN_POWER, left, parse_operand(parser));
        }
        return left;
#else
        return tree_add(parser, NODE_BINARY, TOKEN_POWER, left, parse_power(parser));
#endif
    }
    return left;
}

static int parse_product(struct parser *parser)
{
    int left = parse_power(parser);
    while (parser->status == STATUS_OK
           && (parser->token.kind == TOKEN_TIMES || parser->token.kind == TOKEN_DIVIDE)) {
        enum token_kind operator = parser->token.kind;
        parser_advance(parser);
        int right = parse_power(parser);
        left = tree_add(parser, NODE_BINARY, operator, left, right);
    }
    return left;
}

static int parse_sum(struct parser *parser)
{
    int left = parse_product(parser);
    while (parser->status == STATUS_OK && (parser->token.kind == TOKEN_PLUS || parser->token.kind == TOKEN_MINUS)) {
        enum token_kind operator = parser->token.kind;
        parser_advance(parser);
        int right = parse_product(parser);
        left = tree_add(parser, NODE_BINARY, operator, left, right);
    }
    return left;
}

static enum status parse(struct tree *tree, const char *text, int *root)
{
    struct parser parser;
    tree->count = 0;
    parser.tree = tree;
    parser.status = STATUS_OK;
    parser.depth = 0;
    lexer_init(&parser.lexer, text);
    parser_advance(&parser);
    *root = parse_sum(&parser);
    if (parser.token.kind != TOKEN_END)
        parser_fail(&parser, STATUS_SYNTAX);
#ifndef BUG2
    assert(parser.status != STATUS_OK || parser.depth == 0);
#else
    assert(parser.depth == 0);
#endif
    return parser.status;
}

/* Values of names. */

struct binding {
    const char *name;
    long value;
};

static const struct binding bindings[] = { { "one", 1 }, { "ten", 10 }, { "dozen", 12 } };

static enum status lookup(const char *name, size_t length, long *value)
{
    for (size_t i = 0; i < sizeof bindings / sizeof bindings[0]; i++) {
        if (strlen(bindings[i].name) == length && strncmp(bindings[i].name, name, length) == 0) {
            *value = bindings[i].value;
            return STATUS_OK;
        }
    }
    return STATUS_UNKNOWN_NAME;
}

static long power(long base, long exponent)
{
    long result = 1;
    while (exponent > 0) {
        if (exponent % 2 == 1)
            result *= base;
        exponent /= 2;
        if (exponent > 0)
            base *= base;
    }
    return result;
}

static enum status evaluate(const struct tree *tree, const char *text, int index, long *value)
{
    const struct node *node = &tree->nodes[index];
    long left, right;
    enum status status;
    switch (node->kind) {
    case NODE_NUMBER:
        *value = node->number;
        return STATUS_OK;
    case NODE_NAME:
        return lookup(text + node->begin, node->length, value);
    case NODE_NEGATE:
        status = evaluate(tree, text, node->left, &left);
        *value = -left;
        return status;
    case NODE_BINARY:
        break;
    }
    status = evaluate(tree, text, node->left, &left);
    if (status != STATUS_OK)
        return status;
    status = evaluate(tree, text, node->right, &right);
    if (status != STATUS_OK)
        return status;
    switch (node->operator) {
    case TOKEN_PLUS:
        *value = left + right;
        break;
    case TOKEN_MINUS:
        *value = left - right;
        break;
    case TOKEN_TIMES:
        *value = left * right;
        break;
    case TOKEN_DIVIDE:
        if (right == 0)
            return STATUS_DIVIDED_BY_ZERO;
        *value = left / right;
        break;
    default:
        *value = power(left, right);
        break;
    }
    return STATUS_OK;
}

static enum status calculate(const char *text, long *value)
{
    static struct tree tree;
    int root;
    enum status status = parse(&tree, text, &root);
    if (status != STATUS_OK)
        return status;
#ifdef BUG3
    /* The first node is the leftmost operand, and not the root. */
    root = 0;
#endif
    return evaluate(&tree, text, root, value);
}

static void expect(const char *text, long wanted)
{
    long value = 0;
    enum status status = calculate(text, &value);
    assert(status == STATUS_OK);
    assert(value == wanted);
    printf("%s = %ld\n", text, value);
}

static void expect_failure(const char *text, enum status wanted)
{
    long value = 0;
    enum status status = calculate(text, &value);
    assert(status == wanted);
    printf("%s: status %d\n", text, status);
}

int main(void)
{
    expect("42", 42);
    expect("1 + 2 * 3", 7);
    expect("(1 + 2) * 3", 9);
    expect("2 ^ 3 ^ 2", 512);
    expect("ten - 3 - one", 6);
    expect("-(dozen / 5)", -2);
    expect_failure("1 +", STATUS_SYNTAX);
    expect_failure("(1", STATUS_SYNTAX);
    expect_failure("2 $ 2", STATUS_SYNTAX);
    expect_failure("many", STATUS_UNKNOWN_NAME);
    expect_failure("1 / (2 - 2)", STATUS_DIVIDED_BY_ZERO);
    return 0;
}
