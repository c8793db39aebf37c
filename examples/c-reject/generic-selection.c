int x = _Generic(1, int: 1, default: 2);
