strcut s { int a; };
