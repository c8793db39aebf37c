class Lock {
  int held;
public:
  void take() { held = 1; }
};
