int x = 'hello';
