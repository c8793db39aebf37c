struct s { int a; } x = { .a 1 };
