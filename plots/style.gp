# style.gp: what all figures share. Loaded by the scripts beside it, with out, height, title, x_label and y_label set.
#
# The palette is that of Okabe and Ito (told apart with any colour vision) without its yellow, which is too pale
# for lines. The background is white, so that a figure reads the same on a light and a dark page. Labels are
# shown as they are written ("held_out" has no subscript).

set encoding utf8
set terminal svg size 760, height font "DejaVu Sans,Verdana,Helvetica,sans-serif,14" noenhanced \
    background "#ffffff" rounded
set output out

array colour[7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"]
# Beyond seven series the colours come again, dashed otherwise.
array dash[3] = [1, 4, 3]
colour_of(i) = colour[(i - 1) % 7 + 1]
dash_of(i) = dash[((i - 1) / 7) % 3 + 1]

set border 3 linecolor "#555555" linewidth 1
set tics nomirror textcolor "#222222"
set grid linecolor "#dddddd" linewidth 0.7 linetype 1 dashtype 1
set title title font ",15" textcolor "#222222"
set xlabel x_label textcolor "#222222"
set ylabel y_label textcolor "#222222"
set format x "%g"
set format y "%g"

# The legend stands under the plot, one line a series, so that it never covers data: legend_height pixels, and
# below_plot of them with the axis and its labels.
row = 23.5
legend_height(lines) = lines > 0 ? row * lines + 12 : 0
place_legend = 'set key at screen 0.02, screen (legend_height(n) - 4.0) / height left top vertical maxcols 1 \
    reverse Left samplen 3 width 0 spacing 1.1'

# Legible ticks on a logarithmic axis, as what stands behind `set xtics`: equal steps within a decade, 1, 2, 5, 10 …
# within two, then powers of ten, at most about eight.
log_tics(low, high) = high < 10 * low ? step_tics(low, high, step_of((high - low) / 5)) : \
    high <= 120 * low ? sprintf("(%s)", one_two_five(floor(log10(low)), ceil(log10(high)))) : \
    sprintf("1e%d, %g, 1e%d", floor(log10(low)), 10 ** ceil(log10(high / low) / 8.0), ceil(log10(high)))
one_two_five(e, last) = sprintf("1e%d, 2e%d, 5e%d", e, e, e) . (e < last ? ", " . one_two_five(e + 1, last) : "")
step_tics(low, high, step) = sprintf("(%s)", steps(step * ceil(low / step), high, step))
steps(at, high, step) = sprintf("%.12g", at) . (at + step <= high ? ", " . steps(at + step, high, step) : "")
step_of(span) = (span > 5 * decade(span) ? 10 : span > 2 * decade(span) ? 5 : 2) * decade(span)
decade(span) = 10 ** floor(log10(span))

# The range of an axis whose data go from low to high: a little more, also when low and high are one.
padded(low, high, is_log) = is_log ? \
    sprintf("[%.12g : %.12g]", low / stretch(low, high), high * stretch(low, high)) : \
    sprintf("[%.12g : %.12g]", low - pad(low, high), high + pad(low, high))
stretch(low, high) = high > low ? (high / low) ** 0.04 : 2
pad(low, high) = high > low ? 0.04 * (high - low) : low == 0 ? 1 : 0.5 * abs(low)
