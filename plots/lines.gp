# lines.gp: curves and points.
#
#   gnuplot -c lines.gp OUT.svg FOLDER
#
# FOLDER/figure.gp sets title, x_label, y_label, x_log, y_log, the ranges x_low, x_high, y_low and y_high (of what
# a logarithmic axis can show), n, and for each of the n series label[], style[] ("line", "dashed", "points" or
# "bars") and points[] (how many, at most, in one piece); x_tics, when not empty, are the ticks of a logarithmic
# x axis, as they stand behind `set xtics`. FOLDER/figure.dat holds the series one after another, two empty lines
# between them; one empty line interrupts a series (the next seed).

out = ARG1
data = ARG2 . "/figure.dat"
load ARG2 . "/figure.gp"
height = 400 + 24 * n
load ARG0[1 : strlen(ARG0) - strlen("lines.gp")] . "style.gp"

eval place_legend
set bmargin at screen (legend_height(n) + 60.0) / height
set style fill solid 0.6 noborder
if (x_log) { set logscale x }
if (y_log) { set logscale y }
if (y_log && y_high > y_low) { eval "set ytics " . log_tics(y_low, y_high) }
if (x_log && x_high > x_low) { eval "set xtics " . (strlen(x_tics) ? x_tics : log_tics(x_low, x_high)) }
do for [i = 1 : n] {
    # Half a bar stands beyond the first and the last point.
    if (style[i] eq "bars" && points[i] > 1) { x_low = x_low - 0.5 * (x_high - x_low) / points[i] }
    if (style[i] eq "bars" && points[i] > 1) { x_high = x_high + 0.5 * (x_high - x_low) / points[i] }
}
eval "set xrange " . padded(x_low, x_high, x_log)
eval "set yrange " . padded(y_low, y_high, y_log)

line(i) = style[i] eq "line" && points[i] <= 30 ? "linespoints pt 7 ps 0.45" : "lines"
look(i) = style[i] eq "points" ? "points pt 7 ps 0.6" : style[i] eq "bars" ? "boxes" : \
          sprintf("%s lw 2 dt %d", line(i), style[i] eq "dashed" ? 2 : dash_of(i))
command = "plot"
do for [i = 1 : n] {
    command = command . sprintf("%s data index %d using 1:2 title label[%d] with %s lc rgb '%s'", \
                                i > 1 ? "," : "", i - 1, i, look(i), colour_of(i))
}
eval command
