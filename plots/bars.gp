# bars.gp: groups of bars, one group for each category.
#
#   gnuplot -c bars.gp OUT.svg FOLDER
#
# FOLDER/figure.gp sets title, x_label, y_label, y_log, the range y_low … y_high, n and label[] for the n series,
# categories and tick[] for the categories. FOLDER/figure.dat holds the series one after another, two empty lines
# between them; a line is category (1, 2 …), value, low, high: the ends of the interval, both equal to the value
# when there is none.

out = ARG1
data = ARG2 . "/figure.dat"
load ARG2 . "/figure.gp"
legend = n > 1 || strlen(label[1]) ? n : 0

# Slanted labels when they would run into each other: about 8 pixels a letter, 640 for all groups.
longest = 0
do for [c = 1 : categories] { longest = strlen(tick[c]) > longest ? strlen(tick[c]) : longest }
slanted = 8 * longest > 640 / categories
below = (slanted ? 30 + 5 * longest : 40) + (strlen(x_label) ? 24 : 0)
height = 340 + below + 24 * legend
load ARG0[1 : strlen(ARG0) - strlen("bars.gp")] . "style.gp"

if (legend) { eval place_legend } else { set key off }
set bmargin at screen (legend_height(legend) + below + 0.0) / height
set style fill solid 0.85 noborder
set grid noxtics
set xzeroaxis linecolor "#555555" linetype 1
set xrange [0.4 : categories + 0.6]
if (slanted) { set xtics rotate by 35 right }
set xtics scale 0 ()
do for [c = 1 : categories] { set xtics add (tick[c] c) }
# Bars stand on zero, so that their lengths can be compared; where there is none, on a little below the least.
if (y_log) {
    set logscale y
    if (y_high > y_low) { eval "set ytics " . log_tics(y_low, y_high) }
    eval "set yrange " . padded(y_low, y_high, 1)
} else {
    top = y_high > 0 ? y_high : 0
    bottom = y_low < 0 ? y_low : 0
    span = top > bottom ? top - bottom : 1
    set yrange [bottom < 0 ? bottom - 0.05 * span : 0 : top > 0 || bottom == 0 ? top + 0.05 * span : 0]
}

width = 0.8 / n
at(category, i) = category + (i - 0.5 * (n + 1)) * width
interval = "data index %d using (at($1, %d)):3:(0):($3 < $4 ? $4 - $3 : NaN) notitle with vectors heads size screen 0.006, 90 lw 1.5 lc rgb '#222222'"
command = "plot"
do for [i = 1 : n] {
    command = command . sprintf("%s data index %d using (at($1, %d)):2:(%g) title label[%d] with boxes lc rgb '%s'", \
                                i > 1 ? "," : "", i - 1, i, 0.92 * width, i, colour_of(i))
    command = command . ", " . sprintf(interval, i - 1, i)
}
eval command
