// Forgets one instruction set's names before the next one's.
#undef ISA
#undef TARGET
#undef VL
#undef ROWS
#undef COLS
#undef VEC
#undef ZERO
#undef SET1
#undef LOAD
#undef STORE
#undef ADD
#undef MUL
#undef MAX
#undef FMA
