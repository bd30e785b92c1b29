/*
 * measure_json: measurements, curves and matrices as a result file and a unit's record hold them.
 *
 *   measurements  {NAME: {"timed": true, "samples": [{"seed": 0, "value": 38.1},
 *                         {"seed": 1, "missing": "diverged at step 120"}], "n", "mean", "sd", "interval": [low, high]}}
 *   curves        [{"name", "seed", "x": [numbers], "y": [numbers]}]
 *   matrices      [{"name", "seed", "values": [[a row's numbers], …], "row_labels", "column_labels"}]
 *
 * "seed" is absent from what is FIXED, "timed" from what is not; null is a gap. The summary (n, mean, SD and the
 * 95 % interval of the next draw, see measure.h) is for people and scripts: it is taken from the samples again when
 * they are read.
 */
#ifndef MEASURE_JSON_H
#define MEASURE_JSON_H

#include "json.h"
#include "measure.h"

Json *measurements_to_json(const Measurements *all);
Json *curves_to_json(const Measurements *all);
Json *matrices_to_json(const Measurements *all);

/* Reads the three back; what a file says is not trusted, and each shape is checked. False with a sentence that names
 * the part and the entry; then nothing is left in *all. */
bool measurements_from_json(const Json *measurements, const Json *curves, const Json *matrices,
                            Measurements *all, Err *err);

#endif
