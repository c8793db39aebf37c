int x = u'a';
