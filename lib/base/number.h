/*
 * number: numbers as people read them.
 */
#ifndef NUMBER_H
#define NUMBER_H

/* Decimals chosen by the number: whole numbers as they are, others to five significant digits. */
enum { DECIMALS_AUTO = -1 };

/* "124,439,808", "60.45", "5.96e-8"; with a fixed number of decimals when decimals >= 0. Owned by the caller. */
char *number_text(double value, int decimals);

/* The fewest significant digits with which a finite number comes back as the same bits, 1 to 17. */
int number_digits(double value);

/* Decimals of a number as it was most likely printed: 60.45 has 2, 38 has none, 5.96e-8 DECIMALS_AUTO. */
int number_decimals(double value);

#endif
