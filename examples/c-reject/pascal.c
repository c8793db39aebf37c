function f(x: integer): integer;
begin
  f := x + 1;
end;
