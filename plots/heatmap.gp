# heatmap.gp: a matrix as coloured cells, its first row on top.
#
#   gnuplot -c heatmap.gp OUT.svg FOLDER
#
# FOLDER/figure.gp sets title, x_label, y_label, rows, columns, row_tick[] and column_tick[] (their labels),
# y_low and y_high (the smallest and largest value). FOLDER/figure.dat holds the matrix, a row a line.

out = ARG1
data = ARG2 . "/figure.dat"
load ARG2 . "/figure.gp"

longest_row = 0
do for [i = 1 : rows] { longest_row = strlen(row_tick[i]) > longest_row ? strlen(row_tick[i]) : longest_row }
longest_column = 0
do for [i = 1 : columns] { longest_column = strlen(column_tick[i]) > longest_column ? strlen(column_tick[i]) : longest_column }
slanted = 8 * longest_column > 480 / columns

# Cells about as high as wide, between a strip and a square.
cell = (760.0 - 180 - 8 * longest_row) / columns
height = int(150 + (slanted ? 6 * longest_column : 0) + rows * (cell < 44 ? cell : 44))
height = height < 300 ? 300 : height
load ARG0[1 : strlen(ARG0) - strlen("heatmap.gp")] . "style.gp"

set key off
set border 0
unset grid
set tics scale 0
set xrange [-0.5 : columns - 0.5]
set yrange [rows - 0.5 : -0.5]
# At most about thirty labels an axis fit.
every(count) = 1 + (count - 1) / 30
if (slanted) { set xtics rotate by 45 right }
set xtics ()
do for [i = 1 : columns : every(columns)] { set xtics add (column_tick[i] i - 1) }
set ytics ()
do for [i = 1 : rows : every(rows)] { set ytics add (row_tick[i] i - 1) }

# From white to dark blue; where there are negative values, from orange through white, zero in the middle.
top = abs(y_high) > abs(y_low) ? abs(y_high) : abs(y_low)
top = top > 0 ? top : 1
if (y_low < 0) {
    set palette defined (-1 "#a04000", -0.5 "#e69f00", 0 "#ffffff", 0.5 "#56b4e9", 1 "#0b3c6f")
    set cbrange [-top : top]
} else {
    set palette defined (0 "#ffffff", 0.5 "#56b4e9", 1 "#0b3c6f")
    set cbrange [0 : top]
}
set format cb "%.2g"
# A low strip has room for three numbers beside its colours.
if (rows * cell < 150) { set cbtics (y_low < 0 ? -top : 0, y_low < 0 ? 0 : top / 2, top) }
dark(value) = abs(value) > 0.55 * top

set style fill solid noborder
# What has no value (a masked score) is grey.
set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 back fillcolor rgb "#e4e4e4" fillstyle solid noborder
cells = "data matrix using ($3 == $3 ? $1 : NaN):2:($1 - 0.5):($1 + 0.5):($2 - 0.5):($2 + 0.5):3 with boxxyerror lc palette"
# The numbers themselves, where they fit.
if (columns <= 16 && rows <= 24) {
    shown(value) = value != value ? "" : value == 0 ? "0" : sprintf(top > 0.05 && top <= 100 ? "%.2f" : "%.2g", value)
    number(value, wanted) = dark(value) == wanted ? shown(value) : ""
    cells = cells . ", data matrix using 1:2:(number($3, 0)) with labels font ',10' tc rgb '#222222'"
    cells = cells . ", data matrix using 1:2:(number($3, 1)) with labels font ',10' tc rgb '#ffffff'"
}
eval "plot " . cells
