unsigned short *s = u"\U0001f600";
