char *s = “abc”;
