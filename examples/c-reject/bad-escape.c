char *s = "\q";
