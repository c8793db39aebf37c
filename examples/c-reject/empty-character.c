int x = '';
