#include "schedule.h"

double schedule_rate(Schedule schedule, long step)
{
    return step < schedule.warmup ? schedule.rate * (double)step / (double)schedule.warmup : schedule.rate;
}
