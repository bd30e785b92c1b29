#include "vector.h"

const float vector_lowest = -88;
